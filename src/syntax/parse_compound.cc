// SPDX-License-Identifier: Apache-2.0
//
// Statements with blocks, blocks themselves, and the lists of statements in them. This is where the
// parser comes to rest after a mistake: see parse_statement().
#include "syntax/parser_impl.h"

namespace tirxcc::syntax {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kUnexpectedIndent{"unexpected-indent", Severity::Error, ErrorClass::Syntax,
                                       "unexpected indent"};
constexpr Diagnostic kExpectedBlock{"expected-block", Severity::Error, ErrorClass::Syntax,
                                    "expected an indented block after {}"};
constexpr Diagnostic kStmtsTooDeep{"statements-too-deep", Severity::Error, ErrorClass::Syntax,
                                   "statements are nested more than {} deep"};
constexpr Diagnostic kLoneTry{"lone-try", Severity::Error, ErrorClass::Syntax,
                              "expected an 'except' or 'finally' block after 'try'"};
constexpr Diagnostic kMixedExcept{"mixed-except", Severity::Error, ErrorClass::Syntax,
                                  "'except' and 'except*' cannot stand on the same 'try'"};
constexpr Diagnostic kExceptTuple{"except-tuple", Severity::Error, ErrorClass::Syntax,
                                  "several exception types need parentheses"};
constexpr Diagnostic kExceptStarType{"except-star-type", Severity::Error, ErrorClass::Syntax,
                                     "expected one or more exception types after 'except*'"};
constexpr Diagnostic kElseIf{"else-if", Severity::Error, ErrorClass::Syntax,
                             "'else if' is written 'elif' in Python"};
constexpr Diagnostic kLoneClause{"lone-clause", Severity::Error, ErrorClass::Syntax,
                                 "'{}' does not continue any statement at this indentation"};
constexpr Diagnostic kDecoratedNothing{"bad-decorator", Severity::Error, ErrorClass::Syntax,
                                       "expected a function or class after a decorator, not {}"};
constexpr Diagnostic kAsyncNothing{"bad-async", Severity::Error, ErrorClass::Syntax,
                                   "expected 'def', 'for' or 'with' after 'async', not {}"};

}  // namespace

// statements: statement+
//
// Up to the Dedent that ends the block, or the end of the file. Statements go onto the stack of
// collect().
void Parser::parse_statements(TokenKind end) {
  while (!at(TokenKind::EndOfFile)) {
    if (at(TokenKind::Dedent)) return;
    if (diags_.is_full()) {
      index_ = tokens_.size() - 1;
      kind_ = TokenKind::EndOfFile;
    } else if (at(TokenKind::Indent)) {
      report(here(), kUnexpectedIndent);
      advance();
      parse_statements(end);
      accept(TokenKind::Dedent);
    } else {
      parse_statement();
    }
  }
}

// statement: compound_stmt | simple_stmts
//
// After a mistake what was understood of the statement is dropped, and the cursor is at the next
// one.
void Parser::parse_statement() {
  const std::size_t from = mark();
  if (accept(TokenKind::Newline)) return;
  Stmt* stmt = parse_compound_statement();
  if (stmt == nullptr) {
    parse_simple_statements();
  } else {
    collect(stmt);
  }
  if (panicking_) {
    scratch_.resize(from);
    recover();
  }
}

// compound_stmt: function_def | if_stmt | class_def | with_stmt | for_stmt | try_stmt | while_stmt
//              | match_stmt
//
// Null if the statement is none of these.
Stmt* Parser::parse_compound_statement() {
  switch (kind_) {
    case TokenKind::KwIf: return parse_if();
    case TokenKind::KwFor: return parse_for(begin(), false);
    case TokenKind::KwWhile: return parse_while();
    case TokenKind::KwDef: return parse_function(begin(), {}, false);
    case TokenKind::KwClass: return parse_class({});
    case TokenKind::KwWith: return parse_with(begin(), false);
    case TokenKind::KwTry: return parse_try();
    case TokenKind::KwAsync: return parse_async();
    case TokenKind::At: return parse_decorated();
    case TokenKind::Name: return at_word("match") ? parse_match() : nullptr;
    case TokenKind::KwElif:
    case TokenKind::KwElse:
    case TokenKind::KwExcept:
    case TokenKind::KwFinally: fail(here(), kLoneClause, token_text()); return nullptr;
    default: return nullptr;
  }
}

// block: NEWLINE INDENT statements DEDENT | simple_stmts
//
// `after` says in the message which statement lacks its block. The ':' has been taken.
Stmts Parser::parse_block(std::string_view after) {
  if (panicking_) return {};
  const std::size_t from = mark();
  if (!accept(TokenKind::Newline)) {
    parse_simple_statements();
    return take<Stmt>(from);
  }
  if (!at(TokenKind::Indent)) {
    report({previous_end_ - 1, previous_end_}, kExpectedBlock, after);
    return {};
  }
  if (++stmt_nesting_ > kMaxStmtNesting) {
    report(tokens_[index_ + 1].span, kStmtsTooDeep, kMaxStmtNesting);
    skip_nested_blocks();
  } else {
    advance();
    parse_statements(TokenKind::Dedent);
  }
  --stmt_nesting_;
  accept(TokenKind::Dedent);
  return take<Stmt>(from);
}

