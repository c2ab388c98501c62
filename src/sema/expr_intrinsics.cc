// SPDX-License-Identifier: Apache-2.0
//
// Calls of device functions, typed from the rows of the intrinsic table alone (style.md section 3),
// and the few whose meaning depends on the operands: max, min, abs.
#include "intrinsics/intrinsics.h"

#include <algorithm>
#include <array>
#include <vector>

#include "intrinsics/parameter_names.h"
#include "ir/builder.h"
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
constexpr Diagnostic kOperandTypes{"operand-types", Severity::Error, ErrorClass::Type,
                                   "{} takes {}{}, not {}"};
constexpr Diagnostic kOwnMemory{"atomic-on-local", Severity::Error, ErrorClass::Value,
                                "{} is for memory that threads share; '{}' is each thread's own"};
constexpr Diagnostic kNotBlockMemory{"mbarrier-memory", Severity::Error, ErrorClass::Value,
                                     "{} is for shared memory of the block; '{}' is not there"};
constexpr Diagnostic kUntypedPointer{"untyped-pointer", Severity::Error, ErrorClass::Type,
                                     "{} must know what the pointer points to"};
constexpr Diagnostic kShuffleWidth{"shuffle-width", Severity::Error, ErrorClass::Value,
                                   "{} works in groups of 1, 2, 4, 8, 16 or 32 lanes, not {}"};
constexpr Diagnostic kWarpSize{"warp-size", Severity::Error, ErrorClass::Value,
                               "the size of a warp is 32, not {}"};
constexpr Diagnostic kEmptyMask{"empty-mask", Severity::Error, ErrorClass::Value,
                                "{} with a mask of no lanes; all of a warp are 0xffffffff"};
constexpr Diagnostic kNoHalfForm{"no-half-form", Severity::Error, ErrorClass::Type,
                                 "{} takes float32 or float64, not {}"};

using Exprs = std::array<const ir::Expr*, intrinsics::kMostParams>;

// Where a call names its function, and all of it.
struct Callee {
  Span span;
  Span whole;
};

