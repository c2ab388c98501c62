// SPDX-License-Identifier: Apache-2.0
//
// Simple statements: those that fit on a line.
#include "syntax/parser_impl.h"

namespace tirxcc::syntax {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kIllegalAugmented{"bad-augmented-target", Severity::Error, ErrorClass::Syntax,
                                       "{} cannot be the target of '{}'"};
constexpr Diagnostic kIllegalAnnotated{"bad-annotated-target", Severity::Error, ErrorClass::Syntax,
                                       "only a single name, attribute or element can be annotated, "
                                       "not {}"};
constexpr Diagnostic kImportComma{"import-trailing-comma", Severity::Error, ErrorClass::Syntax,
                                  "a trailing comma needs parentheses around the names"};
constexpr Diagnostic kImportNothing{"import-nothing", Severity::Error, ErrorClass::Syntax,
                                    "expected one or more names after 'import'"};
constexpr Diagnostic kPrintStatement{"missing-parentheses", Severity::Error, ErrorClass::Syntax,
                                     "missing parentheses in the call of '{}'; write '{}(...)'"};
constexpr Diagnostic kMissingDeleteTarget{"delete-nothing", Severity::Error, ErrorClass::Syntax,
                                          "expected what to delete after 'del'"};

struct AugmentedRow {
  TokenKind token;
  BinaryOperator op;
};
constexpr AugmentedRow kAugmented[]{
    {TokenKind::PlusEqual, BinaryOperator::Add},
    {TokenKind::MinusEqual, BinaryOperator::Sub},
    {TokenKind::StarEqual, BinaryOperator::Mult},
    {TokenKind::AtEqual, BinaryOperator::MatMult},
    {TokenKind::SlashEqual, BinaryOperator::Div},
    {TokenKind::PercentEqual, BinaryOperator::Mod},
    {TokenKind::StarStarEqual, BinaryOperator::Pow},
    {TokenKind::LeftShiftEqual, BinaryOperator::LShift},
    {TokenKind::RightShiftEqual, BinaryOperator::RShift},
    {TokenKind::BarEqual, BinaryOperator::BitOr},
    {TokenKind::CaretEqual, BinaryOperator::BitXor},
    {TokenKind::AmpersandEqual, BinaryOperator::BitAnd},
    {TokenKind::SlashSlashEqual, BinaryOperator::FloorDiv},
};

const AugmentedRow* find_augmented(TokenKind kind) {
  for (const AugmentedRow& row : kAugmented) {
    if (row.token == kind) return &row;
  }
  return nullptr;
}

}  // namespace

// simple_stmts: ';'.simple_stmt+ [';'] NEWLINE
//
// Statements go onto the stack of collect().
void Parser::parse_simple_statements() {
  do {
    if (at(TokenKind::Newline)) break;
    Stmt* stmt = parse_simple_statement();
    if (panicking_) return;
    collect(stmt);
  } while (accept(TokenKind::Semicolon));
  if (!accept(TokenKind::Newline) && !at(TokenKind::EndOfFile)) fail_after_statement();
}

// Something stands behind a complete statement.
void Parser::fail_after_statement() {
  const Token& last = tokens_[index_ - 1];
  const std::string_view text = text_of(last.span);
  const bool is_print = last.kind == TokenKind::Name && (text == "print" || text == "exec");
  if (is_print && is_operand_start(kind_)) {
    fail({last.span.begin, here().end}, kPrintStatement, text, text);
  } else {
    fail_unexpected();
  }
}

// simple_stmt: assignment | star_expressions | return_stmt | import_stmt | raise_stmt | 'pass'
//            | del_stmt | yield_stmt | assert_stmt | 'break' | 'continue' | global_stmt
//            | nonlocal_stmt | type_alias
Stmt* Parser::parse_simple_statement() {
  switch (kind_) {
    case TokenKind::KwReturn: return parse_return();
    case TokenKind::KwImport: return parse_import();
    case TokenKind::KwFrom: return parse_import_from();
    case TokenKind::KwRaise: return parse_raise();
    case TokenKind::KwDel: return parse_delete();
    case TokenKind::KwAssert: return parse_assert();
    case TokenKind::KwPass: return parse_lone_keyword<Pass>();
    case TokenKind::KwBreak: return parse_lone_keyword<Break>();
    case TokenKind::KwContinue: return parse_lone_keyword<Continue>();
    case TokenKind::KwGlobal: return parse_name_list<Global>();
    case TokenKind::KwNonlocal: return parse_name_list<Nonlocal>();
    case TokenKind::Name:
      if (next_kind() == TokenKind::Name && at_word("type")) return parse_type_alias();
      return parse_expression_statement();
    default: return parse_expression_statement();
  }
}

