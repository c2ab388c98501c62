// SPDX-License-Identifier: Apache-2.0
//
// The match statement and its patterns. `match` and `case` are ordinary names elsewhere, so a line
// that begins with `match` is tried as a match statement and, failing that, read as an expression.
#include "syntax/parser_impl.h"

namespace tirxcc::syntax {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kExpectedCase{"expected-case", Severity::Error, ErrorClass::Syntax,
                                   "expected 'case' in a match statement, not {}"};
constexpr Diagnostic kBadImaginary{"pattern-complex", Severity::Error, ErrorClass::Syntax,
                                   "a complex number in a pattern is a real number and an "
                                   "imaginary one"};
constexpr Diagnostic kWildcardTarget{"pattern-wildcard-name", Severity::Error, ErrorClass::Syntax,
                                     "'_' cannot be the name after 'as'"};
constexpr Diagnostic kPositionalPattern{"pattern-order", Severity::Error, ErrorClass::Syntax,
                                        "positional patterns must stand before keyword patterns"};
constexpr Diagnostic kRestNotLast{"pattern-rest-not-last", Severity::Error, ErrorClass::Syntax,
                                  "nothing can follow '**{}' in a mapping pattern"};

}  // namespace

// match_stmt: "match" subject_expr ':' NEWLINE INDENT case_block+ DEDENT
// subject_expr: star_named_expression ',' [star_named_expressions] | named_expression
bool Parser::parse_match_header(Match& match) {
  return try_parse([&] {
    advance();
    const std::uint32_t start = begin();
    Expr* subject = parse_star_named_expression();
    if (at(TokenKind::Comma)) {
      const std::size_t from = mark();
      collect(subject);
      while (accept(TokenKind::Comma)) {
        if (at(TokenKind::Colon)) break;
        collect(parse_star_named_expression());
      }
      Tuple* tuple = make_since<Tuple>(start);
      tuple->elements = take<Expr>(from);
      subject = with_height(tuple, {height(tuple->elements)});
    }
    match.subject = subject;
    return accept(TokenKind::Colon) && accept(TokenKind::Newline) && accept(TokenKind::Indent) &&
           at_word("case");
  });
}

// Null if the statement only begins with a name `match`.
Stmt* Parser::parse_match() {
  const Span keyword = here();
  Match header{};
  if (!parse_match_header(header)) return nullptr;
  const std::size_t from = cases_.size();
  const std::size_t dropped = mark();
  while (!at(TokenKind::Dedent) && !at(TokenKind::EndOfFile)) {
    if (at_word("case")) {
      parse_case();
      if (panicking_) recover();
    } else {
      report(seen(), kExpectedCase, describe_token());
      if (!accept(TokenKind::Indent)) parse_statement();
    }
  }
  scratch_.resize(dropped);
  accept(TokenKind::Dedent);
  Match* node = make_since<Match>(keyword.begin);
  node->keyword_span = keyword;
  node->subject = header.subject;
  node->cases = arena_.copy(std::span<const MatchCase>(cases_).subspan(from));
  cases_.resize(from);
  return node;
}

// case_block: "case" patterns ['if' named_expression] ':' block
void Parser::parse_case() {
  const std::uint32_t start = begin();
  advance();
  const Pattern* pattern = parse_open_pattern();
  const Expr* guard = accept(TokenKind::KwIf) ? parse_named_expression() : nullptr;
  expect_colon();
  const Stmts body = parse_block("'case'");
  cases_.push_back({.span = since(start), .pattern = pattern, .guard = guard, .body = body});
}

// patterns: maybe_star_pattern ',' [','.maybe_star_pattern+ [',']] | pattern
Pattern* Parser::parse_open_pattern() {
  const std::uint32_t start = begin();
  Pattern* first = parse_maybe_star_pattern();
  if (!at(TokenKind::Comma) && !is<MatchStar>(first)) return first;
  const std::size_t from = mark();
  collect(first);
  while (accept(TokenKind::Comma)) {
    if (at(TokenKind::Colon) || at(TokenKind::KwIf)) break;
    collect(parse_maybe_star_pattern());
  }
  MatchSequence* node = make_since<MatchSequence>(start);
  node->patterns = take<Pattern>(from);
  return node;
}

// maybe_star_pattern: '*' NAME | pattern
Pattern* Parser::parse_maybe_star_pattern() {
  if (!at(TokenKind::Star)) return parse_as_pattern();
  const std::uint32_t start = begin();
  advance();
  std::string_view name;
  expect_name(name);
  MatchStar* node = make_since<MatchStar>(start);
  node->name = name == "_" ? std::string_view() : name;
  return node;
}

