// SPDX-License-Identifier: Apache-2.0
//
// Values as typed IR expressions: what a literal becomes, when it does not fit, which conversions
// of run-time values deserve a warning, and what is known of a value while compiling.
#include <charconv>
#include <cmath>
#include <limits>

#include "intrinsics/intrinsics.h"
#include "ir/constant.h"
#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kNotAScalar{"not-a-scalar", Severity::Error, ErrorClass::Type,
                                 "{} is not a number that the kernel can compute with"};
constexpr Diagnostic kTensorAsValue{"tensor-as-value", Severity::Error, ErrorClass::Type,
                                    "tensor {} is used as a number; read an element of it"};
constexpr Diagnostic kIntTooWide{"int-too-wide", Severity::Error, ErrorClass::Value,
                                 "{} does not fit in 64 bits"};
constexpr Diagnostic kLiteralDoesNotFit{"literal-does-not-fit", Severity::Error, ErrorClass::Value,
                                        "{} does not fit {}"};
constexpr Diagnostic kFloatRange{"float-literal-range", Severity::Warning, ErrorClass::Value,
                                 "{} is too {} for {}: it becomes {}"};
constexpr Diagnostic kFractionDropped{"fraction-dropped", Severity::Warning, ErrorClass::Type,
                                      "{} is stored as {} in {}"};
constexpr Diagnostic kNarrowing{"narrowing", Severity::Warning, ErrorClass::Type,
                                "{} is narrowed to {}"};
constexpr Diagnostic kRoundedName{"rounded-name", Severity::Warning, ErrorClass::Type,
                                  "'{}' is float32, so it counts as {} here, not as {}"};
constexpr Diagnostic kChoiceAsNumber{"choice-as-number", Severity::Warning, ErrorClass::Type,
                                     "'{}' gives True or False here, which is used as a number"};
constexpr Diagnostic kNoConversion{"no-conversion", Severity::Error, ErrorClass::Type,
                                   "{} does not convert to {}"};
constexpr Diagnostic kNotANumberText{"not-a-number-text", Severity::Error, ErrorClass::Value,
                                     "'{}' is no {}"};
constexpr Diagnostic kNoTruth{"no-truth-value", Severity::Error, ErrorClass::Type,
                              "{} is neither true nor false"};
constexpr Diagnostic kNoTypeInCommon{"no-type-in-common", Severity::Error, ErrorClass::Type,
                                     "'{}' does not take {} and {}"};

std::string number_text(const Value& number) {
  return python_text(number, true).value_or("the value");
}

const ir::Expr* int_literal(Context& context, const Value& value, DType type, Span span) {
  return context.build.int_imm(type, static_cast<std::int64_t>(wrap_int(type, value.int_value)),
                               span, value.is_hex);
}

const ir::Expr* report_no_scalar(Context& context, const Value& value, Span span) {
  if (value.kind == ValueKind::Tensor) {
    auto report = context.diags.report(span, kTensorAsValue, value.tensor->name);
    std::string zeros;
    for (std::size_t i = 0; i < value.tensor->shape.size(); ++i)
      zeros += i == 0 ? "0" : ", 0";
    if (!zeros.empty()) report.note("for example {}[{}]", value.tensor->name, zeros);
  } else if (!value.is_error()) {
    context.diags.report(span, kNotAScalar, describe(value));
  }
  return nullptr;
}

// A Python float or int as an element of a float type; null if only infinity could stand for it.
const ir::Expr* float_literal(Context& context, const Value& value, DType type, Span span) {
  if (value.kind == ValueKind::Float) {
    const double rounded = ir::round_to(type, value.float_value);
    if (std::isinf(rounded) && !std::isinf(value.float_value)) return nullptr;
    if (rounded == 0 && value.float_value != 0) {
      context.diags.report(span, kFloatRange, number_text(value), "small", to_string(type), "0");
    }
    return context.build.float_imm(type, value.float_value, span);
  }
  const int128 integer = value.kind == ValueKind::Bool ? value.bool_value : value.int_value;
  const double rounded = ir::round_int_to(type, integer);
  return std::isinf(rounded) ? nullptr : context.build.float_imm(type, rounded, span);
}

