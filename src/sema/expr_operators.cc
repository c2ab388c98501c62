// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic: `a + b`, `-a`, `a // b`, `a << 3`, `x ** 2` (language.md 3.3, rules 2, 3, 18-23).
// Two Python values stay Python's (python_arithmetic.cc). Otherwise the operands are brought to one
// type and the operation is folded only where both are literals or one is neutral.
#include <array>

#include "ir/constant.h"
#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;
using syntax::BinaryOperator;
using syntax::UnaryOperator;

constexpr Diagnostic kIntDivision{"int-division", Severity::Error, ErrorClass::Type,
                                  "'/' on {} and {}; use // or T.truncdiv"};
constexpr Diagnostic kOperandType{"operand-type", Severity::Error, ErrorClass::Type,
                                  "'{}' takes {}, not {} and {}"};
constexpr Diagnostic kUnaryOperandType{"unary-operand-type", Severity::Error, ErrorClass::Type,
                                       "'{}' does not take {}"};
constexpr Diagnostic kZeroDivisor{"zero-divisor", Severity::Error, ErrorClass::Value,
                                  "division by zero"};
constexpr Diagnostic kShiftAmount{"shift-amount", Severity::Error, ErrorClass::Value,
                                  "shift amount {} is outside 0..{} of {}"};
constexpr Diagnostic kConstantOverflow{"constant-overflow", Severity::Warning, ErrorClass::Value,
                                       "{} does not fit {} and wraps to {}"};
constexpr Diagnostic kIntPower{"int-power", Severity::Error, ErrorClass::Type,
                               "'**' on integers takes a literal exponent from 0 to 8{}"};
constexpr Diagnostic kPowerOfCall{"power-of-call", Severity::Error, ErrorClass::Value,
                                  "the base of '**' has an effect and would be evaluated {} times; "
                                  "give it a name first"};
constexpr Diagnostic kMatrixProduct{"matrix-product", Severity::Error, ErrorClass::Syntax,
                                    "'@' is not part of the language"};

bool is_container(const Value& value) {
  switch (value.kind) {
    case ValueKind::String:
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict:
    case ValueKind::Range:
    case ValueKind::None:
    case ValueKind::Type: return true;
    case ValueKind::Error:
    case ValueKind::Ellipsis:
    case ValueKind::Bool:
    case ValueKind::Int:
    case ValueKind::Float:
    case ValueKind::Expr:
    case ValueKind::Tensor:
    case ValueKind::Region:
    case ValueKind::Symbol:
    case ValueKind::Builtin:
    case ValueKind::Function:
    case ValueKind::Method:
    case ValueKind::Object:
    case ValueKind::Host: return false;
  }
  __builtin_unreachable();
}

bool is_literal(const Value& value) {
  return value.kind == ValueKind::Bool || value.kind == ValueKind::Int ||
         value.kind == ValueKind::Float;
}

ir::BinaryOp ir_op(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::Add: return ir::BinaryOp::Add;
    case BinaryOperator::Sub: return ir::BinaryOp::Sub;
    case BinaryOperator::Mult: return ir::BinaryOp::Mul;
    case BinaryOperator::Div: return ir::BinaryOp::Div;
    case BinaryOperator::Mod: return ir::BinaryOp::FloorMod;
    case BinaryOperator::LShift: return ir::BinaryOp::ShiftLeft;
    case BinaryOperator::RShift: return ir::BinaryOp::ShiftRight;
    case BinaryOperator::BitOr: return ir::BinaryOp::BitOr;
    case BinaryOperator::BitXor: return ir::BinaryOp::BitXor;
    case BinaryOperator::BitAnd: return ir::BinaryOp::BitAnd;
    case BinaryOperator::FloorDiv: return ir::BinaryOp::FloorDiv;
    case BinaryOperator::MatMult:
    case BinaryOperator::Pow: break;
  }
  internal_error(__FILE__, __LINE__, "an operator that is translated elsewhere");
}

Value refuse(Context& context, BinaryOperator op, const Value& a, const Value& b,
             const char* wanted, const BinarySpans& spans) {
  auto report = context.diags.report(spans.op, kOperandType, syntax::spelling(op), wanted,
                                     describe(a), describe(b));
  const bool is_and = op == BinaryOperator::BitAnd;
  if (is_and || op == BinaryOperator::BitOr) {
    report.note("'{}' binds tighter than a comparison; between conditions write '{}'",
                syntax::spelling(op), is_and ? "and" : "or");
  } else if (op == BinaryOperator::BitXor) {
    report.note("a power is written '**'");
  }
  return Value::error();
}

// bool + bool is bool (language.md 3.2): sums, products and differences are or, and, xor.
constexpr Diagnostic kBoolSum{"sum-of-bools", Severity::Warning, ErrorClass::Type,
                              "'+' of two bools is their 'or', a bool again"};

