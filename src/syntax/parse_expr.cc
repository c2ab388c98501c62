// SPDX-License-Identifier: Apache-2.0
//
// Expressions: operators by precedence, primaries, atoms. The grammar rule stands above each
// function, in the notation of Python's own grammar.
#include <array>

#include "syntax/parser_impl.h"

namespace tirxcc::syntax {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kExpectedElse{"expected-else", Severity::Error, ErrorClass::Syntax,
                                   "expected 'else' after the condition of this 'if' expression"};
constexpr Diagnostic kBadWalrusTarget{"walrus-target", Severity::Error, ErrorClass::Syntax,
                                      "':=' can only assign to a name"};
constexpr Diagnostic kExpectedIndex{"expected-index", Severity::Error, ErrorClass::Syntax,
                                    "expected an index between '[' and ']'"};
constexpr Diagnostic kNotEqualSpelling{"not-equal-spelling", Severity::Error, ErrorClass::Syntax,
                                       "'<>' is not an operator; write '!='"};
constexpr Diagnostic kIncrement{"no-increment", Severity::Error, ErrorClass::Syntax,
                                "'{}{}' is not an operator; write '{} 1'"};
constexpr Diagnostic kForeignOperator{"foreign-operator", Severity::Error, ErrorClass::Syntax,
                                      "'{}' is not an operator; write '{}'"};

struct OperatorRow {
  TokenKind token;
  Level level;
  BinaryOperator op = BinaryOperator::Add;
};

constexpr std::array kOperators{
    OperatorRow{TokenKind::KwOr, kOr},
    OperatorRow{TokenKind::KwAnd, kAnd},
    OperatorRow{TokenKind::KwIn, kComparison},
    OperatorRow{TokenKind::KwIs, kComparison},
    OperatorRow{TokenKind::Less, kComparison},
    OperatorRow{TokenKind::Greater, kComparison},
    OperatorRow{TokenKind::LessEqual, kComparison},
    OperatorRow{TokenKind::GreaterEqual, kComparison},
    OperatorRow{TokenKind::EqualEqual, kComparison},
    OperatorRow{TokenKind::NotEqual, kComparison},
    OperatorRow{TokenKind::Bar, kBitOr, BinaryOperator::BitOr},
    OperatorRow{TokenKind::Caret, kBitXor, BinaryOperator::BitXor},
    OperatorRow{TokenKind::Ampersand, kBitAnd, BinaryOperator::BitAnd},
    OperatorRow{TokenKind::LeftShift, kShift, BinaryOperator::LShift},
    OperatorRow{TokenKind::RightShift, kShift, BinaryOperator::RShift},
    OperatorRow{TokenKind::Plus, kSum, BinaryOperator::Add},
    OperatorRow{TokenKind::Minus, kSum, BinaryOperator::Sub},
    OperatorRow{TokenKind::Star, kTerm, BinaryOperator::Mult},
    OperatorRow{TokenKind::Slash, kTerm, BinaryOperator::Div},
    OperatorRow{TokenKind::SlashSlash, kTerm, BinaryOperator::FloorDiv},
    OperatorRow{TokenKind::Percent, kTerm, BinaryOperator::Mod},
    OperatorRow{TokenKind::At, kTerm, BinaryOperator::MatMult},
};

struct OperatorEntry {
  Level level = kNoOperator;
  BinaryOperator op = BinaryOperator::Add;
};

constexpr std::array<OperatorEntry, kTokenKindCount> make_operator_table() {
  std::array<OperatorEntry, kTokenKindCount> table{};
  for (const OperatorRow& row : kOperators) {
    table[static_cast<std::size_t>(row.token)] = {row.level, row.op};
  }
  return table;
}
constexpr std::array<OperatorEntry, kTokenKindCount> kOperatorTable = make_operator_table();

const OperatorEntry& operator_of(TokenKind kind) {
  return kOperatorTable[static_cast<std::size_t>(kind)];
}

// What may follow `a, b,` without being a further element.
bool ends_expressions(TokenKind kind) {
  switch (kind) {
    case TokenKind::Newline:
    case TokenKind::EndOfFile:
    case TokenKind::Error:
    case TokenKind::Semicolon:
    case TokenKind::RightParen:
    case TokenKind::RightBracket:
    case TokenKind::RightBrace:
    case TokenKind::Colon:
    case TokenKind::Exclamation:
    case TokenKind::KwIn:
    case TokenKind::KwFor: return true;
    default: return kind >= TokenKind::Equal;
  }
}

}  // namespace