// A Python float as an integer: cut toward zero, as T.int32(2.9) is 2.
std::optional<int128> whole_part(double value) {
  if (!(std::fabs(value) < 0x1p126)) return std::nullopt;
  return static_cast<int128>(std::trunc(value));
}

const ir::Expr* convert_literal(Context& context, const Value& value, DType type, Span span,
                                Conversion how) {
  const ir::Expr* result = nullptr;
  if (type.is_float()) {
    result = float_literal(context, value, type, span);
  } else if (type.is_bool() && (how == Conversion::Explicit || value.kind == ValueKind::Bool)) {
    return context.build.bool_imm(*known_truth(value), span);
  } else if (value.kind == ValueKind::Float) {
    const std::optional<int128> whole = whole_part(value.float_value);
    if (whole && type.can_hold(*whole)) {
      Value cut = Value::of_int(*whole);
      if (how == Conversion::Store && static_cast<double>(*whole) != value.float_value) {
        context.diags.report(span, kFractionDropped, number_text(value), number_text(cut),
                             to_string(type));
      }
      result = int_literal(context, cut, type, span);
    }
  } else {
    const Value integer =
        value.kind == ValueKind::Bool ? Value::of_int(value.bool_value ? 1 : 0) : value;
    if (type.can_hold(integer.int_value)) result = int_literal(context, integer, type, span);
  }
  if (result == nullptr) {
    auto report =
        context.diags.report(span, kLiteralDoesNotFit, number_text(value), to_string(type));
    if (type.is_int_or_bool()) {
      report.note("{} holds {} to {}", to_string(type), number_text(Value::of_int(type.min_int())),
                  number_text(Value::of_int(type.max_int())));
    }
  }
  return result;
}

// T.float32("inf"), T.int32("5").
const ir::Expr* convert_text(Context& context, const Value& value, DType type, Span span) {
  std::string_view text = value.text;
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  if (type.is_float()) {
    double number = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && stop == end) {
      return convert_literal(context, Value::of_float(number), type, span, Conversion::Explicit);
    }
  } else if (type.is_int()) {
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && stop == end) {
      return convert_literal(context, Value::of_int(number), type, span, Conversion::Explicit);
    }
  }
  context.diags.report(span, kNotANumberText, value.text, to_string(type));
  return nullptr;
}

// `A[i] or 7` is Python's way to say what a bool cannot.
void report_choice(Context& context, const syntax::BoolOp& op) {
  const bool is_and = op.op == syntax::BoolOperator::And;
  auto report = context.diags.report(op.span, kChoiceAsNumber, is_and ? "and" : "or");
  if (op.values.size() != 2) return;
  const std::string_view a = context.diags.sources().text_of(op.values[0]->span);
  const std::string_view b = context.diags.sources().text_of(op.values[1]->span);
  report.note("for one of the two write '{} if {} else {}'", is_and ? b : a, a, is_and ? a : b);
}

void warn_if_choice(Context& context, const Value& value) {
  if (value.kind == ValueKind::Expr && value.choice != nullptr) {
    report_choice(context, *value.choice);
  }
}

