// SPDX-License-Identifier: Apache-2.0
//
// Module math, on numbers that are known while compiling.
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "intrinsics/intrinsics.h"
#include "sema/builtins.h"
#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kMathArgument{"math-argument", Severity::Error, ErrorClass::Type,
                                   "{} takes numbers that are known while compiling, not {}"};
constexpr Diagnostic kMathDomain{"math-domain", Severity::Error, ErrorClass::Value,
                                 "{} is not defined for {}"};

using Unary = double (*)(double);
using Binary = double (*)(double, double);

struct UnaryRow {
  std::string_view name;
  Unary function;
};
struct BinaryRow {
  std::string_view name;
  Binary function;
};

constexpr double kDegree = std::numbers::pi / 180;

const std::array kUnary = {
    UnaryRow{"acos", std::acos},    UnaryRow{"acosh", std::acosh},
    UnaryRow{"asin", std::asin},    UnaryRow{"asinh", std::asinh},
    UnaryRow{"atan", std::atan},    UnaryRow{"atanh", std::atanh},
    UnaryRow{"cbrt", std::cbrt},    UnaryRow{"cos", std::cos},
    UnaryRow{"cosh", std::cosh},    UnaryRow{"degrees", [](double x) { return x / kDegree; }},
    UnaryRow{"erf", std::erf},      UnaryRow{"erfc", std::erfc},
    UnaryRow{"exp", std::exp},      UnaryRow{"exp2", std::exp2},
    UnaryRow{"expm1", std::expm1},  UnaryRow{"fabs", std::fabs},
    UnaryRow{"gamma", std::tgamma}, UnaryRow{"lgamma", std::lgamma},
    UnaryRow{"log10", std::log10},  UnaryRow{"log1p", std::log1p},
    UnaryRow{"log2", std::log2},    UnaryRow{"radians", [](double x) { return x * kDegree; }},
    UnaryRow{"sin", std::sin},      UnaryRow{"sinh", std::sinh},
    UnaryRow{"sqrt", std::sqrt},    UnaryRow{"tan", std::tan},
    UnaryRow{"tanh", std::tanh},
};

const std::array kBinary = {
    BinaryRow{"atan2", std::atan2},
    BinaryRow{"copysign", std::copysign},
    BinaryRow{"fmod", std::fmod},
    BinaryRow{"hypot", std::hypot},
    BinaryRow{"ldexp", [](double x, double n) { return std::ldexp(x, static_cast<int>(n)); }},
    BinaryRow{"pow", std::pow},
};

struct MathCall {
  Context& context;
  std::string_view path;  // "math.sqrt"
  const syntax::Call& node;
  std::vector<Value> args;

  Value out_of_domain(std::size_t i) const {
    context.diags.report(node.args[std::min(i, node.args.size() - 1)]->span, kMathDomain, path,
                         python_text(args[i], true).value_or("this"));
    return Value::error();
  }
  bool has_count(std::size_t count) const {
    if (args.size() == count) return true;
    report_argument_count(context, node.span, path, std::to_string(count), args.size());
    return false;
  }
  // A result that appears from finite operands must be finite, as Python demands.
  Value finite(double result) const {
    for (const Value& arg : args) {
      if (!std::isfinite(as_double(arg))) return Value::of_float(result);
    }
    return std::isfinite(result) ? Value::of_float(result) : out_of_domain(0);
  }
};

// floor, ceil, trunc give ints.
Value to_whole(const MathCall& call, double value) {
  if (call.args[0].kind != ValueKind::Float) return Value::of_int(*known_int(call.args[0]));
  if (!(std::fabs(value) < 0x1p126)) return call.out_of_domain(0);
  return Value::of_int(static_cast<int128>(value));
}