template <typename T>
Stmt* Parser::parse_lone_keyword() {
  T* node = make<T>(here());
  advance();
  return node;
}

// assignment: (star_targets '=')+ (yield | star_expressions)
//           | target ':' annotation ['=' (yield | star_expressions)]
//           | target augassign (yield | star_expressions)
Stmt* Parser::parse_expression_statement() {
  const std::uint32_t start = begin();
  const bool is_parenthesized = at(TokenKind::LeftParen);
  Expr* first = parse_yield_or_star_expressions();
  switch (kind_) {
    case TokenKind::Newline: break;
    case TokenKind::Equal: return parse_assignment(start, first);
    case TokenKind::Colon: return parse_annotated_assignment(start, first, is_parenthesized);
    default:
      if (kind_ > TokenKind::Equal) return parse_augmented_assignment(start, first);
  }
  ExprStmt* node = make_since<ExprStmt>(start);
  node->value = first;
  return node;
}

Stmt* Parser::parse_assignment(std::uint32_t start, Expr* first) {
  const std::size_t from = mark();
  Expr* value = first;
  Span op_span;
  while (at(TokenKind::Equal)) {
    set_context(value, ExprContext::Store, true);
    collect(value);
    op_span = here();
    advance();
    value = parse_yield_or_star_expressions();
  }
  Assign* node = make_since<Assign>(start);
  node->targets = take<Expr>(from);
  node->op_span = op_span;
  node->value = value;
  return node;
}

Stmt* Parser::parse_annotated_assignment(std::uint32_t start, Expr* target, bool is_parenthesized) {
  if (!is<Name>(target) && !is<Attribute>(target) && !is<Subscript>(target)) {
    // `else if x:` and the like come here too, but have failed before.
    const bool may_be_target = is<Tuple>(target) || is<List>(target);
    if (may_be_target) {
      fail(target->span, kIllegalAnnotated, expr_description(*target));
    } else {
      fail_unexpected();
    }
    return make_since<Pass>(start);
  }
  set_context(target, ExprContext::Store, false);
  advance();
  const Expr* annotation = parse_expression();
  const Expr* value = nullptr;
  if (accept(TokenKind::Equal)) value = parse_yield_or_star_expressions();
  AnnAssign* node = make_since<AnnAssign>(start);
  node->is_simple = is<Name>(target) && !is_parenthesized;
  node->target = target;
  node->annotation = annotation;
  node->value = value;
  return node;
}

Stmt* Parser::parse_augmented_assignment(std::uint32_t start, Expr* target) {
  const AugmentedRow* row = find_augmented(kind_);
  const Span op_span = here();
  if (!is<Name>(target) && !is<Attribute>(target) && !is<Subscript>(target)) {
    fail(target->span, kIllegalAugmented, expr_description(*target), token_text());
    return make_since<Pass>(start);
  }
  set_context(target, ExprContext::Store, false);
  advance();
  const Expr* value = parse_yield_or_star_expressions();
  AugAssign* node = make_since<AugAssign>(start);
  node->op = row->op;
  node->op_span = op_span;
  node->target = target;
  node->value = value;
  return node;
}

// return_stmt: 'return' [star_expressions]
Stmt* Parser::parse_return() {
  const Span keyword = here();
  advance();
  const Expr* value = nullptr;
  if (!at(TokenKind::Newline) && !at(TokenKind::Semicolon) && !at(TokenKind::EndOfFile)) {
    value = parse_star_expressions();
  }
  Return* node = make_since<Return>(keyword.begin);
  node->keyword_span = keyword;
  node->value = value;
  return node;
}

// del_stmt: 'del' ','.target+ [',']
Stmt* Parser::parse_delete() {
  const Span keyword = here();
  advance();
  if (at(TokenKind::Newline)) fail(keyword, kMissingDeleteTarget);
  const std::size_t from = mark();
  do {
    if (at(TokenKind::Newline) || at(TokenKind::Semicolon)) break;
    Expr* target = parse_operators(kOr);
    if (!panicking_) set_context(target, ExprContext::Del, false);
    collect(target);
  } while (accept(TokenKind::Comma));
  Delete* node = make_since<Delete>(keyword.begin);
  node->targets = take<Expr>(from);
  return node;
}

// raise_stmt: 'raise' [expression ['from' expression]]
Stmt* Parser::parse_raise() {
  const std::uint32_t start = begin();
  advance();
  const Expr* exception = nullptr;
  const Expr* cause = nullptr;
  if (!at(TokenKind::Newline) && !at(TokenKind::Semicolon) && !at(TokenKind::EndOfFile)) {
    exception = parse_expression();
    if (accept(TokenKind::KwFrom)) cause = parse_expression();
  }
  Raise* node = make_since<Raise>(start);
  node->exception = exception;
  node->cause = cause;
  return node;
}

