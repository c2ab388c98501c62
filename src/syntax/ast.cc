// SPDX-License-Identifier: Apache-2.0
//
// Names of node kinds and spellings of operators.
#include "syntax/ast.h"

namespace tirxcc::syntax {

std::string_view node_kind_name(NodeKind kind) {
  switch (kind) {
#define TIRXCC_SYNTAX_NAME(name) \
  case NodeKind::name: return #name;
    TIRXCC_SYNTAX_EXPRS(TIRXCC_SYNTAX_NAME)
    TIRXCC_SYNTAX_STMTS(TIRXCC_SYNTAX_NAME)
    TIRXCC_SYNTAX_PATTERNS(TIRXCC_SYNTAX_NAME)
#undef TIRXCC_SYNTAX_NAME
  }
  __builtin_unreachable();
}

std::string_view spelling(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::Add: return "+";
    case BinaryOperator::Sub: return "-";
    case BinaryOperator::Mult: return "*";
    case BinaryOperator::MatMult: return "@";
    case BinaryOperator::Div: return "/";
    case BinaryOperator::Mod: return "%";
    case BinaryOperator::Pow: return "**";
    case BinaryOperator::LShift: return "<<";
    case BinaryOperator::RShift: return ">>";
    case BinaryOperator::BitOr: return "|";
    case BinaryOperator::BitXor: return "^";
    case BinaryOperator::BitAnd: return "&";
    case BinaryOperator::FloorDiv: return "//";
  }
  __builtin_unreachable();
}

std::string_view spelling(UnaryOperator op) {
  switch (op) {
    case UnaryOperator::Invert: return "~";
    case UnaryOperator::Not: return "not";
    case UnaryOperator::UAdd: return "+";
    case UnaryOperator::USub: return "-";
  }
  __builtin_unreachable();
}

std::string_view spelling(BoolOperator op) {
  return op == BoolOperator::And ? "and" : "or";
}

std::string_view spelling(CompareOperator op) {
  switch (op) {
    case CompareOperator::Eq: return "==";
    case CompareOperator::NotEq: return "!=";
    case CompareOperator::Lt: return "<";
    case CompareOperator::LtE: return "<=";
    case CompareOperator::Gt: return ">";
    case CompareOperator::GtE: return ">=";
    case CompareOperator::Is: return "is";
    case CompareOperator::IsNot: return "is not";
    case CompareOperator::In: return "in";
    case CompareOperator::NotIn: return "not in";
  }
  __builtin_unreachable();
}

}  // namespace tirxcc::syntax