// True if computing in `type` from the start would store the same bits: sums, products and bit
// operations of values no wider than `type` and of literals that fit it (`U8[i] = U8[i] + 1` is
// int32 arithmetic by rule 2, and still nothing is lost).
bool loses_nothing(const ir::Expr* expr, DType type) {
  if (expr->dtype == type) return true;
  if (const auto* literal = ir::as_int(expr)) return type.can_hold(ir::int_value(*literal));
  if (ir::is<ir::FloatImm>(expr)) return type.is_float();
  if (const auto* cast = ir::as<ir::Cast>(expr)) {
    return !cast->is_bits && (cast->a->dtype.is_bool() || loses_nothing(cast->a, type));
  }
  if (const auto* unary = ir::as<ir::Unary>(expr)) return loses_nothing(unary->a, type);
  if (const auto* select = ir::as<ir::Select>(expr)) {
    return loses_nothing(select->a, type) && loses_nothing(select->b, type);
  }
  if (const auto* call = ir::as<ir::Call>(expr)) {
    // max and min give one of their operands.
    const bool is_choice = call->callee->name == "max" || call->callee->name == "min";
    return is_choice && loses_nothing(call->args[0], type) && loses_nothing(call->args[1], type);
  }
  const auto* binary = ir::as<ir::Binary>(expr);
  if (binary == nullptr) return false;
  if (type.is_float() && binary->op != ir::BinaryOp::Div && binary->op > ir::BinaryOp::Mul) {
    return false;
  }
  const bool is_ring_operation =
      binary->op <= ir::BinaryOp::Mul || binary->op == ir::BinaryOp::BitAnd ||
      binary->op == ir::BinaryOp::BitOr || binary->op == ir::BinaryOp::BitXor;
  if (!type.is_float()) {
    const ir::IntImm* right = ir::as_int(binary->b);
    const bool is_small = right != nullptr && right->value > 0 && type.can_hold(right->value);
    // `x & 15` and `x % 16` are small whatever x is.
    if (is_small && binary->op == ir::BinaryOp::BitAnd) return true;
    if (is_small && binary->op == ir::BinaryOp::FloorMod) return true;
    if (!is_ring_operation) return false;
  }
  return loses_nothing(binary->a, type) && loses_nothing(binary->b, type);
}

void warn_if_narrowing(Context& context, const ir::Expr* expr, DType type, Span span) {
  const DType from = expr->dtype;
  const bool to_smaller = type.bits < from.bits && from.is_float() == type.is_float();
  const bool drops_fraction = from.is_float() && type.is_int();
  if (type.is_bool() || (!to_smaller && !drops_fraction) || loses_nothing(expr, type)) return;
  context.diags.report(span, kNarrowing, to_string(from), to_string(type))
      .note("write T.{}(...) to say that this is meant", to_string(type));
}

// `x = 0.1` alone makes a float32 (rule 4): in float64 arithmetic its rounding would go unnoticed.
void warn_if_rounded(Context& context, const Value& value, const ir::Expr* expr, DType type) {
  const auto* ref = ir::as<ir::VarRef>(expr);
  const bool is_widened = ref != nullptr && type.is_float64() && expr->dtype.is_float32();
  if (!is_widened || value.constant == nullptr || !context.warn_narrowing) return;
  if (value.constant->kind != ValueKind::Float) return;
  const double exact = value.constant->float_value;
  const double rounded = ir::round_to(kFloat32, exact);
  if (rounded == exact || std::isnan(exact)) return;
  const std::string written = number_text(*value.constant);
  context.diags
      .report(expr->span, kRoundedName, ref->var->name, number_text(Value::of_float(rounded)),
              written)
      .note("write '{}: T.float64 = {}' where it is bound", ref->var->name, written);
}

}  // namespace

void warn_if_choice_is_named(Context& context, const Value& value) {
  if (value.kind != ValueKind::Expr || value.choice == nullptr) return;
  const auto* last = syntax::as<syntax::Constant>(value.choice->values.back());
  const bool is_number = last != nullptr && (last->constant_kind == syntax::ConstantKind::Int ||
                                             last->constant_kind == syntax::ConstantKind::Float);
  if (is_number) report_choice(context, *value.choice);
}

const ir::Expr* literal_expr(Context& context, const Value& literal, DType type, Span span) {
  if (type.is_float()) {
    const ir::Expr* result = float_literal(context, literal, type, span);
    const bool is_negative = as_double(literal) < 0;
    if (result != nullptr) return result;
    context.diags.report(span, kFloatRange, number_text(literal), "large", to_string(type),
                         is_negative ? "-inf" : "inf");
    const double infinity = std::numeric_limits<double>::infinity();
    return context.build.float_imm(type, is_negative ? -infinity : infinity, span);
  }
  if (literal.kind == ValueKind::Bool) {
    return context.build.int_imm(type, literal.bool_value ? 1 : 0, span);
  }
  return int_literal(context, literal, type, span);
}