// star_expressions: star_expression (',' star_expression)* [',']
Expr* Parser::parse_star_expressions() {
  const std::uint32_t start = begin();
  Expr* first = parse_star_expression();
  if (!at(TokenKind::Comma)) return first;
  const std::size_t from = mark();
  collect(first);
  while (accept(TokenKind::Comma)) {
    if (ends_expressions(kind_)) break;
    collect(parse_star_expression());
  }
  Tuple* tuple = make_since<Tuple>(start);
  tuple->elements = take<Expr>(from);
  return with_height(tuple, {height(tuple->elements)});
}

// star_expression: '*' bitwise_or | expression
Expr* Parser::parse_star_expression() {
  if (!at(TokenKind::Star)) return parse_expression();
  const std::uint32_t start = begin();
  advance();
  const Expr* value = parse_operators(kBitOr);
  Starred* starred = make_since<Starred>(start);
  starred->value = value;
  return with_height(starred, {height(value)});
}

// star_named_expression: '*' bitwise_or | named_expression
Expr* Parser::parse_star_named_expression() {
  return at(TokenKind::Star) ? parse_star_expression() : parse_named_expression();
}

// named_expression: NAME ':=' expression | expression
Expr* Parser::parse_named_expression() {
  const std::uint32_t start = begin();
  if (!at(TokenKind::Name) || next_kind() != TokenKind::ColonEqual) {
    Expr* expr = parse_expression();
    if (at(TokenKind::ColonEqual)) fail(expr->span, kBadWalrusTarget);
    return expr;
  }
  Expr* target = parse_name();
  set_context(target, ExprContext::Store, false);
  advance();
  const Expr* value = parse_expression();
  NamedExpr* named = make_since<NamedExpr>(start);
  named->target = target;
  named->value = value;
  return with_height(named, {height(value)});
}

// expression: disjunction ['if' disjunction 'else' expression] | lambda
Expr* Parser::parse_expression() {
  if (at(TokenKind::KwLambda)) return parse_lambda();
  const std::uint32_t start = begin();
  Expr* body = parse_operators(kOr);
  return at(TokenKind::KwIf) ? parse_if_expression(start, body) : body;
}

Expr* Parser::parse_if_expression(std::uint32_t start, Expr* body) {
  const Nesting nesting(*this);
  const Span if_span = here();
  advance();
  const Expr* test = parse_operators(kOr);
  if (!at(TokenKind::KwElse)) {
    fail(if_span, kExpectedElse);
    return error_expr_;
  }
  advance();
  const Expr* orelse = parse_expression();
  IfExp* choice = make_since<IfExp>(start);
  choice->test = test;
  choice->body = body;
  choice->orelse = orelse;
  return with_height(choice, {height(test), height(body), height(orelse)});
}

// lambda: 'lambda' [params] ':' expression
Expr* Parser::parse_lambda() {
  const Nesting nesting(*this);
  const std::uint32_t start = begin();
  advance();
  const Params params = parse_params(TokenKind::Colon, true);
  expect_colon();
  const Expr* body = parse_expression();
  Lambda* lambda = make_since<Lambda>(start);
  lambda->params = params;
  lambda->body = body;
  return with_height(lambda, {height(params), height(body)});
}

// yield: 'yield' 'from' expression | 'yield' [star_expressions]
Expr* Parser::parse_yield() {
  const Nesting nesting(*this);
  const std::uint32_t start = begin();
  advance();
  if (accept(TokenKind::KwFrom)) {
    const Expr* value = parse_expression();
    YieldFrom* yield_from = make_since<YieldFrom>(start);
    yield_from->value = value;
    return with_height(yield_from, {height(value)});
  }
  const Expr* value = ends_expressions(kind_) ? nullptr : parse_star_expressions();
  Yield* yield = make_since<Yield>(start);
  yield->value = value;
  return with_height(yield, {height(value)});
}

