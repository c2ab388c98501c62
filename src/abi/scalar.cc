// SPDX-License-Identifier: Apache-2.0
#include "abi/scalar.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "abi/half.h"
#include "base/int128.h"

namespace tirxcc::abi {
namespace {

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

std::uint64_t float_bits(DType type, double value) {
  if (type.is_float64()) return std::bit_cast<std::uint64_t>(value);
  if (type.is_float32()) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return half_bits(type, value);
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
