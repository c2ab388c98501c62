// SPDX-License-Identifier: Apache-2.0
#include "abi/scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/int128.h"

namespace tirxcc::abi {
namespace {

struct BinaryFormat {
  int fraction_bits;  // stored
  int min_exponent;   // of the smallest normal number
  int max_exponent;   // of the greatest finite number
};
constexpr BinaryFormat kHalf{10, -14, 15};
constexpr BinaryFormat kBrain{7, -126, 127};

// Rounds a double to a 16-bit format, to nearest even, in one step.
std::uint16_t narrow_bits(const BinaryFormat& format, double value) {
  int exponent_bits = 15 - format.fraction_bits;
  auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  auto infinity = static_cast<std::uint16_t>(((1 << exponent_bits) - 1) << format.fraction_bits);
  if (std::isnan(value)) {
    return static_cast<std::uint16_t>(sign | infinity | (1 << (format.fraction_bits - 1)));
  }
  double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | infinity);
  int exponent = std::ilogb(magnitude);
  if (exponent < format.min_exponent) exponent = format.min_exponent;
  // In units of the last place; exact, since scaling by powers of two is.
  double units = std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent));
  auto count = static_cast<std::uint32_t>(units);
  std::uint32_t implicit = 1U << format.fraction_bits;
  if (count < implicit) return static_cast<std::uint16_t>(sign | count);  // subnormal
  // A carry into the next binade adds one to the exponent field by itself.
  std::uint32_t field = static_cast<std::uint32_t>(exponent - format.min_exponent + 1);
  std::uint32_t bits = (field << format.fraction_bits) + (count - implicit);
  if (bits >= infinity) return static_cast<std::uint16_t>(sign | infinity);
  return static_cast<std::uint16_t>(sign | bits);
}

bool integer_of(const Argument& argument, int128& value) {
  switch (argument.kind) {
    case ArgumentKind::Int:
    case ArgumentKind::Bool: value = argument.int_value; return true;
    case ArgumentKind::UInt: value = argument.uint_value; return true;
    case ArgumentKind::Missing:
    case ArgumentKind::Tensor:
    case ArgumentKind::Float:
    case ArgumentKind::None:
    case ArgumentKind::Pointer: return false;
  }
  return false;
}

bool is_finite_bits(DType type, std::uint64_t bits) {
  if (type.is_float64()) return std::isfinite(std::bit_cast<double>(bits));
  if (type.is_float32())
    return std::isfinite(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  std::uint64_t infinity = type.is_bfloat16() ? 0x7f80 : 0x7c00;
  return (bits & infinity) != infinity;
}

}  // namespace

double half_to_double(std::uint16_t bits) {
  int exponent = bits >> kHalf.fraction_bits & 31;
  int fraction = bits & 0x3ff;
  double magnitude = std::ldexp(fraction + (exponent == 0 ? 0 : 0x400),
                                std::max(exponent, 1) - 1 + kHalf.min_exponent - 10);
  if (exponent == 31) magnitude = fraction == 0 ? HUGE_VAL : std::nan("");
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

std::uint64_t float_bits(DType type, double value) {
  if (type.is_float64()) return std::bit_cast<std::uint64_t>(value);
  if (type.is_float32()) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return narrow_bits(type.is_bfloat16() ? kBrain : kHalf, value);
}

bool scalar_bits(const Argument& argument, DType type, std::uint64_t& bits) {
  int128 integer = 0;
  bool is_integer = integer_of(argument, integer);
  if (type.is_float()) {
    if (!is_integer && argument.kind != ArgumentKind::Float) return false;
    double value = is_integer ? static_cast<double>(integer) : argument.float_value;
    bits = float_bits(type, value);
    return !std::isfinite(value) || is_finite_bits(type, bits);
  }
  if (!is_integer || !type.can_hold(integer)) return false;
  bits = static_cast<std::uint64_t>(integer);
  return true;
}

std::string to_string(const Argument& argument) {
  switch (argument.kind) {
    case ArgumentKind::Missing: return "nothing";
    case ArgumentKind::Tensor:
      return fmt::format("a {} tensor of rank {}", tirxcc::to_string(argument.tensor->dtype),
                         argument.tensor->rank);
    case ArgumentKind::Int: return fmt::format("{}", argument.int_value);
    case ArgumentKind::UInt: return fmt::format("{}", argument.uint_value);
    case ArgumentKind::Float: return fmt::format("the float {}", argument.float_value);
    case ArgumentKind::Bool: return argument.int_value != 0 ? "True" : "False";
    case ArgumentKind::None: return "None";
    case ArgumentKind::Pointer: return "a pointer";
  }
  return "";
}

}  // namespace tirxcc::abi