const ir::Expr* to_expr(Context& context, const Value& value, Span span) {
  switch (value.kind) {
    case ValueKind::Expr:
      if (value.expr->dtype.is_void()) return report_no_scalar(context, value, span);
      return value.expr->dtype.is_error() ? nullptr : value.expr;
    case ValueKind::Bool: return context.build.bool_imm(value.bool_value, span);
    case ValueKind::Float: {
      if (const ir::Expr* literal = float_literal(context, value, kFloat32, span)) return literal;
      context.diags.report(span, kLiteralDoesNotFit, number_text(value), "float32")
          .note("write T.float64(...) for a float64");
      return nullptr;
    }
    case ValueKind::Int: {
      const DType type = natural_type(value.int_value);
      if (!type.is_error()) return int_literal(context, value, type, span);
      context.diags.report(span, kIntTooWide, number_text(value));
      return nullptr;
    }
    case ValueKind::Symbol:
      return context.build.var(context.names->symbol_var(*value.symbol, span), span);
    case ValueKind::Error:
    case ValueKind::None:
    case ValueKind::Ellipsis:
    case ValueKind::String:
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict:
    case ValueKind::Range:
    case ValueKind::Type:
    case ValueKind::Tensor:
    case ValueKind::Region:
    case ValueKind::Builtin:
    case ValueKind::Function:
    case ValueKind::Method:
    case ValueKind::Object:
    case ValueKind::Host: return report_no_scalar(context, value, span);
  }
  __builtin_unreachable();
}

const ir::Expr* convert(Context& context, const Value& value, DType type, Span span,
                        Conversion how) {
  const bool is_number_type = type.is_numeric() && type.is_scalar();
  if (value.kind == ValueKind::String && how == Conversion::Explicit && is_number_type) {
    return convert_text(context, value, type, span);
  }
  const bool is_literal = value.kind == ValueKind::Bool || value.kind == ValueKind::Int ||
                          value.kind == ValueKind::Float;
  if (is_literal && is_number_type) return convert_literal(context, value, type, span, how);
  const ir::Expr* expr = to_expr(context, value, span);
  if (expr == nullptr || expr->dtype == type) return expr;
  if (!is_number_type || !expr->dtype.is_numeric() || !expr->dtype.is_scalar()) {
    context.diags.report(span, kNoConversion, describe(Value::of_expr(expr)), to_string(type));
    return nullptr;
  }
  if (!type.is_bool()) warn_if_choice(context, value);
  const std::optional<int128> known = known_int(value);
  const bool fits = known && type.is_int() && type.can_hold(*known);
  if (how == Conversion::Store && context.warn_narrowing && !fits) {
    warn_if_narrowing(context, expr, type, span);
  }
  if (how == Conversion::Store) warn_if_rounded(context, value, expr, type);
  return context.build.fold_cast(type, expr, expr->span.is_valid() ? expr->span : span);
}

const ir::Expr* literal_of(Context& context, const Value& value) {
  if (value.kind != ValueKind::Expr) return nullptr;
  if (ir::is<ir::IntImm>(value.expr) || ir::is<ir::FloatImm>(value.expr)) return value.expr;
  if (value.constant == nullptr) return nullptr;
  return literal_expr(context, *value.constant, value.expr->dtype, value.expr->span);
}

std::optional<Value> known_number(const Value& value) {
  if (value.kind == ValueKind::Bool || value.kind == ValueKind::Int ||
      value.kind == ValueKind::Float) {
    return value;
  }
  if (value.kind != ValueKind::Expr) return std::nullopt;
  if (value.constant != nullptr) return *value.constant;
  if (const auto* literal = ir::as<ir::FloatImm>(value.expr)) {
    return Value::of_float(literal->value);
  }
  const ir::IntImm* literal = ir::as_int(value.expr);
  if (literal == nullptr) return std::nullopt;
  if (literal->dtype.is_bool()) return Value::of_bool(literal->value != 0);
  return Value::of_int(ir::int_value(*literal), literal->is_hex);
}

std::optional<int128> known_int(const Value& value) {
  const std::optional<Value> number = known_number(value);
  if (!number) return std::nullopt;
  if (number->kind == ValueKind::Bool) return number->bool_value ? 1 : 0;
  if (number->kind == ValueKind::Int) return number->int_value;
  return std::nullopt;
}