// From an Indent to its Dedent, without recursion.
void Parser::skip_nested_blocks() {
  int depth = 0;
  while (!at(TokenKind::EndOfFile)) {
    if (at(TokenKind::Indent)) ++depth;
    if (at(TokenKind::Dedent) && --depth == 0) return;
    kind_ = tokens_[++index_].kind;
  }
}

// if_stmt: 'if' named_expression ':' block
//          ('elif' named_expression ':' block)* ['else' ':' block]
Stmt* Parser::parse_if() {
  const std::uint32_t start = begin();
  const std::size_t from = clauses_.size();
  do {
    const Span keyword = here();
    advance();
    const Expr* condition = parse_named_expression();
    expect_colon();
    const Stmts body = parse_block(clauses_.size() == from ? "'if'" : "'elif'");
    clauses_.push_back({.span = since(keyword.begin),
                        .keyword_span = keyword,
                        .condition = condition,
                        .body = body});
  } while (at(TokenKind::KwElif));
  Span else_span;
  const Stmts orelse = parse_else(else_span);
  If* node = make_since<If>(start);
  node->clauses = arena_.copy(std::span<const IfClause>(clauses_).subspan(from));
  clauses_.resize(from);
  node->orelse = orelse;
  node->else_span = else_span;
  return node;
}

// else_block: 'else' ':' block
Stmts Parser::parse_else(Span& else_span) {
  if (!at(TokenKind::KwElse)) return {};
  else_span = here();
  advance();
  if (at(TokenKind::KwIf)) fail({else_span.begin, here().end}, kElseIf);
  expect_colon();
  return parse_block("'else'");
}

// while_stmt: 'while' named_expression ':' block [else_block]
Stmt* Parser::parse_while() {
  const Span keyword = here();
  advance();
  const Expr* test = parse_named_expression();
  expect_colon();
  const Stmts body = parse_block("'while'");
  Span else_span;
  const Stmts orelse = parse_else(else_span);
  While* node = make_since<While>(keyword.begin);
  node->keyword_span = keyword;
  node->test = test;
  node->body = body;
  node->orelse = orelse;
  node->else_span = else_span;
  return node;
}

// for_stmt: ['async'] 'for' star_targets 'in' star_expressions ':' block [else_block]
Stmt* Parser::parse_for(std::uint32_t start, bool is_async) {
  const Span keyword = here();
  advance();
  const Expr* target = parse_targets(ExprContext::Store);
  expect(TokenKind::KwIn);
  const Expr* iter = parse_star_expressions();
  expect_colon();
  const Stmts body = parse_block("'for'");
  Span else_span;
  const Stmts orelse = parse_else(else_span);
  For* node = make_since<For>(start);
  node->is_async = is_async;
  node->keyword_span = keyword;
  node->target = target;
  node->iter = iter;
  node->body = body;
  node->orelse = orelse;
  node->else_span = else_span;
  return node;
}

// with_item: expression ['as' star_target]
void Parser::parse_with_item() {
  const std::uint32_t start = begin();
  WithItem item{};
  item.context_expr = parse_expression();
  if (accept(TokenKind::KwAs)) {
    Expr* target = parse_target();
    if (!panicking_) set_context(target, ExprContext::Store, false);
    item.target = target;
  }
  item.span = since(start);
  with_items_.push_back(item);
}

// '(' ','.with_item+ [','] ')' &':'
bool Parser::parse_parenthesized_with_items() {
  const std::size_t from = with_items_.size();
  const bool worked = at(TokenKind::LeftParen) && try_parse([&] {
                        advance();
                        do {
                          if (at(TokenKind::RightParen) && with_items_.size() > from) break;
                          parse_with_item();
                        } while (accept(TokenKind::Comma));
                        return accept(TokenKind::RightParen) && at(TokenKind::Colon);
                      });
  if (!worked) with_items_.resize(from);
  return worked;
}

// with_stmt: ['async'] 'with' (parenthesized_with_items | ','.with_item+) ':' block
Stmt* Parser::parse_with(std::uint32_t start, bool is_async) {
  const Span keyword = here();
  advance();
  const std::size_t from = with_items_.size();
  if (!parse_parenthesized_with_items()) {
    do {
      parse_with_item();
    } while (accept(TokenKind::Comma));
  }
  const std::span<const WithItem> items =
      arena_.copy(std::span<const WithItem>(with_items_).subspan(from));
  with_items_.resize(from);
  expect_colon();
  const Stmts body = parse_block("'with'");
  With* node = make_since<With>(start);
  node->is_async = is_async;
  node->keyword_span = keyword;
  node->items = items;
  node->body = body;
  return node;
}

