// SPDX-License-Identifier: Apache-2.0
#include "abi/dtype.h"

#include <array>
#include <charconv>
#include <utility>

namespace tirxcc {
namespace {

struct NamedType {
  std::string_view name;
  DType type;
};

// Canonical names first; the first match by type is the printed name.
constexpr std::array kNames = {
    NamedType{"void", kVoid},       NamedType{"bool", kBool},
    NamedType{"int8", kInt8},       NamedType{"int16", kInt16},
    NamedType{"int32", kInt32},     NamedType{"int64", kInt64},
    NamedType{"uint8", kUInt8},     NamedType{"uint16", kUInt16},
    NamedType{"uint32", kUInt32},   NamedType{"uint64", kUInt64},
    NamedType{"float16", kFloat16}, NamedType{"bfloat16", kBFloat16},
    NamedType{"float32", kFloat32}, NamedType{"float64", kFloat64},
    NamedType{"handle", kHandle},   NamedType{"boolean", kBool},
    NamedType{"i8", kInt8},         NamedType{"i16", kInt16},
    NamedType{"i32", kInt32},       NamedType{"i64", kInt64},
    NamedType{"u8", kUInt8},        NamedType{"u16", kUInt16},
    NamedType{"u32", kUInt32},      NamedType{"u64", kUInt64},
    NamedType{"f16", kFloat16},     NamedType{"bf16", kBFloat16},
    NamedType{"f32", kFloat32},     NamedType{"f64", kFloat64},
};

}  // namespace

std::string to_string(DType type) {
  for (const NamedType& named : kNames) {
    if (named.type == type.lane()) {
      std::string text(named.name);
      if (type.lanes > 1) text += "x" + std::to_string(type.lanes);
      return text;
    }
  }
  return "<error>";
}

std::optional<DType> parse_dtype(std::string_view name) {
  for (const NamedType& named : kNames) {
    if (named.name == name) return named.type;
  }
  std::size_t x = name.rfind('x');
  if (x == std::string_view::npos || x == 0 || x + 1 == name.size()) return std::nullopt;
  std::uint16_t lanes = 0;
  const char* end = name.data() + name.size();
  auto [stop, error] = std::from_chars(name.data() + x + 1, end, lanes);
  if (error != std::errc() || stop != end || lanes < 2 || lanes > 64) return std::nullopt;
  std::optional<DType> lane = parse_dtype(name.substr(0, x));
  if (!lane || !lane->is_scalar() || !lane->is_numeric()) return std::nullopt;
  return lane->with_lanes(lanes);
}

int128 wrap_int(DType type, int128 value) {
  if (type.is_bool()) return value != 0 ? 1 : 0;
  uint128 mask = (static_cast<uint128>(1) << type.bits) - 1;
  uint128 low = static_cast<uint128>(value) & mask;
  if (type.is_signed_int() && (low >> (type.bits - 1)) != 0) {
    return static_cast<int128>(low) - (static_cast<int128>(1) << type.bits);
  }
  return static_cast<int128>(low);
}

}  // namespace tirxcc