bool takes_part_in_promotion(Shape shape) {
  return shape == Shape::AnyNumber || shape == Shape::AnyFloat || shape == Shape::AnyLane;
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
  const bool floats_only = row.params[row.typed_by] == Shape::AnyFloat;
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

// Where an element was given, its address: `B[i]` -> `B.ptr_to([i])`.
std::string pointer_to(Context& context, const EvaluatedArgument& argument) {
  const std::string_view text = context.diags.sources().text_of(argument.span);
  const std::size_t bracket = text.find('[');
  const bool is_element = argument.value.is_expr() && text.ends_with(']') &&
                          ir::as<ir::Load>(argument.value.expr) != nullptr &&
                          text.find(']') + 1 == text.size();
  if (!is_element) return "A.ptr_to([0])";
  return fmt::format("{}.ptr_to({})", text.substr(0, bracket), text.substr(bracket));
}

const ir::Expr* pointer_operand(Context& context, const Intrinsic& row,
                                const EvaluatedArgument& argument) {
  if (argument.value.kind == ValueKind::Tensor) {
    const std::string_view name = argument.value.tensor->name;
    context.diags.report(argument.span, kIntrinsicOperand, display_name(row.name),
                         fmt::format("a pointer, such as {}.ptr_to([0])", name),
                         describe(argument.value));
    return nullptr;
  }
  const ir::Expr* expr = to_expr(context, argument.value, argument.span);
  if (expr == nullptr || expr->dtype == kHandle) return expr;
  context.diags.report(argument.span, kIntrinsicOperand, display_name(row.name),
                       fmt::format("a pointer, such as {}", pointer_to(context, argument)),
                       describe(argument.value));
  return nullptr;
}

// The lanes that take part. A literal prints in hexadecimal, whatever it was written in.
const ir::Expr* mask_operand(Context& context, const Intrinsic& row,
                             const EvaluatedArgument& argument) {
  const ir::Expr* given = to_expr(context, argument.value, argument.span);
  if (given == nullptr) return nullptr;
  if (!given->dtype.is_int()) {
    context.diags.report(argument.span, kIntrinsicOperand, display_name(row.name),
                         "a mask of lanes, such as 0xffffffff", describe(argument.value));
    return nullptr;
  }
  const ir::Expr* mask =
      convert(context, argument.value, kUInt32, argument.span, Conversion::Argument);
  const ir::IntImm* literal = ir::as_int(mask);
  if (literal == nullptr) return mask;
  if (literal->value == 0) {
    context.diags.report(argument.span, kEmptyMask, display_name(row.name));
    return nullptr;
  }
  ir::IntImm hex = *literal;
  hex.is_hex = true;
  return context.arena.make<ir::IntImm>(hex);
}

// A width that only the launch knows is taken as it comes: what a shuffle gives in groups of other
// sizes is unspecified (CUDA C++ Programming Guide, "Warp Shuffle Functions").
const ir::Expr* width_operand(Context& context, const Intrinsic& row,
                              const EvaluatedArgument& argument) {
  const std::optional<int128> lanes = known_int(argument.value);
  if (!lanes) return convert(context, argument.value, kInt32, argument.span, Conversion::Argument);
  if (*lanes >= 1 && *lanes <= 32 && (*lanes & (*lanes - 1)) == 0) {
    return context.build.int_imm(kInt32, static_cast<std::int64_t>(*lanes), argument.span);
  }
  if (!argument.value.is_error()) {
    const std::string_view text = context.diags.sources().text_of(argument.span);
    context.diags.report(argument.span, kShuffleWidth, display_name(row.name), text);
  }
  return nullptr;
}

const ir::Expr* operand(Context& context, const Intrinsic& row, Shape shape, DType common,
                        const EvaluatedArgument& argument) {
  const auto as = [&](DType type) {
    return convert(context, argument.value, type, argument.span, Conversion::Argument);
  };
  switch (shape) {
    case Shape::None:
    case Shape::WarpSize: return nullptr;
    case Shape::AnyNumber:
    case Shape::AnyFloat:
    case Shape::AnyLane:
    case Shape::Element:
    case Shape::SameAsFirst: return as(common);
    case Shape::AnyInt: return int_operand(context, row, argument);
    case Shape::Bool: return condition(context, argument.value, argument.span);
    case Shape::Int32: return as(kInt32);
    case Shape::UInt32: return as(kUInt32);
    case Shape::Float32: return as(kFloat32);
    case Shape::Mask: return mask_operand(context, row, argument);
    case Shape::Width: return width_operand(context, row, argument);
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
  return row.convergence != intrinsics::Convergence::Thread || row.name.starts_with("cuda.") ||
         row.name.starts_with("ptx.");
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

// Atomics change memory that several threads reach, mbarriers are in that of the block.
bool is_shared_memory(Context& context, const Intrinsic& row, const ir::Expr& pointer, Span span) {
  const bool is_mbarrier = row.name.find("mbarrier") != std::string_view::npos;
  if (row.effect != intrinsics::Effect::Atomic && !is_mbarrier) return true;
  const ir::Scope scope = ir::pointee_of(&pointer).scope;
  const bool is_wrong = is_mbarrier ? scope != ir::Scope::Shared && scope != ir::Scope::SharedDyn
                                    : scope == ir::Scope::Local;
  if (!is_wrong) return true;
  const auto* address = ir::as<ir::AddressOf>(&pointer);
  const std::string_view name =
      address != nullptr ? address->tensor->name : context.diags.sources().text_of(span);
  context.diags.report(span, is_mbarrier ? kNotBlockMemory : kOwnMemory, display_name(row.name),
                       name);
  return false;
}

// The type that the others follow, from the operand that `typed_by` names; Error after a report.
DType leading_type(Context& context, const Intrinsic& row,
                   std::span<const EvaluatedArgument> arguments) {
  const Shape shape = row.params[row.typed_by];
  const EvaluatedArgument& leader = arguments[row.typed_by];
  const bool is_pointer = shape == Shape::Pointer;
  DType type = kError;
  if (is_pointer) {
    const ir::Expr* pointer = pointer_operand(context, row, leader);
    if (pointer == nullptr || !is_shared_memory(context, row, *pointer, leader.span)) return kError;
    type = ir::pointee_of(pointer).type;
    if (type.is_void()) {
      if (row.types == 0) return type;
      context.diags.report(leader.span, kUntypedPointer, display_name(row.name));
      return kError;
    }
  } else {
    type = common_type(context, row, arguments).value_or(kError);
    // Narrow ones travel as 32 bits.
    const bool is_narrow = type.is_int_or_bool() && type.bits < 32;
    if (shape == Shape::AnyLane && is_narrow) type = type.is_signed_int() ? kInt32 : kUInt32;
  }
  if (type.is_error() || row.types == 0 || (row.types & intrinsics::types_of({type})) != 0)
    return type;
  context.diags.report(leader.span, kOperandTypes, display_name(row.name),
                       is_pointer ? "a pointer to " : "", intrinsics::list_of_types(row.types),
                       to_string(type));
  return kError;
}

// "T.cuda.atomic_add takes 2 arguments (pointer, value), 3 given"; where a tensor was given, the
// pointer is spelled out.
void report_count(Context& context, const Intrinsic& row,
                  std::span<const EvaluatedArgument> arguments, Callee callee) {
  std::string names = intrinsics::parameter_names(row);
  const auto commas = static_cast<std::size_t>(std::count(names.begin(), names.end(), ','));
  const std::size_t count = names.empty() ? 0 : commas + 1;
  constexpr std::string_view kPointer = "pointer";
  if (names.starts_with(kPointer) && !arguments.empty() &&
      arguments[0].value.kind == ValueKind::Tensor) {
    names.replace(0, kPointer.size(),
                  fmt::format("{}.ptr_to([0])", arguments[0].value.tensor->name));
  }
  const std::string text = row.is_variadic ? fmt::format("at least {} ({})", count - 1, names)
                           : row.last_if_left_out >= 0
                               ? fmt::format("{} or {} ({})", count - 1, count, names)
                           : names.empty() ? "0"
                                           : fmt::format("{} ({})", count, names);
  report_argument_count(context, callee.whole, display_name(row.name), text, arguments.size());
}

// `written` is the row by the name that the call says, `row` the one that it means.
Value apply_row(Context& context, const Intrinsic& written, const Intrinsic& row,
                std::span<const EvaluatedArgument> arguments, Callee callee) {
  DType common = kError;
  const Shape leader = row.params[row.typed_by];
  if (takes_part_in_promotion(leader) || leader == Shape::Pointer) {
    common = leading_type(context, row, arguments);
    if (common.is_error()) return Value::error();
  }
  if (row.name == "nextafter" && common.is_half_like()) {
    context.diags.report(callee.span, kNoHalfForm, display_name(row.name), to_string(common));
    return Value::error();
  }
  Exprs operands{};
  const auto count = static_cast<std::size_t>(row.arity());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i >= count) {
      if (known_int(arguments[i].value) == 32) continue;
      context.diags.report(arguments[i].span, kWarpSize,
                           context.diags.sources().text_of(arguments[i].span));
      return Value::error();
    }
    operands[i] = operand(context, written, row.params[i], common, arguments[i]);
    if (operands[i] == nullptr) return Value::error();
    if (i == 0 && common.is_error()) common = operands[0]->dtype;
  }
  const ir::ExprList list =
      context.arena.copy(std::span<const ir::Expr* const>(operands.data(), count));
  return Value::of_expr(
      context.build.make_call(&row, result_type(row, common), list, callee.whole));
}

// Only 32-bit integers have an instruction to subtract; all others add the negated value.
Value atomic_sub(Context& context, const Intrinsic& row,
                 std::span<const EvaluatedArgument> arguments, Callee callee) {
  const DType type = leading_type(context, row, arguments);
  if (type.is_error()) return Value::error();
  if (type == kInt32 || type == kUInt32) return apply_row(context, row, row, arguments, callee);
  const Span span = arguments[1].span;
  const ir::Expr* value = convert(context, arguments[1].value, type, span, Conversion::Argument);
  if (value == nullptr) return Value::error();
  const Value negated =
      unary(context, syntax::UnaryOperator::USub, Value::of_expr(value), span, span, span);
  const std::array<EvaluatedArgument, 2> changed = {arguments[0], {negated, span}};
  const Intrinsic& add = *intrinsics::find("cuda.atomic_add", context.dialect_letter());
  return apply_row(context, row, add, changed, callee);
}

// A narrow integer that lanes exchange is narrow again afterwards.
Value narrow_again(Context& context, const Intrinsic& row, const EvaluatedArgument& argument,
                   const Value& result, Span span) {
  const bool is_narrow = row.params[row.typed_by] == Shape::AnyLane && argument.value.is_expr() &&
                         argument.value.expr->dtype.is_int_or_bool() &&
                         argument.value.expr->dtype.bits < 32;
  if (!is_narrow || result.is_error()) return result;
  return Value::of_expr(context.build.fold_cast(argument.value.expr->dtype, result.expr, span));
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
  return apply_row(context, row, row, std::span(&argument, 1), {callee_span, span});
}

}  // namespace