Expr* Parser::parse_yield_or_star_expressions() {
  return at(TokenKind::KwYield) ? parse_yield() : parse_star_expressions();
}

// Level of the operator at the cursor; `not` is one only as part of `not in`.
int Parser::level_here() const {
  if (at(TokenKind::KwNot)) return next_kind() == TokenKind::KwIn ? kComparison : kNoOperator;
  return operator_of(kind_).level;
}

// disjunction: conjunction ('or' conjunction)*
// conjunction: inversion ('and' inversion)*
// comparison:  bitwise_or (compare_op bitwise_or)*
// bitwise_or:  bitwise_or '|' bitwise_xor | bitwise_xor       and so on to
// term:        term ('*' | '/' | '//' | '%' | '@') factor | factor
//
// All of them in one loop: takes operators of at least `level`.
Expr* Parser::parse_operators(int level) {
  const std::uint32_t start = begin();
  Expr* left = parse_unary(level);
  while (true) {
    const int here_level = level_here();
    if (here_level == kNoOperator || here_level < level) return left;
    if (here_level <= kAnd) {
      left = parse_bool_op(start, left, here_level);
    } else if (here_level == kComparison) {
      left = parse_comparison(start, left);
    } else {
      const BinaryOperator op = operator_of(kind_).op;
      const Span op_span = here();
      advance();
      const Expr* right = parse_operators(here_level + 1);
      BinOp* node = make_since<BinOp>(start);
      node->op = op;
      node->op_span = op_span;
      node->left = left;
      node->right = right;
      left = with_height(node, {height(left), height(right)});
    }
  }
}

Expr* Parser::parse_bool_op(std::uint32_t start, const Expr* first, int level) {
  const std::size_t from = mark();
  const std::size_t first_span = spans_.size();
  const TokenKind keyword = kind_;
  collect(first);
  while (at(keyword)) {
    spans_.push_back(here());
    advance();
    collect(parse_operators(level + 1));
  }
  BoolOp* node = make_since<BoolOp>(start);
  node->op = level == kAnd ? BoolOperator::And : BoolOperator::Or;
  node->values = take<Expr>(from);
  node->op_spans = arena_.copy(std::span<const Span>(spans_).subspan(first_span));
  spans_.resize(first_span);
  return with_height(node, {height(node->values)});
}

// compare_op: '==' | '!=' | '<' | '<=' | '>' | '>=' | ['not'] 'in' | 'is' ['not']
CompareOperator Parser::parse_compare_operator() {
  const Span first = here();
  CompareOperator op = CompareOperator::Eq;
  switch (kind_) {
    case TokenKind::NotEqual: op = CompareOperator::NotEq; break;
    case TokenKind::Less: op = CompareOperator::Lt; break;
    case TokenKind::LessEqual: op = CompareOperator::LtE; break;
    case TokenKind::Greater: op = CompareOperator::Gt; break;
    case TokenKind::GreaterEqual: op = CompareOperator::GtE; break;
    case TokenKind::KwIn: op = CompareOperator::In; break;
    case TokenKind::KwNot:
      advance();
      op = CompareOperator::NotIn;
      break;
    case TokenKind::KwIs:
      op = next_kind() == TokenKind::KwNot ? CompareOperator::IsNot : CompareOperator::Is;
      if (op == CompareOperator::IsNot) advance();
      break;
    default: break;
  }
  advance();
  spans_.push_back({first.begin, previous_end_});
  if (op == CompareOperator::Lt && at(TokenKind::Greater) && begin() == first.end) {
    fail({first.begin, here().end}, kNotEqualSpelling);
  }
  return op;
}

Expr* Parser::parse_comparison(std::uint32_t start, const Expr* left) {
  const std::size_t from = mark();
  const std::size_t first_span = spans_.size();
  const std::size_t first_op = compare_operators_.size();
  while (level_here() == kComparison) {
    compare_operators_.push_back(parse_compare_operator());
    collect(parse_operators(kBitOr));
  }
  Compare* node = make_since<Compare>(start);
  node->left = left;
  node->comparators = take<Expr>(from);
  node->ops = arena_.copy(std::span<const CompareOperator>(compare_operators_).subspan(first_op));
  node->op_spans = arena_.copy(std::span<const Span>(spans_).subspan(first_span));
  compare_operators_.resize(first_op);
  spans_.resize(first_span);
  return with_height(node, {height(left), height(node->comparators)});
}