// pattern: or_pattern ['as' NAME]
Pattern* Parser::parse_as_pattern() {
  const Nesting nesting(*this);
  const std::uint32_t start = begin();
  Pattern* pattern = parse_or_pattern();
  if (!accept(TokenKind::KwAs)) return pattern;
  std::string_view name;
  const Span name_span = expect_name(name);
  if (name == "_") fail(name_span, kWildcardTarget);
  MatchAs* node = make_since<MatchAs>(start);
  node->pattern = pattern;
  node->name = name;
  return node;
}

// or_pattern: '|'.closed_pattern+
Pattern* Parser::parse_or_pattern() {
  const std::uint32_t start = begin();
  Pattern* first = parse_closed_pattern();
  if (!at(TokenKind::Bar)) return first;
  const std::size_t from = mark();
  collect(first);
  while (accept(TokenKind::Bar))
    collect(parse_closed_pattern());
  MatchOr* node = make_since<MatchOr>(start);
  node->patterns = take<Pattern>(from);
  return node;
}

// closed_pattern: literal_pattern | capture_pattern | wildcard_pattern | value_pattern
//               | group_pattern | sequence_pattern | mapping_pattern | class_pattern
Pattern* Parser::parse_closed_pattern() {
  switch (kind_) {
    case TokenKind::Name: return parse_name_pattern();
    case TokenKind::LeftParen: return parse_group_or_sequence();
    case TokenKind::LeftBracket: return parse_sequence(TokenKind::RightBracket);
    case TokenKind::LeftBrace: return parse_mapping();
    case TokenKind::Minus:
    case TokenKind::Number:
    case TokenKind::String:
    case TokenKind::FStringStart:
    case TokenKind::KwNone:
    case TokenKind::KwTrue:
    case TokenKind::KwFalse: return parse_literal_pattern();
    default: fail_unexpected(); return error_pattern_;
  }
}

Pattern* Parser::make_value_pattern(const Expr* value) {
  MatchValue* node = make<MatchValue>(value->span);
  node->value = value;
  return node;
}

// literal_pattern: signed_number | complex_number | strings | 'None' | 'True' | 'False'
Pattern* Parser::parse_literal_pattern() {
  if (at(TokenKind::String) || at(TokenKind::FStringStart)) {
    return make_value_pattern(parse_strings());
  }
  if (at(TokenKind::Minus) || at(TokenKind::Number)) {
    return make_value_pattern(parse_pattern_number());
  }
  MatchSingleton* node = make<MatchSingleton>(here());
  node->value = at(TokenKind::KwNone)   ? ConstantKind::None
                : at(TokenKind::KwTrue) ? ConstantKind::True
                                        : ConstantKind::False;
  advance();
  return node;
}

// signed_number: ['-'] NUMBER            complex_number: signed_number ('+' | '-') NUMBER
Expr* Parser::parse_pattern_number() {
  const std::uint32_t start = begin();
  Expr* real = nullptr;
  if (at(TokenKind::Minus)) {
    const Span op_span = here();
    advance();
    if (!at(TokenKind::Number)) {
      fail_unexpected();
      return error_expr_;
    }
    Expr* operand = parse_number();
    UnaryOp* negated = make_since<UnaryOp>(start);
    negated->op = UnaryOperator::USub;
    negated->op_span = op_span;
    negated->operand = operand;
    real = with_height(negated, {height(operand)});
  } else {
    real = parse_number();
  }
  if (!at(TokenKind::Plus) && !at(TokenKind::Minus)) return real;

  const BinaryOperator op = at(TokenKind::Plus) ? BinaryOperator::Add : BinaryOperator::Sub;
  const Span op_span = here();
  advance();
  if (!at(TokenKind::Number)) {
    fail_unexpected();
    return error_expr_;
  }
  const Expr* imaginary = parse_number();
  if (as<Constant>(imaginary)->constant_kind != ConstantKind::Imaginary) {
    fail(imaginary->span, kBadImaginary);
  }
  BinOp* sum = make_since<BinOp>(start);
  sum->op = op;
  sum->op_span = op_span;
  sum->left = real;
  sum->right = imaginary;
  return with_height(sum, {height(real), height(imaginary)});
}

// capture_pattern: NAME        wildcard_pattern: "_"        value_pattern: NAME ('.' NAME)+
// class_pattern:   NAME ('.' NAME)* '(' ... ')'
Pattern* Parser::parse_name_pattern() {
  const std::uint32_t start = begin();
  Expr* value = parse_name();
  while (at(TokenKind::Dot))
    value = parse_attribute(start, value);
  if (at(TokenKind::LeftParen)) return parse_class_pattern(start, value);
  const Name* name = as<Name>(value);
  if (name == nullptr) return make_value_pattern(value);
  MatchAs* node = make<MatchAs>(name->span);
  if (name->id != "_") node->name = name->id;
  return node;
}