ir::BinaryOp bool_op(ir::BinaryOp op) {
  if (op == ir::BinaryOp::Add) return ir::BinaryOp::BitOr;
  if (op == ir::BinaryOp::Sub) return ir::BinaryOp::BitXor;
  return op == ir::BinaryOp::Mul ? ir::BinaryOp::BitAnd : op;
}

bool is_zero_literal(const ir::Expr* literal) {
  return literal != nullptr && literal->dtype.is_int_or_bool() && ir::is_int_value(literal, 0);
}

void warn_if_overflows(Context& context, ir::BinaryOp op, const ir::Expr* a, const ir::Expr* b,
                       Span span) {
  const ir::IntImm* ia = ir::as_int(a);
  const ir::IntImm* ib = ir::as_int(b);
  if (ia == nullptr || ib == nullptr || !a->dtype.is_signed_int() || op > ir::BinaryOp::Mul) return;
  const int128 va = ir::int_value(*ia);
  const int128 vb = ir::int_value(*ib);
  const int128 exact = op == ir::BinaryOp::Add   ? va + vb
                       : op == ir::BinaryOp::Sub ? va - vb
                                                 : va * vb;
  if (a->dtype.can_hold(exact)) return;
  const auto text = [](int128 value) { return python_text(Value::of_int(value), true).value(); };
  context.diags.report(span, kConstantOverflow, text(exact), to_string(a->dtype),
                       text(wrap_int(a->dtype, exact)));
}

Value shift(Context& context, BinaryOperator op, const Value& a, const Value& b,
            const BinarySpans& spans) {
  const ir::Expr* ea = to_expr(context, a, spans.a);
  const ir::Expr* eb = to_expr(context, b, spans.b);
  if (ea == nullptr || eb == nullptr) return Value::error();
  if (!ea->dtype.is_int() || !eb->dtype.is_int()) {
    return refuse(context, op, a, b, "integers", spans);
  }
  const std::optional<int128> amount = known_int(b);
  if (amount && (*amount < 0 || *amount >= ea->dtype.bits)) {
    context.diags.report(spans.b, kShiftAmount, python_text(Value::of_int(*amount), true).value(),
                         ea->dtype.bits - 1, to_string(ea->dtype));
    return Value::error();
  }
  return typed_binary(context, ir_op(op), a, b, {ea, eb}, spans);
}

// x ** 3 is x * x * x.
Value repeated_product(Context& context, const ir::Expr* base, int exponent, const Value& a,
                       const BinarySpans& spans) {
  if (exponent > 1 && !ir::has_no_effect(base)) {
    context.diags.report(spans.a, kPowerOfCall, exponent);
    return Value::error();
  }
  if (exponent > 1 && !is_written_shortly(context, base, spans.a)) return Value::error();
  if (exponent == 0) {
    const Value one = Value::of_int(1);
    return Value::of_expr(literal_expr(context, one, base->dtype, spans.whole));
  }
  Value product = a;
  for (int i = 1; i < exponent; ++i) {
    const ir::Expr* left = i == 1 ? base : product.expr;
    product = typed_binary(context, ir::BinaryOp::Mul, product, a, {left, base}, spans);
  }
  return exponent == 1 ? Value::of_expr(base, a.constant) : product;
}

Value power(Context& context, const Value& a, const Value& b, const BinarySpans& spans) {
  const ir::Expr* base = is_literal(a) ? nullptr : to_expr(context, a, spans.a);
  if (!is_literal(a) && base == nullptr) return Value::error();
  const bool is_small = b.kind == ValueKind::Int && b.int_value >= 0 && b.int_value <= 8;
  if (base != nullptr && base->dtype.is_numeric() && is_small) {
    if (base->dtype.is_bool()) base = context.build.fold_cast(kInt32, base, spans.a);
    return repeated_product(context, base, static_cast<int>(b.int_value), a, spans);
  }
  const auto is_float = [](const Value& value) {
    return value.kind == ValueKind::Float || (value.is_expr() && value.expr->dtype.is_float());
  };
  if (!is_float(a) && !is_float(b)) {
    const ir::Expr* checked = to_expr(context, b, spans.b);
    if (checked == nullptr) return Value::error();
    context.diags.report(spans.b, kIntPower, "; use T.pow for floats");
    return Value::error();
  }
  const std::array arguments = {EvaluatedArgument{a, spans.a}, EvaluatedArgument{b, spans.b}};
  return apply_intrinsic(context, "pow", arguments, spans.op, spans.whole);
}