// inversion: 'not' inversion | comparison
// factor:    ('+' | '-' | '~') factor | power
Expr* Parser::parse_unary(int level) {
  UnaryOperator op = UnaryOperator::Not;
  int operand_level = kTerm + 1;
  switch (kind_) {
    case TokenKind::Minus: op = UnaryOperator::USub; break;
    case TokenKind::Plus: op = UnaryOperator::UAdd; break;
    case TokenKind::Tilde: op = UnaryOperator::Invert; break;
    case TokenKind::KwNot:
      // `a + not b` is not Python.
      if (level > kNot) {
        fail_unexpected();
        return error_expr_;
      }
      operand_level = kNot;
      break;
    default: return parse_power();
  }
  const Nesting nesting(*this);
  const Span op_span = here();
  advance();
  const Expr* operand = operand_level == kNot ? parse_operators(kNot) : parse_unary(operand_level);
  UnaryOp* node = make_since<UnaryOp>(op_span.begin);
  node->op = op;
  node->op_span = op_span;
  node->operand = operand;
  return with_height(node, {height(operand)});
}

// power: await_primary ['**' factor]
// await_primary: 'await' primary | primary
Expr* Parser::parse_power() {
  const std::uint32_t start = begin();
  Expr* base = nullptr;
  if (accept(TokenKind::KwAwait)) {
    const Expr* value = parse_primary();
    Await* await = make_since<Await>(start);
    await->value = value;
    base = with_height(await, {height(value)});
  } else {
    base = parse_primary();
  }
  if (!at(TokenKind::StarStar)) return base;
  const Nesting nesting(*this);
  const Span op_span = here();
  advance();
  const Expr* exponent = parse_unary(kTerm + 1);
  BinOp* node = make_since<BinOp>(start);
  node->op = BinaryOperator::Pow;
  node->op_span = op_span;
  node->left = base;
  node->right = exponent;
  return with_height(node, {height(base), height(exponent)});
}

// primary: atom ('.' NAME | '(' [arguments] ')' | '[' slices ']')*
Expr* Parser::parse_primary() {
  const std::uint32_t start = begin();
  Expr* value = parse_atom();
  while (true) {
    switch (kind_) {
      case TokenKind::Dot: value = parse_attribute(start, value); break;
      case TokenKind::LeftParen: value = parse_call(start, value); break;
      case TokenKind::LeftBracket: value = parse_subscript(start, value); break;
      default: return value;
    }
  }
}

Expr* Parser::parse_attribute(std::uint32_t start, const Expr* value) {
  advance();
  std::string_view name;
  const Span name_span = expect_name(name);
  Attribute* node = make_since<Attribute>(start);
  node->ctx = ExprContext::Load;
  node->value = value;
  node->attr = name;
  node->attr_span = name_span;
  return with_height(node, {height(value)});
}

// slices: slice !',' | ','.(slice | starred_expression)+ [',']
Expr* Parser::parse_subscript(std::uint32_t start, const Expr* value) {
  const Nesting nesting(*this);
  advance();
  if (at(TokenKind::RightBracket)) fail(here(), kExpectedIndex);
  const std::uint32_t index_start = begin();
  Expr* index = parse_slice();
  if (at(TokenKind::Comma) || is<Starred>(index)) {
    const std::size_t from = mark();
    collect(index);
    while (accept(TokenKind::Comma)) {
      if (at(TokenKind::RightBracket)) break;
      collect(parse_slice());
    }
    Tuple* tuple = make_since<Tuple>(index_start);
    tuple->elements = take<Expr>(from);
    index = with_height(tuple, {height(tuple->elements)});
  }
  close_bracket(TokenKind::RightBracket);
  Subscript* node = make_since<Subscript>(start);
  node->ctx = ExprContext::Load;
  node->value = value;
  node->index = index;
  return with_height(node, {height(value), height(index)});
}

