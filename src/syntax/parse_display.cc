// SPDX-License-Identifier: Apache-2.0
//
// What stands between brackets: groups, tuples, lists, dicts, sets, and comprehensions.
#include "syntax/parser_impl.h"

namespace tirxcc::syntax {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kLoneStar{"lone-star", Severity::Error, ErrorClass::Syntax,
                               "a starred expression cannot stand here; write '(*x,)' for a tuple"};
constexpr Diagnostic kStarInComprehension{"star-in-comprehension", Severity::Error,
                                          ErrorClass::Syntax,
                                          "'{}' cannot stand in a comprehension"};
constexpr Diagnostic kUnparenthesizedTuple{
    "bare-tuple-in-comprehension", Severity::Error, ErrorClass::Syntax,
    "the tuple before 'for' needs parentheses in a comprehension"};
constexpr Diagnostic kMissingDictValue{"expected-dict-value", Severity::Error, ErrorClass::Syntax,
                                       "expected an expression after the ':' of this dict entry"};

}  // namespace

// The bracket that opened is paired (the lexer has seen to that), so something else is in the way.
void Parser::close_bracket(TokenKind close) {
  if (!accept(close)) fail_unexpected();
}

bool Parser::at_comprehension() const {
  return at(TokenKind::KwFor) || (at(TokenKind::KwAsync) && next_kind() == TokenKind::KwFor);
}

// for_if_clause: ['async'] 'for' star_targets 'in' disjunction ('if' disjunction)*
const Comprehension* Parser::parse_comprehension() {
  const std::uint32_t start = begin();
  Comprehension* part = arena_.make<Comprehension>();
  part->is_async = accept(TokenKind::KwAsync);
  advance();
  part->target = parse_targets(ExprContext::Store);
  expect(TokenKind::KwIn);
  part->iter = parse_operators(kOr);
  const std::size_t from = mark();
  while (accept(TokenKind::KwIf))
    collect(parse_operators(kOr));
  part->conditions = take<Expr>(from);
  part->span = since(start);
  return part;
}

// for_if_clauses: for_if_clause+
Comprehensions Parser::parse_comprehensions() {
  const std::size_t from = mark();
  while (at_comprehension())
    collect(parse_comprehension());
  return take<Comprehension>(from);
}

// The rest of `[element for ...]`, `{...}` or `(...)`.
template <typename T>
Expr* Parser::make_comprehension(std::uint32_t start, Expr* element, TokenKind close) {
  if (is<Starred>(element)) fail(element->span, kStarInComprehension, "*");
  const Comprehensions generators = parse_comprehensions();
  close_bracket(close);
  T* node = make_since<T>(start);
  node->element = element;
  node->generators = generators;
  return with_height(node, {height(element), height(generators)});
}

// tuple:  '(' [star_named_expression ',' [star_named_expressions]] ')'
// group:  '(' (yield | named_expression) ')'
// genexp: '(' named_expression for_if_clauses ')'
Expr* Parser::parse_parenthesized() {
  const Nesting nesting(*this);
  const std::uint32_t start = begin();
  advance();
  const std::size_t from = mark();
  if (!at(TokenKind::RightParen)) {
    Expr* first = at(TokenKind::KwYield) ? parse_yield() : parse_star_named_expression();
    if (at_comprehension()) {
      return make_comprehension<GeneratorExp>(start, first, TokenKind::RightParen);
    }
    if (!at(TokenKind::Comma) || is<Yield>(first) || is<YieldFrom>(first)) {
      if (at(TokenKind::RightParen) && is<Starred>(first)) fail(first->span, kLoneStar);
      close_bracket(TokenKind::RightParen);
      return first;
    }
    collect(first);
    while (accept(TokenKind::Comma)) {
      if (at(TokenKind::RightParen)) break;
      collect(parse_star_named_expression());
    }
    if (at_comprehension()) {
      fail({first->span.begin, previous_end_}, kUnparenthesizedTuple);
    }
  }
  close_bracket(TokenKind::RightParen);
  Tuple* tuple = make_since<Tuple>(start);
  tuple->is_parenthesized = true;
  tuple->elements = take<Expr>(from);
  return with_height(tuple, {height(tuple->elements)});
}

