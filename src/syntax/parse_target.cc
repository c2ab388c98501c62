// SPDX-License-Identifier: Apache-2.0
//
// Targets: the left sides of assignments, `for`, `with ... as`, `del`. They are parsed as
// expressions, then turned into places by set_context(), which refuses what is no place.
#include "syntax/parser_impl.h"

namespace tirxcc::syntax {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kCannotAssign{"cannot-assign", Severity::Error, ErrorClass::Syntax,
                                   "cannot assign to {}"};
constexpr Diagnostic kCannotAssignHere{"cannot-assign-here", Severity::Error, ErrorClass::Syntax,
                                       "cannot assign to {} here; maybe you meant '==' instead of "
                                       "'='"};
constexpr Diagnostic kCannotDelete{"cannot-delete", Severity::Error, ErrorClass::Syntax,
                                   "cannot delete {}"};

std::string_view constant_description(ConstantKind kind) {
  switch (kind) {
    case ConstantKind::None: return "None";
    case ConstantKind::True: return "True";
    case ConstantKind::False: return "False";
    case ConstantKind::Ellipsis: return "ellipsis";
    case ConstantKind::Int:
    case ConstantKind::Float:
    case ConstantKind::Imaginary:
    case ConstantKind::String:
    case ConstantKind::Bytes: return "literal";
  }
  __builtin_unreachable();
}

}  // namespace

std::string_view Parser::expr_description(const Expr& expr) {
  const auto text = [](const char* words) { return std::string_view(words); };
  return visit(expr, Overloaded{
                         [&](const BoolOp&) { return text("expression"); },
                         [&](const NamedExpr&) { return text("named expression"); },
                         [&](const BinOp&) { return text("expression"); },
                         [&](const UnaryOp&) { return text("expression"); },
                         [&](const Lambda&) { return text("lambda"); },
                         [&](const IfExp&) { return text("conditional expression"); },
                         [&](const Dict&) { return text("dict literal"); },
                         [&](const Set&) { return text("set display"); },
                         [&](const ListComp&) { return text("list comprehension"); },
                         [&](const SetComp&) { return text("set comprehension"); },
                         [&](const DictComp&) { return text("dict comprehension"); },
                         [&](const GeneratorExp&) { return text("generator expression"); },
                         [&](const Await&) { return text("await expression"); },
                         [&](const Yield&) { return text("yield expression"); },
                         [&](const YieldFrom&) { return text("yield expression"); },
                         [&](const Compare&) { return text("comparison"); },
                         [&](const Call&) { return text("function call"); },
                         [&](const FormattedValue&) { return text("f-string expression"); },
                         [&](const JoinedStr&) { return text("f-string expression"); },
                         [&](const Constant& constant) {
                           return constant_description(constant.constant_kind);
                         },
                         [&](const Attribute&) { return text("attribute"); },
                         [&](const Subscript&) { return text("subscript"); },
                         [&](const Starred&) { return text("starred"); },
                         [&](const Name&) { return text("name"); },
                         [&](const List&) { return text("list"); },
                         [&](const Tuple&) { return text("tuple"); },
                         [&](const Slice&) { return text("slice"); },
                     });
}

// `is_assignment`: the target stands before a '=' that may be a mistyped '=='.
void Parser::set_context(const Expr* target, ExprContext ctx, bool is_assignment) {
  // The node was made by this parser and is not published yet.
  Expr* expr = const_cast<Expr*>(target);
  const auto set_all = [&](Exprs elements) {
    for (const Expr* element : elements)
      set_context(element, ctx, is_assignment);
  };
  if (expr->kind == NodeKind::Name) {
    static_cast<Name*>(expr)->ctx = ctx;
  } else if (expr->kind == NodeKind::Attribute) {
    static_cast<Attribute*>(expr)->ctx = ctx;
  } else if (expr->kind == NodeKind::Subscript) {
    static_cast<Subscript*>(expr)->ctx = ctx;
  } else if (expr->kind == NodeKind::Tuple) {
    static_cast<Tuple*>(expr)->ctx = ctx;
    set_all(static_cast<Tuple*>(expr)->elements);
  } else if (expr->kind == NodeKind::List) {
    static_cast<List*>(expr)->ctx = ctx;
    set_all(static_cast<List*>(expr)->elements);
  } else if (expr->kind == NodeKind::Starred && ctx == ExprContext::Store) {
    static_cast<Starred*>(expr)->ctx = ctx;
    set_context(static_cast<Starred*>(expr)->value, ctx, is_assignment);
  } else {
    const Diagnostic& kind = ctx == ExprContext::Del ? kCannotDelete
                             : is_assignment         ? kCannotAssignHere
                                                     : kCannotAssign;
    fail(expr->span, kind, expr_description(*expr));
  }
}

// star_target: ['*'] bitwise_or
//
// Comparisons are left out: the `in` of a `for` is not an operator.
Expr* Parser::parse_target() {
  return at(TokenKind::Star) ? parse_star_expression() : parse_operators(kBitOr);
}

// star_targets: star_target (',' star_target)* [',']
Expr* Parser::parse_targets(ExprContext ctx) {
  const std::uint32_t start = begin();
  Expr* target = parse_target();
  if (at(TokenKind::Comma)) {
    const std::size_t from = mark();
    collect(target);
    while (accept(TokenKind::Comma)) {
      if (at(TokenKind::KwIn) || at(TokenKind::Newline) || at(TokenKind::Equal)) break;
      collect(parse_target());
    }
    Tuple* tuple = make_since<Tuple>(start);
    tuple->elements = take<Expr>(from);
    target = with_height(tuple, {height(tuple->elements)});
  }
  if (!panicking_) set_context(target, ctx, false);
  return target;
}

}  // namespace tirxcc::syntax