// slice: [expression] ':' [expression] [':' [expression]] | named_expression | '*' bitwise_or
Expr* Parser::parse_slice() {
  const std::uint32_t start = begin();
  const Expr* lower = nullptr;
  if (!at(TokenKind::Colon)) {
    Expr* first = parse_star_named_expression();
    if (!at(TokenKind::Colon)) return first;
    lower = first;
  }
  advance();
  const auto at_end = [&] {
    return at(TokenKind::Colon) || at(TokenKind::Comma) || at(TokenKind::RightBracket);
  };
  const Expr* upper = at_end() ? nullptr : parse_expression();
  const Expr* step = nullptr;
  if (accept(TokenKind::Colon) && !at_end()) step = parse_expression();
  Slice* slice = make_since<Slice>(start);
  slice->lower = lower;
  slice->upper = upper;
  slice->step = step;
  return with_height(slice, {height(lower), height(upper), height(step)});
}

// atom: NAME | 'True' | 'False' | 'None' | '...' | NUMBER | strings
//     | tuple | group | genexp | list | listcomp | dict | set | dictcomp | setcomp
Expr* Parser::parse_atom() {
  switch (kind_) {
    case TokenKind::Name: return parse_name();
    case TokenKind::Number: return parse_number();
    case TokenKind::String:
    case TokenKind::FStringStart: return parse_strings();
    case TokenKind::LeftParen: return parse_parenthesized();
    case TokenKind::LeftBracket: return parse_list();
    case TokenKind::LeftBrace: return parse_dict_or_set();
    case TokenKind::KwTrue: return parse_simple_constant(ConstantKind::True);
    case TokenKind::KwFalse: return parse_simple_constant(ConstantKind::False);
    case TokenKind::KwNone: return parse_simple_constant(ConstantKind::None);
    case TokenKind::Ellipsis: return parse_simple_constant(ConstantKind::Ellipsis);
    default: fail_operand(); return error_expr_;
  }
}

// Where an operand should stand. Habits of other languages are named.
void Parser::fail_operand() {
  const TokenKind before = index_ > 0 ? tokens_[index_ - 1].kind : TokenKind::Newline;
  const bool is_glued = index_ > 0 && tokens_[index_ - 1].span.end == here().begin;
  const Span both{index_ > 0 ? tokens_[index_ - 1].span.begin : here().begin, here().end};
  if (is_glued && at(TokenKind::Ampersand) && before == TokenKind::Ampersand) {
    fail(both, kForeignOperator, "&&", "and");
  } else if (is_glued && at(TokenKind::Bar) && before == TokenKind::Bar) {
    fail(both, kForeignOperator, "||", "or");
  } else if (at(TokenKind::Exclamation)) {
    fail(here(), kForeignOperator, "!", "not");
  } else if (index_ >= 2 && tokens_[index_].kind <= TokenKind::Newline &&
             (before == TokenKind::Plus || before == TokenKind::Minus) &&
             tokens_[index_ - 2].kind == before) {
    const std::string_view sign = token_kind_text(before);
    const std::string_view assign = before == TokenKind::Plus ? "+=" : "-=";
    fail({tokens_[index_ - 2].span.begin, previous_end_}, kIncrement, sign, sign, assign);
  } else {
    fail_unexpected();
  }
}

Expr* Parser::parse_name() {
  Name* node = make<Name>(here());
  node->ctx = ExprContext::Load;
  node->id = intern(here());
  node->height = 1;
  advance();
  return node;
}

Expr* Parser::parse_number() {
  Constant* node = make<Constant>(here());
  node->text = token_text();
  const NumberValue value = decode_number(node->text);
  node->text = arena_.copy_string(node->text);
  node->constant_kind = value.kind;
  node->is_hex = value.is_hex;
  node->is_too_wide = value.is_too_wide;
  node->int_value = value.int_value;
  node->float_value = value.float_value;
  node->height = 1;
  advance();
  return node;
}

Expr* Parser::parse_simple_constant(ConstantKind kind) {
  Constant* node = make<Constant>(here());
  node->constant_kind = kind;
  node->height = 1;
  advance();
  return node;
}

}  // namespace tirxcc::syntax
