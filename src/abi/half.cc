// SPDX-License-Identifier: Apache-2.0
#include "abi/half.h"

#include <algorithm>
#include <cmath>

namespace tirxcc::abi {
namespace {

struct BinaryFormat {
  int fraction_bits;  // stored
  int min_exponent;   // of the smallest normal number
  int max_exponent;   // of the greatest finite number
};
constexpr BinaryFormat kHalf{10, -14, 15};
constexpr BinaryFormat kBrain{7, -126, 127};

const BinaryFormat& format_of(DType type) {
  return type.is_bfloat16() ? kBrain : kHalf;
}

}  // namespace

std::uint16_t half_bits(DType type, long double value) {
  const BinaryFormat& format = format_of(type);
  int exponent_bits = 15 - format.fraction_bits;
  auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  auto infinity = static_cast<std::uint16_t>(((1 << exponent_bits) - 1) << format.fraction_bits);
  if (std::isnan(value)) {
    return static_cast<std::uint16_t>(sign | infinity | (1 << (format.fraction_bits - 1)));
  }
  long double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | infinity);
  int exponent = std::ilogb(magnitude);
  if (exponent < format.min_exponent) exponent = format.min_exponent;
  // In units of the last place; exact, since scaling by powers of two is.
  long double units = std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent));
  auto count = static_cast<std::uint32_t>(units);
  std::uint32_t implicit = 1U << format.fraction_bits;
  if (count < implicit) return static_cast<std::uint16_t>(sign | count);  // subnormal
  // A carry into the next binade adds one to the exponent field by itself.
  std::uint32_t field = static_cast<std::uint32_t>(exponent - format.min_exponent + 1);
  std::uint32_t bits = (field << format.fraction_bits) + (count - implicit);
  if (bits >= infinity) return static_cast<std::uint16_t>(sign | infinity);
  return static_cast<std::uint16_t>(sign | bits);
}

double half_value(DType type, std::uint16_t bits) {
  const BinaryFormat& format = format_of(type);
  const int implicit = 1 << format.fraction_bits;
  const int fraction = bits & (implicit - 1);
  const int field = (bits & 0x7fff) >> format.fraction_bits;
  const bool is_finite = field <= format.max_exponent - format.min_exponent + 1;
  double magnitude = fraction == 0 ? HUGE_VAL : std::nan("");
  if (is_finite) {
    magnitude = std::ldexp(fraction + (field == 0 ? 0 : implicit),
                           std::max(field, 1) - 1 + format.min_exponent - format.fraction_bits);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace tirxcc::abi
