// SPDX-License-Identifier: Apache-2.0
//
// Calls of device functions, typed from the rows of the intrinsic table alone (style.md section 3),
// and the few whose meaning depends on the operands: max, min, abs.
#include "intrinsics/intrinsics.h"

#include <array>

#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using intrinsics::Intrinsic;
using intrinsics::Result;
using intrinsics::Shape;
using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kIntrinsicOperand{"intrinsic-operand", Severity::Error, ErrorClass::Type,
                                       "{} takes {}, not {}"};
constexpr Diagnostic kDeviceOnly{"device-only", Severity::Error, ErrorClass::Syntax,
                                 "{} stands only in device code, after T.device_entry"};
constexpr Diagnostic kNoHalfForm{"no-half-form", Severity::Error, ErrorClass::Type,
                                 "{} takes float32 or float64, not {}"};

using Exprs = std::array<const ir::Expr*, 4>;

bool takes_part_in_promotion(Shape shape) {
  return shape == Shape::AnyNumber || shape == Shape::AnyFloat;
}

bool is_literal(const Value& value) {
  return value.kind == ValueKind::Bool || value.kind == ValueKind::Int ||
         value.kind == ValueKind::Float;
}

// The one type of all operands that promote together; literals adopt the type of the others.
std::optional<DType> common_type(Context& context, const Intrinsic& row,
                                 std::span<const EvaluatedArgument> arguments) {
  std::optional<DType> type;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!takes_part_in_promotion(row.params[i]) || is_literal(arguments[i].value)) continue;
    const ir::Expr* expr = to_expr(context, arguments[i].value, arguments[i].span);
    if (expr == nullptr) return std::nullopt;
    if (!expr->dtype.is_numeric() || !expr->dtype.is_scalar()) {
      context.diags.report(arguments[i].span, kIntrinsicOperand, display_name(row.name), "a number",
                           describe(arguments[i].value));
      return std::nullopt;
    }
    type = type ? promote(*type, expr->dtype) : expr->dtype;
  }
  const bool floats_only = row.params[0] == Shape::AnyFloat;
  if (type && floats_only && !type->is_float()) type = kFloat32;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!takes_part_in_promotion(row.params[i]) || !is_literal(arguments[i].value)) continue;
    const Value& literal = arguments[i].value;
    if (!type) {
      type = literal.kind == ValueKind::Int    ? natural_type(literal.int_value)
             : literal.kind == ValueKind::Bool ? kBool
                                               : kFloat32;
    } else {
      type = type_with_literal(*type, literal, NarrowOperand::Keeps);
    }
    if (floats_only && !type->is_float()) type = kFloat32;
  }
  return type;
}

// An integer operand, widened to 32 bits at least; narrow ones by way of their unsigned type, so
// that counting bits sees no sign.
const ir::Expr* int_operand(Context& context, const Intrinsic& row,
                            const EvaluatedArgument& argument) {
  const ir::Expr* expr = to_expr(context, argument.value, argument.span);
  if (expr == nullptr) return nullptr;
  if (!expr->dtype.is_int_or_bool() || !expr->dtype.is_scalar()) {
    context.diags.report(argument.span, kIntrinsicOperand, display_name(row.name), "an integer",
                         describe(argument.value));
    return nullptr;
  }
  if (expr->dtype.bits >= 32) return expr;
  const DType same_width{expr->dtype.is_bool() ? TypeCode::Bool : TypeCode::UInt, expr->dtype.bits,
                         1};
  return context.build.fold_cast(kUInt32, context.build.fold_cast(same_width, expr, argument.span),
                                 argument.span);
}

const ir::Expr* text_operand(Context& context, const Intrinsic& row,
                             const EvaluatedArgument& argument) {
  if (argument.value.kind != ValueKind::String) {
    context.diags.report(argument.span, kIntrinsicOperand, display_name(row.name), "a string",
                         describe(argument.value));
    return nullptr;
  }
  const ir::Expr head{ir::ExprKind::StringImm, kHandle, argument.span};
  return context.arena.make<ir::StringImm>(head, argument.value.text);
}

const ir::Expr* pointer_operand(Context& context, const Intrinsic& row,
                                const EvaluatedArgument& argument) {
  const ir::Expr* expr = to_expr(context, argument.value, argument.span);
  if (expr == nullptr || expr->dtype == kHandle) return expr;
  context.diags.report(argument.span, kIntrinsicOperand, display_name(row.name),
                       "a pointer, such as A.ptr_to([0])", describe(argument.value));
  return nullptr;
}

const ir::Expr* operand(Context& context, const Intrinsic& row, Shape shape, DType common,
                        const EvaluatedArgument& argument) {
  const auto as = [&](DType type) {
    return convert(context, argument.value, type, argument.span, Conversion::Argument);
  };
  switch (shape) {
    case Shape::None: return nullptr;
    case Shape::AnyNumber:
    case Shape::AnyFloat:
    case Shape::SameAsFirst: return as(common);
    case Shape::AnyInt: return int_operand(context, row, argument);
    case Shape::Bool: return condition(context, argument.value, argument.span);
    case Shape::Int32: return as(kInt32);
    case Shape::UInt32: return as(kUInt32);
    case Shape::Float32: return as(kFloat32);
    case Shape::Pointer: return pointer_operand(context, row, argument);
    case Shape::Text: return text_operand(context, row, argument);
  }
  __builtin_unreachable();
}