// class_pattern: name_or_attr '(' [','.pattern+] [','.(NAME '=' pattern)+] [','] ')'
Pattern* Parser::parse_class_pattern(std::uint32_t start, const Expr* cls) {
  const Nesting nesting(*this);
  advance();
  const std::size_t from = mark();
  const std::size_t first_name = names_.size();
  std::vector<const Pattern*> keyword_patterns;
  while (!at(TokenKind::RightParen)) {
    if (at(TokenKind::Name) && next_kind() == TokenKind::Equal) {
      names_.push_back(intern(here()));
      advance();
      advance();
      keyword_patterns.push_back(parse_as_pattern());
    } else {
      if (!keyword_patterns.empty()) fail(seen(), kPositionalPattern);
      collect(parse_as_pattern());
    }
    if (!accept(TokenKind::Comma)) break;
  }
  close_bracket(TokenKind::RightParen);
  MatchClass* node = make_since<MatchClass>(start);
  node->cls = cls;
  node->patterns = take<Pattern>(from);
  node->keyword_names = arena_.copy(std::span<const std::string_view>(names_).subspan(first_name));
  names_.resize(first_name);
  node->keyword_patterns = arena_.copy(keyword_patterns);
  return node;
}

// group_pattern: '(' pattern ')'      sequence_pattern: '(' [open_sequence_pattern] ')'
Pattern* Parser::parse_group_or_sequence() {
  const Checkpoint start = checkpoint();
  {
    const Nesting nesting(*this);
    advance();
    if (!at(TokenKind::RightParen)) {
      Pattern* first = parse_maybe_star_pattern();
      if (!is<MatchStar>(first) && !at(TokenKind::Comma)) {
        close_bracket(TokenKind::RightParen);
        return first;
      }
      return parse_sequence_rest(start.index, first, TokenKind::RightParen);
    }
  }
  return parse_sequence_rest(start.index, nullptr, TokenKind::RightParen);
}

// sequence_pattern: '[' [','.maybe_star_pattern+ [',']] ']'
Pattern* Parser::parse_sequence(TokenKind close) {
  const Nesting nesting(*this);
  const std::size_t start = index_;
  advance();
  return parse_sequence_rest(start, nullptr, close);
}

// After the opening bracket, and after `first` if there is one.
Pattern* Parser::parse_sequence_rest(std::size_t start, const Pattern* first, TokenKind close) {
  const std::size_t from = mark();
  if (first != nullptr) {
    collect(first);
    accept(TokenKind::Comma);
  }
  while (!at(close)) {
    collect(parse_maybe_star_pattern());
    if (!accept(TokenKind::Comma)) break;
  }
  close_bracket(close);
  MatchSequence* node = make_since<MatchSequence>(tokens_[start].span.begin);
  node->patterns = take<Pattern>(from);
  return node;
}

// key: literal_expr | name_or_attr
Expr* Parser::parse_mapping_key() {
  switch (kind_) {
    case TokenKind::Minus:
    case TokenKind::Number: return parse_pattern_number();
    case TokenKind::String:
    case TokenKind::FStringStart: return parse_strings();
    case TokenKind::KwNone: return parse_simple_constant(ConstantKind::None);
    case TokenKind::KwTrue: return parse_simple_constant(ConstantKind::True);
    case TokenKind::KwFalse: return parse_simple_constant(ConstantKind::False);
    default: break;
  }
  if (!at(TokenKind::Name) || next_kind() != TokenKind::Dot) {
    fail_unexpected();
    return error_expr_;
  }
  const std::uint32_t start = begin();
  Expr* value = parse_name();
  while (at(TokenKind::Dot))
    value = parse_attribute(start, value);
  return value;
}

// mapping_pattern: '{' [','.(key ':' pattern)+] ['**' NAME] [','] '}'
Pattern* Parser::parse_mapping() {
  const Nesting nesting(*this);
  const std::uint32_t start = begin();
  advance();
  const std::size_t from = mark();
  std::vector<const Expr*> keys;
  std::string_view rest;
  while (!at(TokenKind::RightBrace)) {
    if (!rest.empty()) fail(seen(), kRestNotLast, rest);
    if (accept(TokenKind::StarStar)) {
      expect_name(rest);
    } else {
      keys.push_back(parse_mapping_key());
      expect_colon();
      collect(parse_as_pattern());
    }
    if (!accept(TokenKind::Comma)) break;
  }
  close_bracket(TokenKind::RightBrace);
  MatchMapping* node = make_since<MatchMapping>(start);
  node->keys = arena_.copy(keys);
  node->patterns = take<Pattern>(from);
  node->rest = rest;
  return node;
}

}  // namespace tirxcc::syntax
