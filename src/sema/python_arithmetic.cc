// SPDX-License-Identifier: Apache-2.0
//
// Python's own operators on values that are known while compiling: ints of up to 128 bits with
// floor division, doubles, strings and sequences. The results are what CPython gives.
#include <bit>
#include <cmath>

#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;
using syntax::BinaryOperator;
using syntax::CompareOperator;

constexpr Diagnostic kPythonOperands{"python-operands", Severity::Error, ErrorClass::Type,
                                     "'{}' does not take {} and {}"};
constexpr Diagnostic kPythonOverflow{"python-overflow", Severity::Error, ErrorClass::Value,
                                     "the result of '{}' does not fit in 128 bits"};
constexpr Diagnostic kPythonShift{"python-shift", Severity::Error, ErrorClass::Value,
                                  "negative shift amount"};
constexpr Diagnostic kSequenceTooLong{"sequence-too-long", Severity::Error, ErrorClass::Value,
                                      "this makes more than {} items"};
constexpr std::int64_t kLongestSequence = 1 << 18;

bool is_number(const Value& value) {
  return value.kind == ValueKind::Bool || value.kind == ValueKind::Int ||
         value.kind == ValueKind::Float;
}

int128 as_int(const Value& value) {
  return value.kind == ValueKind::Bool ? value.bool_value : value.int_value;
}

int128 floor_div(int128 a, int128 b) {
  const int128 quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::optional<int128> int_power(int128 base, int128 exponent) {
  int128 result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) return std::nullopt;
    if (exponent > 1 && __builtin_mul_overflow(base, base, &base)) return std::nullopt;
  }
  return result;
}

std::optional<int128> shift_left(int128 a, int128 amount) {
  if (a == 0) return 0;
  if (amount > 126) return std::nullopt;
  const int128 factor = static_cast<int128>(1) << static_cast<int>(amount);
  int128 result = 0;
  if (__builtin_mul_overflow(a, factor, &result)) return std::nullopt;
  return result;
}

// nullopt: the result has more than 128 bits.
std::optional<int128> int_arithmetic(BinaryOperator op, int128 a, int128 b) {
  int128 result = 0;
  switch (op) {
    case BinaryOperator::Add:
      return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case BinaryOperator::Sub:
      return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case BinaryOperator::Mult:
      return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case BinaryOperator::FloorDiv: return floor_div(a, b);
    case BinaryOperator::Mod: return a - floor_div(a, b) * b;
    case BinaryOperator::Pow: return int_power(a, b);
    case BinaryOperator::LShift: return shift_left(a, b);
    case BinaryOperator::RShift: return a >> static_cast<int>(b > 127 ? 127 : b);
    case BinaryOperator::BitOr: return a | b;
    case BinaryOperator::BitXor: return a ^ b;
    case BinaryOperator::BitAnd: return a & b;
    case BinaryOperator::MatMult:
    case BinaryOperator::Div: break;
  }
  internal_error(__FILE__, __LINE__, "an operator that is evaluated elsewhere");
}