Value apply_intrinsic(Context& context, std::string_view name,
                      std::span<const EvaluatedArgument> arguments, Span callee_span, Span span) {
  const Intrinsic* written = intrinsics::find(name, context.dialect_letter());
  TIRXCC_CHECK(written != nullptr, "no intrinsic named {}", name);
  const Intrinsic* row = written;
  if (!written->same_as.empty()) {
    row = intrinsics::find(written->same_as, context.dialect_letter());
  }
  const auto wanted =
      static_cast<std::size_t>(written->arity() > 0 ? written->arity() : row->arity());
  std::vector<EvaluatedArgument> completed;
  if (row->last_if_left_out >= 0 && arguments.size() + 1 == wanted) {
    completed.assign(arguments.begin(), arguments.end());
    completed.push_back({Value::of_int(row->last_if_left_out), span});
    arguments = completed;
  }
  if (row->is_variadic ? arguments.size() < wanted : arguments.size() != wanted) {
    report_count(context, *written, arguments, {callee_span, span});
    return Value::error();
  }
  if (must_run_on_device(*row) && !context.names->in_device_code()) {
    context.diags.report(callee_span, kDeviceOnly, display_name(name));
    return Value::error();
  }
  if (row->special == intrinsics::Special::Abs) {
    return absolute(context, *row, arguments[0], callee_span, span);
  }
  if (row->special == intrinsics::Special::Printf) {
    return call_printf(context, *row, arguments, span);
  }
  if (row->name == "cuda.atomic_sub") {
    return atomic_sub(context, *row, arguments, {callee_span, span});
  }
  const Value result = apply_row(context, *written, *row, arguments, {callee_span, span});
  if (name == "clz") return narrow_clz(context, result, span, operand_width(arguments[0].value));
  if (row->typed_by == 0) return result;
  return narrow_again(context, *row, arguments[row->typed_by], result, span);
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