int128 gcd_of(int128 a, int128 b) {
  while (b != 0) {
    const int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

int128 integer_root(int128 value) {
  auto root = static_cast<int128>(std::sqrt(static_cast<double>(value)));
  while (root * root > value)
    --root;
  while ((root + 1) * (root + 1) <= value)
    ++root;
  return root;
}

// Functions of ints.
std::optional<Value> int_function(const MathCall& call, std::string_view name) {
  const bool is_pair = name == "gcd" || name == "lcm" || name == "comb";
  const bool is_single = name == "factorial" || name == "isqrt";
  if (!is_pair && !is_single) return std::nullopt;
  if (!call.has_count(is_pair ? 2 : 1)) return Value::error();
  int128 numbers[2] = {0, 0};
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const std::optional<int128> known = known_int(call.args[i]);
    if (!known || (*known < 0 && name != "gcd" && name != "lcm")) return call.out_of_domain(i);
    numbers[i] = *known;
  }
  const auto [a, b] = numbers;
  if (name == "gcd") return Value::of_int(gcd_of(a, b));
  if (name == "isqrt") return Value::of_int(integer_root(a));
  int128 result = 1;
  if (name == "lcm") {
    if (a == 0 || b == 0) return Value::of_int(0);
    if (__builtin_mul_overflow(a / gcd_of(a, b), b, &result)) return call.out_of_domain(0);
    return Value::of_int(result < 0 ? -result : result);
  }
  if (name == "factorial") {
    for (int128 i = 2; i <= a; ++i) {
      if (__builtin_mul_overflow(result, i, &result)) return call.out_of_domain(0);
    }
    return Value::of_int(result);
  }
  if (b > a) return Value::of_int(0);
  for (int128 i = 1; i <= b; ++i) {
    if (__builtin_mul_overflow(result, a - b + i, &result)) return call.out_of_domain(0);
    result /= i;
  }
  return Value::of_int(result);
}

// True in `is...` functions.
std::optional<Value> predicate(const MathCall& call, std::string_view name) {
  if (!name.starts_with("is") || name == "isqrt") return std::nullopt;
  if (!call.has_count(1)) return Value::error();
  const double x = as_double(call.args[0]);
  return Value::of_bool(name == "isnan"   ? std::isnan(x)
                        : name == "isinf" ? std::isinf(x)
                                          : std::isfinite(x));
}

Value logarithm(const MathCall& call) {
  if (call.args.size() != 2 && !call.has_count(1)) return Value::error();
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    if (as_double(call.args[i]) <= 0) return call.out_of_domain(i);
  }
  const double result = std::log(as_double(call.args[0]));
  return call.finite(call.args.size() == 1 ? result : result / std::log(as_double(call.args[1])));
}

Value dispatch(const MathCall& call, std::string_view name) {
  if (name == "floor" || name == "ceil" || name == "trunc") {
    if (!call.has_count(1)) return Value::error();
    const double x = as_double(call.args[0]);
    return to_whole(call, name == "floor"  ? std::floor(x)
                          : name == "ceil" ? std::ceil(x)
                                           : std::trunc(x));
  }
  if (name == "log") return logarithm(call);
  if (const std::optional<Value> result = int_function(call, name)) return *result;
  if (const std::optional<Value> result = predicate(call, name)) return *result;
  for (const UnaryRow& row : kUnary) {
    if (row.name != name) continue;
    return call.has_count(1) ? call.finite(row.function(as_double(call.args[0]))) : Value::error();
  }
  for (const BinaryRow& row : kBinary) {
    if (row.name != name) continue;
    if (!call.has_count(2)) return Value::error();
    return call.finite(row.function(as_double(call.args[0]), as_double(call.args[1])));
  }
  return not_supported(call.context, call.node.func->span, fmt::format("math.{}", name));
}

Value product(const MathCall& call, const Value& sequence) {
  const std::optional<Values> items =
      sequence_items(call.context, sequence, call.node.args[0]->span);
  if (!items) return Value::error();
  Value result = Value::of_int(1);
  const Span span = call.node.span;
  for (const Value& item : *items) {
    result = binary(call.context, syntax::BinaryOperator::Mult, result, item,
                    {span, span, call.node.func->span, span});
  }
  return result;
}

}  // namespace

std::optional<double> math_constant(std::string_view path) {
  if (path == "math.pi") return std::numbers::pi;
  if (path == "math.e") return std::numbers::e;
  if (path == "math.tau") return 2 * std::numbers::pi;
  if (path == "math.inf") return std::numeric_limits<double>::infinity();
  if (path == "math.nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

Value call_math(Context& context, std::string_view path, const syntax::Call& node) {
  const std::string_view name = path.substr(std::string_view("math.").size());
  const auto arguments = eval_arguments(context, node, path);
  if (!arguments) return Value::error();
  MathCall call{context, path, node, {}};
  if (name == "prod") {
    call.args.resize(arguments->size());
    return call.has_count(1) ? product(call, (*arguments)[0].value) : Value::error();
  }
  for (const EvaluatedArgument& argument : *arguments) {
    const std::optional<Value> number = known_number(argument.value);
    if (!number) {
      auto report =
          context.diags.report(argument.span, kMathArgument, path, describe(argument.value));
      if (intrinsics::find(name, context.dialect_letter()) != nullptr) {
        report.note("T.{} computes it in the kernel", name);
      }
      return Value::error();
    }
    call.args.push_back(*number);
  }
  return dispatch(call, name);
}

}  // namespace tirxcc::sema