// Python's float modulo: the sign of the divisor.
double float_mod(double a, double b) {
  const double remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(0.0, b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

std::optional<double> float_arithmetic(BinaryOperator op, double a, double b) {
  switch (op) {
    case BinaryOperator::Add: return a + b;
    case BinaryOperator::Sub: return a - b;
    case BinaryOperator::Mult: return a * b;
    case BinaryOperator::Div: return a / b;
    case BinaryOperator::FloorDiv: return std::floor((a - float_mod(a, b)) / b + 0.5);
    case BinaryOperator::Mod: return float_mod(a, b);
    case BinaryOperator::Pow: return std::pow(a, b);
    case BinaryOperator::MatMult:
    case BinaryOperator::LShift:
    case BinaryOperator::RShift:
    case BinaryOperator::BitOr:
    case BinaryOperator::BitXor:
    case BinaryOperator::BitAnd: return std::nullopt;
  }
  __builtin_unreachable();
}

Value refuse(Context& context, BinaryOperator op, const Value& a, const Value& b, Span span) {
  context.diags.report(span, kPythonOperands, syntax::spelling(op), describe(a), describe(b));
  return Value::error();
}

bool divides(BinaryOperator op) {
  return op == BinaryOperator::Div || op == BinaryOperator::FloorDiv || op == BinaryOperator::Mod;
}

Value number_binary(Context& context, BinaryOperator op, const Value& a, const Value& b,
                    const BinarySpans& spans) {
  const bool is_zero = as_double(b) == 0;
  const bool is_shift = op == BinaryOperator::LShift || op == BinaryOperator::RShift;
  if (divides(op) && is_zero) return report_zero_divisor(context, spans.b);
  const bool is_float = a.kind == ValueKind::Float || b.kind == ValueKind::Float;
  const bool gives_float =
      op == BinaryOperator::Div || (op == BinaryOperator::Pow && as_double(b) < 0);
  if (is_float || gives_float) {
    const std::optional<double> result = float_arithmetic(op, as_double(a), as_double(b));
    return result ? Value::of_float(*result) : refuse(context, op, a, b, spans.op);
  }
  if (is_shift && as_int(b) < 0) {
    context.diags.report(spans.b, kPythonShift);
    return Value::error();
  }
  const bool is_bitwise =
      op == BinaryOperator::BitAnd || op == BinaryOperator::BitOr || op == BinaryOperator::BitXor;
  const std::optional<int128> result = int_arithmetic(op, as_int(a), as_int(b));
  if (!result) {
    context.diags.report(spans.whole, kPythonOverflow, syntax::spelling(op));
    return Value::error();
  }
  if (is_bitwise && a.kind == ValueKind::Bool && b.kind == ValueKind::Bool) {
    return Value::of_bool(*result != 0);
  }
  const bool is_hex = (is_bitwise || is_shift) && (a.is_hex || (b.is_hex && !is_shift));
  return Value::of_int(*result, is_hex);
}

Value concatenate(Context& context, const Value& a, const Value& b) {
  if (a.kind == ValueKind::String) {
    return string_value(context, std::string(a.text) + std::string(b.text));
  }
  std::vector<Value> items(a.items.begin(), a.items.end());
  items.insert(items.end(), b.items.begin(), b.items.end());
  return Value::sequence(a.kind, make_values(context, items));
}

Value repeat(Context& context, const Value& sequence, int128 count, Span span) {
  const std::int64_t size = sequence_size(sequence);
  if (count < 0) count = 0;
  if (size > 0 && count > kLongestSequence / size) {
    context.diags.report(span, kSequenceTooLong, kLongestSequence);
    return Value::error();
  }
  if (sequence.kind == ValueKind::String) {
    std::string text;
    for (int128 i = 0; i < count; ++i) {
      text += sequence.text;
    }
    return string_value(context, text);
  }
  std::vector<Value> items;
  for (int128 i = 0; i < count; ++i) {
    items.insert(items.end(), sequence.items.begin(), sequence.items.end());
  }
  return Value::sequence(sequence.kind, make_values(context, items));
}

bool is_repeatable(const Value& value) {
  return value.kind == ValueKind::String || value.kind == ValueKind::List ||
         value.kind == ValueKind::Tuple;
}

// -1, 0, 1; nullopt: unordered (NaN).
std::optional<int> number_order(const Value& a, const Value& b) {
  if (a.kind != ValueKind::Float && b.kind != ValueKind::Float) {
    const int128 x = as_int(a);
    const int128 y = as_int(b);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  const double x = as_double(a);
  const double y = as_double(b);
  if (std::isnan(x) || std::isnan(y)) return std::nullopt;
  return x < y ? -1 : x > y ? 1 : 0;
}

bool holds(CompareOperator op, int order) {
  switch (op) {
    case CompareOperator::Eq: return order == 0;
    case CompareOperator::NotEq: return order != 0;
    case CompareOperator::Lt: return order < 0;
    case CompareOperator::LtE: return order <= 0;
    case CompareOperator::Gt: return order > 0;
    case CompareOperator::GtE: return order >= 0;
    case CompareOperator::Is:
    case CompareOperator::IsNot:
    case CompareOperator::In:
    case CompareOperator::NotIn: return false;
  }
  __builtin_unreachable();
}

}  // namespace

double as_double(const Value& number) {
  if (number.kind == ValueKind::Float) return number.float_value;
  return static_cast<double>(as_int(number));
}

Value python_binary(Context& context, BinaryOperator op, const Value& a, const Value& b,
                    const BinarySpans& spans) {
  if (is_number(a) && is_number(b)) return number_binary(context, op, a, b, spans);
  if (op == BinaryOperator::Add && a.kind == b.kind && is_repeatable(a)) {
    return concatenate(context, a, b);
  }
  if (op == BinaryOperator::Mult) {
    const std::optional<int128> count_b = known_int(b);
    const std::optional<int128> count_a = known_int(a);
    if (is_repeatable(a) && count_b) return repeat(context, a, *count_b, spans.whole);
    if (is_repeatable(b) && count_a) return repeat(context, b, *count_a, spans.whole);
  }
  return refuse(context, op, a, b, spans.op);
}

Value python_unary(Context& context, syntax::UnaryOperator op, const Value& a, Span span) {
  if (a.kind == ValueKind::Float && op != syntax::UnaryOperator::Invert) {
    return op == syntax::UnaryOperator::USub ? Value::of_float(-a.float_value) : a;
  }
  if (a.kind == ValueKind::Float) {
    return python_binary(context, BinaryOperator::BitXor, a, Value::of_int(-1),
                         {span, span, span, span});
  }
  const int128 value = as_int(a);
  if (op == syntax::UnaryOperator::Invert) return Value::of_int(~value, a.is_hex);
  return Value::of_int(op == syntax::UnaryOperator::USub ? -value : value, a.is_hex);
}

bool python_equal(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) return number_order(a, b) == 0;
  if (a.kind == ValueKind::Type || b.kind == ValueKind::Type) {
    const std::optional<DType> x = as_dtype(a);
    const std::optional<DType> y = as_dtype(b);
    return x && y && *x == *y;
  }
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case ValueKind::String:
    case ValueKind::Builtin: return a.text == b.text;
    case ValueKind::None:
    case ValueKind::Ellipsis: return true;
    case ValueKind::Range:
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict: break;
    case ValueKind::Tensor: return a.tensor == b.tensor;
    case ValueKind::Symbol: return a.symbol == b.symbol;
    case ValueKind::Function: return a.function == b.function;
    case ValueKind::Object: return a.object == b.object;
    case ValueKind::Host: return a.host == b.host;
    case ValueKind::Error:
    case ValueKind::Bool:
    case ValueKind::Int:
    case ValueKind::Float:
    case ValueKind::Type:
    case ValueKind::Expr:
    case ValueKind::Region:
    case ValueKind::Method: return false;
  }
  if (a.kind == ValueKind::Range) {
    const std::int64_t size = sequence_size(a);
    if (size != sequence_size(b)) return false;
    return size == 0 ||
           (a.range.begin == b.range.begin && (size == 1 || a.range_step == b.range_step));
  }
  if (a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!python_equal(a.items[i], b.items[i])) return false;
  }
  return true;
}

std::optional<bool> python_compare(CompareOperator op, const Value& a, const Value& b) {
  if (op == CompareOperator::Eq) return python_equal(a, b);
  if (op == CompareOperator::NotEq) return !python_equal(a, b);
  if (is_number(a) && is_number(b)) {
    const std::optional<int> order = number_order(a, b);
    return order && holds(op, *order);
  }
  if (a.kind != b.kind) return std::nullopt;
  if (a.kind == ValueKind::String) return holds(op, a.text.compare(b.text));
  if (a.kind != ValueKind::Tuple && a.kind != ValueKind::List) return std::nullopt;
  for (std::size_t i = 0; i < a.items.size() && i < b.items.size(); ++i) {
    if (!python_equal(a.items[i], b.items[i])) return python_compare(op, a.items[i], b.items[i]);
  }
  return holds(op, a.items.size() < b.items.size() ? -1 : a.items.size() > b.items.size() ? 1 : 0);
}

}  // namespace tirxcc::sema