// list:     '[' [star_named_expressions] ']'
// listcomp: '[' named_expression for_if_clauses ']'
Expr* Parser::parse_list() {
  const Nesting nesting(*this);
  const std::uint32_t start = begin();
  advance();
  const std::size_t from = mark();
  if (!at(TokenKind::RightBracket)) {
    Expr* first = parse_star_named_expression();
    if (at_comprehension()) {
      return make_comprehension<ListComp>(start, first, TokenKind::RightBracket);
    }
    collect(first);
    while (accept(TokenKind::Comma)) {
      if (at(TokenKind::RightBracket)) break;
      collect(parse_star_named_expression());
    }
    if (at_comprehension()) {
      fail({first->span.begin, previous_end_}, kUnparenthesizedTuple);
    }
  }
  close_bracket(TokenKind::RightBracket);
  List* list = make_since<List>(start);
  list->elements = take<Expr>(from);
  return with_height(list, {height(list->elements)});
}

// double_starred_kvpair: '**' bitwise_or | expression ':' expression
//
// The value goes onto the stack of collect(), the key (null for `**`) into `keys`.
void Parser::parse_dict_item(std::vector<const Expr*>& keys) {
  if (accept(TokenKind::StarStar)) {
    keys.push_back(nullptr);
    collect(parse_operators(kBitOr));
    return;
  }
  keys.push_back(parse_expression());
  expect_colon();
  if (at(TokenKind::Comma) || at(TokenKind::RightBrace)) {
    fail(tokens_[index_ - 1].span, kMissingDictValue);
  }
  collect(parse_expression());
}

// dict:     '{' [','.double_starred_kvpair+ [',']] '}'
// dictcomp: '{' expression ':' expression for_if_clauses '}'
// set:      '{' star_named_expressions '}'
// setcomp:  '{' named_expression for_if_clauses '}'
Expr* Parser::parse_dict_or_set() {
  const Nesting nesting(*this);
  const std::uint32_t start = begin();
  advance();
  std::vector<const Expr*> keys;
  const std::size_t from = mark();
  if (at(TokenKind::StarStar)) {
    parse_dict_item(keys);
    if (at_comprehension()) fail(tokens_[index_ - 1].span, kStarInComprehension, "**");
  } else if (!at(TokenKind::RightBrace)) {
    Expr* first = parse_star_named_expression();
    if (!at(TokenKind::Colon) || is<Starred>(first)) return parse_set(start, first);
    advance();
    if (at(TokenKind::Comma) || at(TokenKind::RightBrace)) {
      fail(tokens_[index_ - 1].span, kMissingDictValue);
    }
    Expr* value = parse_expression();
    if (at_comprehension()) return parse_dict_comprehension(start, first, value);
    keys.push_back(first);
    collect(value);
  }
  while (accept(TokenKind::Comma)) {
    if (at(TokenKind::RightBrace)) break;
    parse_dict_item(keys);
  }
  close_bracket(TokenKind::RightBrace);
  Dict* dict = make_since<Dict>(start);
  dict->keys = arena_.copy(keys);
  dict->values = take<Expr>(from);
  return with_height(dict, {height(dict->keys), height(dict->values)});
}

Expr* Parser::parse_dict_comprehension(std::uint32_t start, Expr* key, Expr* value) {
  const Comprehensions generators = parse_comprehensions();
  close_bracket(TokenKind::RightBrace);
  DictComp* node = make_since<DictComp>(start);
  node->key = key;
  node->value = value;
  node->generators = generators;
  return with_height(node, {height(key), height(value), height(generators)});
}

Expr* Parser::parse_set(std::uint32_t start, Expr* first) {
  if (at_comprehension()) {
    return make_comprehension<SetComp>(start, first, TokenKind::RightBrace);
  }
  const std::size_t from = mark();
  collect(first);
  while (accept(TokenKind::Comma)) {
    if (at(TokenKind::RightBrace)) break;
    collect(parse_star_named_expression());
  }
  if (at_comprehension()) fail({first->span.begin, previous_end_}, kUnparenthesizedTuple);
  close_bracket(TokenKind::RightBrace);
  Set* set = make_since<Set>(start);
  set->elements = take<Expr>(from);
  return with_height(set, {height(set->elements)});
}

}  // namespace tirxcc::syntax