std::optional<bool> known_truth(const Value& value) {
  switch (value.kind) {
    case ValueKind::Bool: return value.bool_value;
    case ValueKind::Int: return value.int_value != 0;
    case ValueKind::Float: return value.float_value != 0;
    case ValueKind::Expr: {
      const std::optional<Value> number = known_number(value);
      return number ? known_truth(*number) : std::nullopt;
    }
    case ValueKind::None: return false;
    case ValueKind::String: return !value.text.empty();
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict: return !value.items.empty();
    case ValueKind::Range: return sequence_size(value) != 0;
    case ValueKind::Ellipsis:
    case ValueKind::Type:
    case ValueKind::Builtin:
    case ValueKind::Function:
    case ValueKind::Method:
    case ValueKind::Object: return true;
    case ValueKind::Error:
    case ValueKind::Tensor:
    case ValueKind::Region:
    case ValueKind::Symbol:
    case ValueKind::Host: return std::nullopt;
  }
  __builtin_unreachable();
}

const ir::Expr* condition(Context& context, const Value& value, Span span) {
  if (value.is_error()) return nullptr;
  if (const std::optional<bool> truth = known_truth(value)) {
    return context.build.bool_imm(*truth, span);
  }
  if (value.kind != ValueKind::Expr && value.kind != ValueKind::Symbol) {
    context.diags.report(span, kNoTruth, describe(value));
    return nullptr;
  }
  const ir::Expr* expr = to_expr(context, value, span);
  if (expr == nullptr || expr->dtype.is_bool()) return expr;
  if (!expr->dtype.is_numeric() || !expr->dtype.is_scalar()) {
    context.diags.report(span, kNoTruth, describe(Value::of_expr(expr)));
    return nullptr;
  }
  const ir::Expr* zero = expr->dtype.is_float() ? context.build.float_imm(expr->dtype, 0, span)
                                                : context.build.int_imm(expr->dtype, 0, span);
  return context.build.fold_binary(ir::BinaryOp::Ne, expr, zero, span);
}

std::optional<DType> as_dtype(const Value& value) {
  if (value.kind == ValueKind::Type) return value.dtype;
  if (value.kind == ValueKind::String) return parse_dtype(value.text);
  return std::nullopt;
}

Operands unify(Context& context, const Value& a, Span a_span, const Value& b, Span b_span,
               NarrowOperand narrow, std::string_view what, Span what_span) {
  const auto is_literal = [](const Value& value) {
    return value.kind == ValueKind::Bool || value.kind == ValueKind::Int ||
           value.kind == ValueKind::Float;
  };
  // Both are complained about before giving up.
  const ir::Expr* ea = is_literal(a) && !is_literal(b) ? nullptr : to_expr(context, a, a_span);
  const ir::Expr* eb = is_literal(b) && !is_literal(a) ? nullptr : to_expr(context, b, b_span);
  const Value* literal = nullptr;
  if (ea == nullptr && is_literal(a)) literal = &a;
  if (eb == nullptr && is_literal(b)) literal = &b;
  const ir::Expr* typed = ea != nullptr ? ea : eb;
  if (typed == nullptr || (literal == nullptr && (ea == nullptr || eb == nullptr))) return {};
  std::optional<DType> type;
  if (literal == nullptr) {
    type = promote(ea->dtype, eb->dtype);
  } else if (typed->dtype.is_numeric() && typed->dtype.is_scalar()) {
    type = type_with_literal(typed->dtype, *literal, narrow);
    if (type->is_error()) {
      context.diags.report(literal == &a ? a_span : b_span, kIntTooWide, number_text(*literal));
      return {};
    }
  }
  if (!type || !type->is_numeric()) {
    const auto name = [](const Value& value, const ir::Expr* expr) {
      return expr != nullptr ? describe(Value::of_expr(expr)) : describe(value);
    };
    context.diags.report(what_span, kNoTypeInCommon, what, name(a, ea), name(b, eb));
    return {};
  }
  const auto finish = [&](const Value& value, const ir::Expr* expr, Span span) {
    if (!type->is_bool()) warn_if_choice(context, value);
    if (expr != nullptr) {
      warn_if_rounded(context, value, expr, *type);
      return context.build.fold_cast(*type, expr, expr->span);
    }
    return literal_expr(context, value, *type, span);
  };
  return {finish(a, ea, a_span), finish(b, eb, b_span)};
}

}  // namespace tirxcc::sema