// except_block: 'except' ['*'] [expression ['as' NAME]] ':' block
//
// True for `except*`.
bool Parser::parse_except() {
  const std::uint32_t start = begin();
  ExceptHandler handler{};
  advance();
  const bool is_star = accept(TokenKind::Star);
  if (!at(TokenKind::Colon)) {
    handler.type = parse_expression();
    if (at(TokenKind::Comma)) fail({handler.type->span.begin, here().end}, kExceptTuple);
    if (accept(TokenKind::KwAs)) expect_name(handler.name);
  } else if (is_star) {
    fail(tokens_[index_ - 1].span, kExceptStarType);
  }
  expect_colon();
  handler.body = parse_block(is_star ? "'except*'" : "'except'");
  handler.span = since(start);
  handlers_.push_back(handler);
  return is_star;
}

// try_stmt: 'try' ':' block (except_block+ [else_block] [finally_block] | finally_block)
Stmt* Parser::parse_try() {
  const Span keyword = here();
  advance();
  expect_colon();
  const Stmts body = parse_block("'try'");
  const std::size_t from = handlers_.size();
  bool is_star = false;
  while (at(TokenKind::KwExcept)) {
    const Span except_span = here();
    const bool is_first = handlers_.size() == from;
    const bool was_star = is_star;
    is_star = parse_except();
    if (!is_first && is_star != was_star) report(except_span, kMixedExcept);
  }
  Span else_span;
  Stmts orelse;
  if (handlers_.size() > from) orelse = parse_else(else_span);
  Stmts finalbody;
  const bool has_finally = accept(TokenKind::KwFinally);
  if (has_finally) {
    expect_colon();
    finalbody = parse_block("'finally'");
  }
  if (handlers_.size() == from && !has_finally) report(keyword, kLoneTry);
  Try* node = make_since<Try>(keyword.begin);
  node->is_star = is_star;
  node->keyword_span = keyword;
  node->body = body;
  node->handlers = arena_.copy(std::span<const ExceptHandler>(handlers_).subspan(from));
  handlers_.resize(from);
  node->orelse = orelse;
  node->finalbody = finalbody;
  return node;
}

// 'async' (function_def | for_stmt | with_stmt)
Stmt* Parser::parse_async() {
  const std::uint32_t start = begin();
  advance();
  if (at(TokenKind::KwDef)) return parse_function(start, {}, true);
  if (at(TokenKind::KwFor)) return parse_for(start, true);
  if (at(TokenKind::KwWith)) return parse_with(start, true);
  fail(seen(), kAsyncNothing, describe_token());
  return make_since<Pass>(start);
}

// decorators: ('@' named_expression NEWLINE)+
Stmt* Parser::parse_decorated() {
  const std::size_t from = mark();
  while (accept(TokenKind::At)) {
    collect(parse_named_expression());
    if (!accept(TokenKind::Newline)) fail_unexpected();
  }
  const Exprs decorators = take<Expr>(from);
  const std::uint32_t start = begin();
  if (at(TokenKind::KwDef)) return parse_function(start, decorators, false);
  if (at(TokenKind::KwClass)) return parse_class(decorators);
  if (at(TokenKind::KwAsync) && next_kind() == TokenKind::KwDef) {
    advance();
    return parse_function(start, decorators, true);
  }
  fail(here(), kDecoratedNothing, describe_token());
  return make_since<Pass>(start);
}

// function_def: ['async'] 'def' NAME [type_params] '(' [params] ')' ['->' expression] ':' block
Stmt* Parser::parse_function(std::uint32_t start, Exprs decorators, bool is_async) {
  advance();
  std::string_view name;
  const Span name_span = expect_name(name);
  const TypeParams type_params = parse_type_params();
  const std::uint32_t params_start = begin();
  expect(TokenKind::LeftParen);
  const Params params = parse_params(TokenKind::RightParen, false);
  close_bracket(TokenKind::RightParen);
  const Span params_span = since(params_start);
  const Expr* returns = accept(TokenKind::Arrow) ? parse_expression() : nullptr;
  expect_colon();
  const Stmts body = parse_block("a function's header");
  FunctionDef* node = make_since<FunctionDef>(start);
  node->is_async = is_async;
  node->name = name;
  node->name_span = name_span;
  node->decorators = decorators;
  node->type_params = type_params;
  node->params = params;
  node->params_span = params_span;
  node->returns = returns;
  node->body = body;
  return node;
}

// class_def: 'class' NAME [type_params] ['(' [arguments] ')'] ':' block
Stmt* Parser::parse_class(Exprs decorators) {
  const std::uint32_t start = begin();
  advance();
  std::string_view name;
  const Span name_span = expect_name(name);
  const TypeParams type_params = parse_type_params();
  Exprs bases;
  Keywords keywords;
  if (at(TokenKind::LeftParen)) parse_arguments(begin(), bases, keywords);
  expect_colon();
  const Stmts body = parse_block("a class's header");
  ClassDef* node = make_since<ClassDef>(start);
  node->name = name;
  node->name_span = name_span;
  node->decorators = decorators;
  node->type_params = type_params;
  node->bases = bases;
  node->keywords = keywords;
  node->body = body;
  return node;
}

}  // namespace tirxcc::syntax