// The literal value of an operation on named constants (rule 28): `n * 2` with `n = 4` prints as
// written and is still known to be 8.
const Value* constant_result(Context& context, ir::BinaryOp op, const ir::Expr* a,
                             const ir::Expr* b) {
  const ir::Expr* folded = context.build.fold_binary(op, a, b, {});
  const std::optional<Value> number = known_number(Value::of_expr(folded));
  return number ? context.arena.make<Value>(*number) : nullptr;
}

}  // namespace

Value report_zero_divisor(Context& context, Span span) {
  context.diags.report(span, kZeroDivisor);
  return Value::error();
}

Value typed_binary(Context& context, ir::BinaryOp op, const Value& a, const Value& b,
                   Operands operands, const BinarySpans& spans) {
  const ir::Expr* result = context.build.fold_binary(op, operands.a, operands.b, spans.whole);
  const bool has_named_constant = (a.is_expr() && a.constant) || (b.is_expr() && b.constant);
  if (!has_named_constant) {
    if (ir::is<ir::IntImm>(result)) {
      warn_if_overflows(context, op, operands.a, operands.b, spans.whole);
    }
    return Value::of_expr(result);
  }
  const auto literal = [&](const Value& value, const ir::Expr* operand) -> const ir::Expr* {
    if (ir::is<ir::IntImm>(operand) || ir::is<ir::FloatImm>(operand)) return operand;
    if (!value.is_expr() || value.constant == nullptr) return nullptr;
    const ir::Expr* own = literal_of(context, value);
    return context.build.fold_cast(operand->dtype, own, {});
  };
  const ir::Expr* la = literal(a, operands.a);
  const ir::Expr* lb = literal(b, operands.b);
  if (la == nullptr || lb == nullptr) return Value::of_expr(result);
  warn_if_overflows(context, op, la, lb, spans.whole);
  return Value::of_expr(result, constant_result(context, op, la, lb));
}

Value binary(Context& context, BinaryOperator op, const Value& a, const Value& b,
             const BinarySpans& spans) {
  if (a.is_error() || b.is_error()) return Value::error();
  if (op == BinaryOperator::MatMult) {
    context.diags.report(spans.op, kMatrixProduct);
    return Value::error();
  }
  const bool is_python = (is_literal(a) && is_literal(b)) || is_container(a) || is_container(b);
  if (is_python) return python_binary(context, op, a, b, spans);
  if (op == BinaryOperator::LShift || op == BinaryOperator::RShift) {
    return shift(context, op, a, b, spans);
  }
  if (op == BinaryOperator::Pow) return power(context, a, b, spans);
  const Operands operands =
      unify(context, a, spans.a, b, spans.b, NarrowOperand::Widens, syntax::spelling(op), spans.op);
  if (operands.a == nullptr || operands.b == nullptr) return Value::error();
  const DType type = operands.a->dtype;
  const bool is_bitwise =
      op == BinaryOperator::BitAnd || op == BinaryOperator::BitOr || op == BinaryOperator::BitXor;
  const bool is_floor = op == BinaryOperator::FloorDiv || op == BinaryOperator::Mod;
  if (is_bitwise && type.is_float()) {
    return refuse(context, op, a, b, "integers and bools", spans);
  }
  if (op == BinaryOperator::Div && !type.is_float()) {
    context.diags.report(spans.op, kIntDivision, describe(a), describe(b))
        .note(
            "for a fraction, make one side a float: 'T.float32(a) / b'; for a count of blocks, "
            "round up: 'T.ceildiv(a, b)'");
    return Value::error();
  }
  if (is_floor && type.is_bool()) return refuse(context, op, a, b, "numbers", spans);
  const ir::Expr* divisor = b.is_expr() ? literal_of(context, b) : operands.b;
  if (is_floor && is_zero_literal(divisor)) {
    return report_zero_divisor(context, spans.b);
  }
  if (type.is_bool() && op == BinaryOperator::Add) {
    const auto text = [&](Span span) { return context.diags.sources().text_of(span); };
    auto report = context.diags.report(spans.op, kBoolSum);
    // Of `x += b` the first operand is the target.
    if (spans.a.end <= spans.op.begin && spans.b.begin >= spans.op.end) {
      report.note("to count, write 'T.int32({}) + T.int32({})'", text(spans.a), text(spans.b));
    } else {
      report.note("to count, begin with a number, 'x = 0', and add 'T.int32(...)'");
    }
  }
  const ir::BinaryOp translated = type.is_bool() ? bool_op(ir_op(op)) : ir_op(op);
  return typed_binary(context, translated, a, b, operands, spans);
}

