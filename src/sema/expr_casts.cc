// SPDX-License-Identifier: Apache-2.0
//
// `T.float32(x)`, `T.cast(x, dtype)`, `T.Cast(dtype, x)`, `x.astype(dtype)` and `T.reinterpret` in
// the argument order of either dialect (language.md 3.6).
#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kReinterpretSizes{"reinterpret-sizes", Severity::Error, ErrorClass::Type,
                                       "T.reinterpret keeps the bits; {} has {} and {} has {}"};
constexpr Diagnostic kReinterpretNoType{"reinterpret-no-type", Severity::Error, ErrorClass::Type,
                                        "T.reinterpret needs a value and a dtype"};

// The value that stays known when a name bound to a literal is cast (rule 28).
const Value* cast_constant(Context& context, DType type, const Value& value) {
  if (!value.is_expr() || value.constant == nullptr) return nullptr;
  const ir::Expr* folded = context.build.fold_cast(type, literal_of(context, value), {});
  const std::optional<Value> number = known_number(Value::of_expr(folded));
  return number ? context.arena.make<Value>(*number) : nullptr;
}

Value cast_value(Context& context, DType type, const Value& value, Span operand_span, Span span) {
  if (value.is_error()) return value;
  if (!type.is_scalar()) return not_supported(context, span, "the vector type " + to_string(type));
  const ir::Expr* expr = convert(context, value, type, operand_span, Conversion::Explicit);
  if (expr == nullptr) return Value::error();
  return Value::of_expr(expr, cast_constant(context, type, value));
}

}  // namespace

Value call_type(Context& context, const Value& callee, const syntax::Call& call) {
  // T.int32() declares a symbol and T.handle("float32") a pointer type: statements know of them.
  const DType type = callee.dtype;
  const bool has_arguments = !call.args.empty() || !call.keywords.empty();
  if (!has_arguments || !type.is_numeric()) {
    return context.names->call_statement_builtin(callee, call);
  }
  static constexpr ParamSpec kParams[] = {{"value"}};
  Argument arguments[1];
  const std::string name = "T." + to_string(type);
  if (!bind_arguments(context, call, name, kParams, arguments)) return Value::error();
  const Value value = eval_expr(context, *arguments[0].expr);
  return cast_value(context, type, value, arguments[0].span(), call.span);
}

Value call_cast(Context& context, bool type_first, const syntax::Call& call) {
  static constexpr ParamSpec kValueFirst[] = {{"value"}, {"dtype"}};
  static constexpr ParamSpec kTypeFirst[] = {{"dtype"}, {"value"}};
  Argument arguments[2];
  const bool bound = type_first ? bind_arguments(context, call, "T.Cast", kTypeFirst, arguments)
                                : bind_arguments(context, call, "T.cast", kValueFirst, arguments);
  if (!bound) return Value::error();
  const Argument& operand = arguments[type_first ? 1 : 0];
  const Value value = eval_expr(context, *operand.expr);
  const std::optional<DType> type = dtype_argument(context, arguments[type_first ? 0 : 1]);
  if (!type) return Value::error();
  return cast_value(context, *type, value, operand.span(), call.span);
}

Value call_astype(Context& context, const Value& receiver, const syntax::Call& call) {
  static constexpr ParamSpec kParams[] = {{"dtype"}};
  Argument arguments[1];
  if (!bind_arguments(context, call, "astype", kParams, arguments)) return Value::error();
  const std::optional<DType> type = dtype_argument(context, arguments[0]);
  if (!type) return Value::error();
  return cast_value(context, *type, receiver, call.func->span, call.span);
}

Value call_reinterpret(Context& context, const syntax::Call& call) {
  static constexpr ParamSpec kParams[] = {{"value"}, {"ty"}};
  Argument arguments[2];
  if (!bind_arguments(context, call, "T.reinterpret", kParams, arguments)) return Value::error();
  Value value = eval_expr(context, *arguments[0].expr);
  Value other = eval_expr(context, *arguments[1].expr);
  if (value.is_error() || other.is_error()) return Value::error();
  Span value_span = arguments[0].span();
  // Dialect B gives the type first.
  if (as_dtype(value) && !as_dtype(other)) {
    std::swap(value, other);
    value_span = arguments[1].span();
  }
  const std::optional<DType> type = as_dtype(other);
  if (!type || !type->is_scalar() || !type->is_numeric()) {
    context.diags.report(call.span, kReinterpretNoType);
    return Value::error();
  }
  const ir::Expr* expr = to_expr(context, value, value_span);
  if (expr == nullptr) return Value::error();
  if (expr->dtype.bits != type->bits || !expr->dtype.is_numeric()) {
    const auto size = [](DType t) { return std::to_string(t.bits) + " bits"; };
    context.diags.report(call.span, kReinterpretSizes, to_string(expr->dtype), size(expr->dtype),
                         to_string(*type), size(*type));
    return Value::error();
  }
  if (expr->dtype == *type) return Value::of_expr(expr);
  return Value::of_expr(context.build.make_cast(*type, expr, call.span, true));
}

}  // namespace tirxcc::sema