DType result_type(const Intrinsic& row, DType first) {
  switch (row.result) {
    case Result::Void: return kVoid;
    case Result::SameAsFirst: return first;
    case Result::Bool: return kBool;
    case Result::Int32: return kInt32;
    case Result::UInt32: return kUInt32;
    case Result::Int64: return kInt64;
    case Result::Float32: return kFloat32;
  }
  __builtin_unreachable();
}

bool must_run_on_device(const Intrinsic& row) {
  return row.convergence != intrinsics::Convergence::Thread || row.name.starts_with("cuda.");
}

// Leading zeros of a narrow value: those of the 32-bit form without its own.
Value narrow_clz(Context& context, const Value& value, Span span, int width) {
  if (value.is_error() || width >= 32) return value;
  return binary(context, syntax::BinaryOperator::Sub, value, Value::of_int(32 - width),
                {span, span, span, span});
}

int operand_width(const Value& value) {
  if (!value.is_expr()) return 32;
  return value.expr->dtype.is_bool() ? 1 : value.expr->dtype.bits;
}

Value apply_row(Context& context, const Intrinsic& row,
                std::span<const EvaluatedArgument> arguments, Span callee_span, Span span) {
  DType common = kError;
  if (takes_part_in_promotion(row.params[0])) {
    const std::optional<DType> type = common_type(context, row, arguments);
    if (!type || type->is_error()) return Value::error();
    common = *type;
  }
  if (row.name == "nextafter" && common.is_half_like()) {
    context.diags.report(callee_span, kNoHalfForm, display_name(row.name), to_string(common));
    return Value::error();
  }
  Exprs operands{};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    operands[i] = operand(context, row, row.params[i], common, arguments[i]);
    if (operands[i] == nullptr) return Value::error();
    if (i == 0 && common.is_error()) common = operands[0]->dtype;
  }
  const ir::ExprList list =
      context.arena.copy(std::span<const ir::Expr* const>(operands.data(), arguments.size()));
  return Value::of_expr(context.build.make_call(&row, result_type(row, common), list, span));
}

// abs of an integer wraps at its smallest value; unsigned values are their own.
Value absolute(Context& context, const Intrinsic& row, const EvaluatedArgument& argument,
               Span callee_span, Span span) {
  if (is_literal(argument.value)) {
    const bool is_negative = as_double(argument.value) < 0;
    return is_negative ? python_unary(context, syntax::UnaryOperator::USub, argument.value, span)
                       : argument.value;
  }
  if (argument.value.is_expr()) {
    const DType type = argument.value.expr->dtype;
    if (type.is_bool() || type.is_unsigned_int()) return argument.value;
  }
  return apply_row(context, row, std::span(&argument, 1), callee_span, span);
}

}  // namespace

Value apply_intrinsic(Context& context, std::string_view name,
                      std::span<const EvaluatedArgument> arguments, Span callee_span, Span span) {
  const Intrinsic* row = intrinsics::find(name, context.dialect_letter());
  TIRXCC_CHECK(row != nullptr, "no intrinsic named {}", name);
  const auto wanted = static_cast<std::size_t>(row->arity());
  if (arguments.size() != wanted) {
    report_argument_count(context, span, display_name(name), std::to_string(wanted),
                          arguments.size());
    return Value::error();
  }
  if (must_run_on_device(*row) && !context.names->in_device_code()) {
    context.diags.report(callee_span, kDeviceOnly, display_name(name));
    return Value::error();
  }
  if (row->special == intrinsics::Special::Abs) {
    return absolute(context, *row, arguments[0], callee_span, span);
  }
  const Value result = apply_row(context, *row, arguments, callee_span, span);
  if (name == "clz") return narrow_clz(context, result, span, operand_width(arguments[0].value));
  return result;
}

Value call_intrinsic(Context& context, std::string_view path, const syntax::Call& call) {
  const auto arguments = eval_arguments(context, call, display_name(path));
  if (!arguments) return Value::error();
  return apply_intrinsic(context, path, *arguments, call.func->span, call.span);
}

Value max_or_min(Context& context, bool is_max, const EvaluatedArgument& a,
                 const EvaluatedArgument& b, Span span) {
  if (a.value.is_error() || b.value.is_error()) return Value::error();
  if (is_literal(a.value) && is_literal(b.value)) {
    const auto op = is_max ? syntax::CompareOperator::Gt : syntax::CompareOperator::Lt;
    return python_compare(op, b.value, a.value) == true ? b.value : a.value;
  }
  const std::string_view name = is_max ? "max" : "min";
  const Operands operands = unify(context, a.value, a.span, b.value, b.span, NarrowOperand::Keeps,
                                  is_max ? "max" : "min", span);
  if (operands.a == nullptr || operands.b == nullptr) return Value::error();
  // Integers have no NaN: CUDA's own max serves both dialects.
  const bool is_float = operands.a->dtype.is_float();
  const ir::IntImm* ia = ir::as_int(operands.a);
  const ir::IntImm* ib = ir::as_int(operands.b);
  if (ia != nullptr && ib != nullptr) {
    const bool takes_b = is_max ? known_int(Value::of_expr(ib)) > known_int(Value::of_expr(ia))
                                : known_int(Value::of_expr(ib)) < known_int(Value::of_expr(ia));
    return Value::of_expr(takes_b ? operands.b : operands.a);
  }
  const Intrinsic* row = intrinsics::find(name, is_float ? context.dialect_letter() : 'B');
  const std::array<const ir::Expr*, 2> list = {operands.a, operands.b};
  const ir::ExprList copied = context.arena.copy(std::span<const ir::Expr* const>(list));
  return Value::of_expr(context.build.make_call(row, operands.a->dtype, copied, span));
}

}  // namespace tirxcc::sema
