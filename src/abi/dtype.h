// SPDX-License-Identifier: Apache-2.0
//
// Element types: the language's scalar types (language.md 1.6), shared by compiler and runtime.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/int128.h"

namespace tirxcc {

enum class TypeCode : std::uint8_t {
  Error,  // what sema gives an expression about which it has already complained
  Void,
  Bool,  // one byte in memory, 0 or 1
  Int,
  UInt,
  Float,   // IEEE binary16/32/64
  BFloat,  // bfloat16
  Handle,  // an untyped pointer
};

// A scalar (lanes == 1) or vector type. Passed by value; four bytes.
struct DType {
  TypeCode code = TypeCode::Error;
  std::uint8_t bits = 0;  // of one lane; Bool has 8
  std::uint16_t lanes = 1;

  // All of it at once: the compiler compares the members one by one.
  friend constexpr bool operator==(DType a, DType b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  }

  constexpr bool is_error() const { return code == TypeCode::Error; }
  constexpr bool is_void() const { return code == TypeCode::Void; }
  constexpr bool is_bool() const { return code == TypeCode::Bool; }
  constexpr bool is_signed_int() const { return code == TypeCode::Int; }
  constexpr bool is_unsigned_int() const { return code == TypeCode::UInt; }
  constexpr bool is_int() const { return is_signed_int() || is_unsigned_int(); }
  constexpr bool is_int_or_bool() const { return is_int() || is_bool(); }
  constexpr bool is_float() const { return code == TypeCode::Float || code == TypeCode::BFloat; }
  constexpr bool is_bfloat16() const { return code == TypeCode::BFloat; }
  constexpr bool is_float16() const { return code == TypeCode::Float && bits == 16; }
  constexpr bool is_float32() const { return code == TypeCode::Float && bits == 32; }
  constexpr bool is_float64() const { return code == TypeCode::Float && bits == 64; }
  constexpr bool is_half_like() const { return is_float() && bits == 16; }
  constexpr bool is_numeric() const { return is_float() || is_int_or_bool(); }
  constexpr bool is_scalar() const { return lanes == 1; }
  constexpr DType lane() const { return {code, bits, 1}; }
  constexpr DType with_lanes(std::uint16_t n) const { return {code, bits, n}; }
  constexpr int bytes() const { return bits / 8 * lanes; }

  // Smallest and largest value of an integer type or bool, as mathematical integers.
  constexpr int128 min_int() const {
    return is_signed_int() ? -(static_cast<int128>(1) << (bits - 1)) : 0;
  }
  constexpr int128 max_int() const {
    if (is_bool()) return 1;
    return (static_cast<int128>(1) << (is_signed_int() ? bits - 1 : bits)) - 1;
  }
  constexpr bool can_hold(int128 value) const { return value >= min_int() && value <= max_int(); }
};

inline constexpr DType kError{};
inline constexpr DType kVoid{TypeCode::Void, 0, 1};
inline constexpr DType kBool{TypeCode::Bool, 8, 1};
inline constexpr DType kInt8{TypeCode::Int, 8, 1};
inline constexpr DType kInt16{TypeCode::Int, 16, 1};
inline constexpr DType kInt32{TypeCode::Int, 32, 1};
inline constexpr DType kInt64{TypeCode::Int, 64, 1};
inline constexpr DType kUInt8{TypeCode::UInt, 8, 1};
inline constexpr DType kUInt16{TypeCode::UInt, 16, 1};
inline constexpr DType kUInt32{TypeCode::UInt, 32, 1};
inline constexpr DType kUInt64{TypeCode::UInt, 64, 1};
inline constexpr DType kFloat16{TypeCode::Float, 16, 1};
inline constexpr DType kBFloat16{TypeCode::BFloat, 16, 1};
inline constexpr DType kFloat32{TypeCode::Float, 32, 1};
inline constexpr DType kFloat64{TypeCode::Float, 64, 1};
inline constexpr DType kHandle{TypeCode::Handle, 64, 1};

// "float32", "int8", "bool", "float16x4", "handle", "void".
std::string to_string(DType type);
// The same names and the short ones ("f32", "i8", "u8", "bf16", "boolean"); nullopt if unknown.
std::optional<DType> parse_dtype(std::string_view name);
// Wraps a mathematical integer to the type's width (two's complement; bool: != 0).
int128 wrap_int(DType type, int128 value);

}  // namespace tirxcc