Value trunc_division(Context& context, ir::BinaryOp op, const Value& a, const Value& b,
                     const BinarySpans& spans) {
  if (a.is_error() || b.is_error()) return Value::error();
  const std::string_view name = op == ir::BinaryOp::TruncDiv ? "T.truncdiv" : "T.truncmod";
  // Two Python ints are typed here: Python has no such operator.
  const Value left =
      is_literal(a) && is_literal(b) ? Value::of_expr(to_expr(context, a, spans.a)) : a;
  if (left.is_expr() && left.expr == nullptr) return Value::error();
  const Operands operands =
      unify(context, left, spans.a, b, spans.b, NarrowOperand::Widens, name, spans.op);
  if (operands.a == nullptr || operands.b == nullptr) return Value::error();
  if (!operands.a->dtype.is_int()) {
    context.diags.report(spans.op, kOperandType, name, "integers", describe(a), describe(b));
    return Value::error();
  }
  const ir::Expr* divisor = b.is_expr() ? literal_of(context, b) : operands.b;
  if (is_zero_literal(divisor)) {
    return report_zero_divisor(context, spans.b);
  }
  return typed_binary(context, op, left, b, operands, spans);
}

Value eval_bin_op(Context& context, const syntax::BinOp& op) {
  // `a + b + c + ...` leans to the left; walking down its spine here keeps the stack flat.
  constexpr std::size_t kSpine = 16;
  std::array<const syntax::BinOp*, kSpine> spine;
  std::size_t depth = 0;
  const syntax::Expr* left = &op;
  while (depth < kSpine && left->kind == syntax::NodeKind::BinOp) {
    spine[depth] = static_cast<const syntax::BinOp*>(left);
    left = spine[depth]->left;
    ++depth;
  }
  Value value = eval_expr(context, *left);
  while (depth > 0) {
    const syntax::BinOp& node = *spine[--depth];
    const StatementMark mark = context.names->mark();
    const Value right = eval_expr(context, *node.right);
    value = context.names->settle(mark, value, node.left->span);
    value = binary(context, node.op, value, right,
                   {node.left->span, node.right->span, node.op_span, node.span});
  }
  return value;
}

Value unary(Context& context, UnaryOperator op, const Value& a, Span a_span, Span op_span,
            Span span) {
  if (a.is_error()) return a;
  if (op == UnaryOperator::Not) {
    if (const std::optional<bool> truth = known_truth(a); truth && !a.is_expr()) {
      return Value::of_bool(!*truth);
    }
    const ir::Expr* test = condition(context, a, a_span);
    if (test == nullptr) return Value::error();
    const auto* number_test = ir::as<ir::Binary>(test);
    // `not x` of a number is `x == 0`.
    const bool is_number = a.is_expr() && !a.expr->dtype.is_bool() && number_test != nullptr;
    const ir::Expr* result = is_number ? context.build.fold_binary(ir::BinaryOp::Eq, number_test->a,
                                                                   number_test->b, span)
                                       : context.build.fold_unary(ir::UnaryOp::Not, test, span);
    const std::optional<bool> truth = known_truth(a);
    return Value::of_expr(result,
                          truth ? context.arena.make<Value>(Value::of_bool(!*truth)) : nullptr);
  }
  if (is_literal(a)) return python_unary(context, op, a, span);
  const ir::Expr* operand = to_expr(context, a, a_span);
  if (operand == nullptr) return Value::error();
  const DType type = operand->dtype;
  if (!type.is_numeric() || (op == UnaryOperator::Invert && type.is_float())) {
    context.diags.report(op_span, kUnaryOperandType, syntax::spelling(op), to_string(type));
    return Value::error();
  }
  if (op == UnaryOperator::UAdd)
    return type.is_bool() ? binary(context, BinaryOperator::Add, a, Value::of_int(0),
                                   {a_span, op_span, op_span, span})
                          : a;
  // `~bool` is logical; `-bool` is int32 (rule 22).
  const bool is_negation = op == UnaryOperator::USub;
  if (type.is_bool() && is_negation) operand = context.build.fold_cast(kInt32, operand, a_span);
  const ir::UnaryOp translated = is_negation      ? ir::UnaryOp::Neg
                                 : type.is_bool() ? ir::UnaryOp::Not
                                                  : ir::UnaryOp::BitNot;
  const ir::Expr* result = context.build.fold_unary(translated, operand, span);
  if (a.constant == nullptr) return Value::of_expr(result);
  const ir::Expr* literal = context.build.fold_cast(operand->dtype, literal_of(context, a), {});
  const std::optional<Value> number =
      known_number(Value::of_expr(context.build.fold_unary(translated, literal, {})));
  return Value::of_expr(result, number ? context.arena.make<Value>(*number) : nullptr);
}

Value eval_unary_op(Context& context, const syntax::UnaryOp& op) {
  const Value operand = eval_expr(context, *op.operand);
  return unary(context, op.op, operand, op.operand->span, op.op_span, op.span);
}

}  // namespace tirxcc::sema