// assert_stmt: 'assert' expression [',' expression]
Stmt* Parser::parse_assert() {
  const std::uint32_t start = begin();
  advance();
  const Expr* test = parse_expression();
  const Expr* message = accept(TokenKind::Comma) ? parse_expression() : nullptr;
  Assert* node = make_since<Assert>(start);
  node->test = test;
  node->message = message;
  return node;
}

// dotted_name: NAME ('.' NAME)*
std::string_view Parser::parse_dotted_name() {
  std::string_view name;
  expect_name(name);
  if (!at(TokenKind::Dot)) return name;
  std::string joined(name);
  while (accept(TokenKind::Dot)) {
    std::string_view part;
    expect_name(part);
    joined += '.';
    joined += part;
  }
  return interner_.intern(joined);
}

// alias: (dotted_name | NAME) ['as' NAME]
Alias Parser::parse_alias(bool is_dotted) {
  Alias alias;
  const std::uint32_t start = begin();
  if (is_dotted) {
    alias.name = parse_dotted_name();
  } else {
    expect_name(alias.name);
  }
  if (accept(TokenKind::KwAs)) expect_name(alias.as_name);
  alias.span = since(start);
  return alias;
}

// import_name: 'import' ','.alias+
Stmt* Parser::parse_import() {
  const std::uint32_t start = begin();
  advance();
  const std::size_t from = aliases_.size();
  if (at(TokenKind::Newline)) fail(seen(), kImportNothing);
  do {
    aliases_.push_back(parse_alias(true));
  } while (accept(TokenKind::Comma));
  Import* node = make_since<Import>(start);
  node->names = arena_.copy(std::span<const Alias>(aliases_).subspan(from));
  aliases_.resize(from);
  return node;
}

// import_from_targets: '*' | ','.alias+ | '(' ','.alias+ [','] ')'
std::span<const Alias> Parser::parse_imported_names() {
  const std::size_t from = aliases_.size();
  const bool is_parenthesized = accept(TokenKind::LeftParen);
  if (at(TokenKind::Star) && !is_parenthesized) {
    aliases_.push_back({.span = here(), .name = interner_.intern("*"), .as_name = {}});
    advance();
  } else if (at(TokenKind::Newline)) {
    fail(seen(), kImportNothing);
  } else {
    do {
      if (is_parenthesized && at(TokenKind::RightParen) && aliases_.size() > from) break;
      if (!is_parenthesized && at(TokenKind::Newline)) {
        fail(tokens_[index_ - 1].span, kImportComma);
      }
      aliases_.push_back(parse_alias(false));
    } while (accept(TokenKind::Comma));
  }
  if (is_parenthesized) close_bracket(TokenKind::RightParen);
  const std::span<const Alias> names = arena_.copy(std::span<const Alias>(aliases_).subspan(from));
  aliases_.resize(from);
  return names;
}

// import_from: 'from' ('.' | '...')* dotted_name 'import' import_from_targets
//            | 'from' ('.' | '...')+ 'import' import_from_targets
Stmt* Parser::parse_import_from() {
  const std::uint32_t start = begin();
  advance();
  int level = 0;
  while (at(TokenKind::Dot) || at(TokenKind::Ellipsis)) {
    level += at(TokenKind::Dot) ? 1 : 3;
    advance();
  }
  std::string_view module;
  if (level == 0 || !at(TokenKind::KwImport)) module = parse_dotted_name();
  expect(TokenKind::KwImport);
  const std::span<const Alias> names = parse_imported_names();
  ImportFrom* node = make_since<ImportFrom>(start);
  node->level = level;
  node->module = module;
  node->names = names;
  return node;
}

// global_stmt: 'global' ','.NAME+          nonlocal_stmt: 'nonlocal' ','.NAME+
template <typename T>
Stmt* Parser::parse_name_list() {
  const std::uint32_t start = begin();
  advance();
  const std::size_t from = names_.size();
  do {
    std::string_view name;
    expect_name(name);
    names_.push_back(name);
  } while (accept(TokenKind::Comma));
  T* node = make_since<T>(start);
  node->names = arena_.copy(std::span<const std::string_view>(names_).subspan(from));
  names_.resize(from);
  return node;
}

// type_alias: "type" NAME [type_params] '=' expression
Stmt* Parser::parse_type_alias() {
  const std::uint32_t start = begin();
  advance();
  Expr* name = parse_name();
  set_context(name, ExprContext::Store, false);
  const TypeParams type_params = parse_type_params();
  if (!accept(TokenKind::Equal)) fail_unexpected();
  const Expr* value = parse_expression();
  TypeAlias* node = make_since<TypeAlias>(start);
  node->name = name;
  node->type_params = type_params;
  node->value = value;
  return node;
}

}  // namespace tirxcc::syntax
