// SPDX-License-Identifier: Apache-2.0
#include "ir/constant.h"

#include <cmath>

#include "abi/half.h"

namespace tirxcc::ir {
namespace {

double round_wide(DType type, long double value) {
  if (type.bits == 16) return abi::half_value(type, abi::half_bits(type, value));
  if (type.bits == 32) return static_cast<float>(value);
  return static_cast<double>(value);
}

int128 floor_div(int128 a, int128 b) {
  int128 quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::optional<int128> fold_shift(BinaryOp op, DType type, int128 a, int128 amount) {
  if (amount < 0 || amount >= type.bits) return std::nullopt;
  auto bits = static_cast<int>(amount);
  if (op == BinaryOp::ShiftRight) return a >> bits;  // arithmetic on a negative int128
  return wrap_int(type, static_cast<int128>(static_cast<uint128>(a) << bits));
}

}  // namespace

double round_to(DType type, double value) {
  return round_wide(type, value);
}

double round_int_to(DType type, int128 value) {
  return round_wide(type, static_cast<long double>(value));
}

int128 float_to_int(DType type, double value) {
  if (type.is_bool()) return value != 0 ? 1 : 0;
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(type.min_int())) return type.min_int();
  // max_int rounds up to a power of two in double for 64-bit types, hence >=.
  if (value >= static_cast<double>(type.max_int())) return type.max_int();
  return static_cast<int128>(value);
}

int128 int_value(const IntImm& literal) {
  if (literal.dtype.is_unsigned_int() && literal.dtype.bits == 64) {
    return static_cast<std::uint64_t>(literal.value);
  }
  return literal.value;
}

std::optional<int128> fold_ints(BinaryOp op, DType type, int128 a, int128 b) {
  switch (op) {
    case BinaryOp::Add: return wrap_int(type, a + b);
    case BinaryOp::Sub: return wrap_int(type, a - b);
    case BinaryOp::Mul:
      // As unsigned: two uint64 give up to 128 bits, of which the low ones count.
      return wrap_int(type, static_cast<int128>(static_cast<uint128>(a) * static_cast<uint128>(b)));
    case BinaryOp::FloorDiv:
      return b == 0 ? std::nullopt : std::optional(wrap_int(type, floor_div(a, b)));
    case BinaryOp::FloorMod:
      return b == 0 ? std::nullopt : std::optional(wrap_int(type, a - floor_div(a, b) * b));
    case BinaryOp::TruncDiv: return b == 0 ? std::nullopt : std::optional(wrap_int(type, a / b));
    case BinaryOp::TruncMod: return b == 0 ? std::nullopt : std::optional(wrap_int(type, a % b));
    case BinaryOp::BitAnd: return wrap_int(type, a & b);
    case BinaryOp::BitOr: return wrap_int(type, a | b);
    case BinaryOp::BitXor: return wrap_int(type, a ^ b);
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight: return fold_shift(op, type, a, b);
    case BinaryOp::And: return a != 0 && b != 0;
    case BinaryOp::Or: return a != 0 || b != 0;
    case BinaryOp::Eq: return a == b;
    case BinaryOp::Ne: return a != b;
    case BinaryOp::Lt: return a < b;
    case BinaryOp::Le: return a <= b;
    case BinaryOp::Gt: return a > b;
    case BinaryOp::Ge: return a >= b;
    case BinaryOp::Div: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> fold_floats(BinaryOp op, DType type, double a, double b) {
  // Each operation in double and then rounded gives the same bits as the operation in float32 or
  // a half type: double has more than twice their precision plus two bits.
  double result = 0;
  if (op == BinaryOp::Add) {
    result = a + b;
  } else if (op == BinaryOp::Sub) {
    result = a - b;
  } else if (op == BinaryOp::Mul) {
    result = a * b;
  } else if (op == BinaryOp::Div && b != 0) {
    result = a / b;
  } else if (op == BinaryOp::FloorDiv && b != 0) {
    result = std::floor(round_to(type, a / b));
  } else {
    return std::nullopt;
  }
  result = round_to(type, result);
  return std::isnan(result) ? std::nullopt : std::optional(result);
}

std::optional<bool> compare_floats(BinaryOp op, double a, double b) {
  if (op == BinaryOp::Eq) return a == b;
  if (op == BinaryOp::Ne) return a != b;
  if (op == BinaryOp::Lt) return a < b;
  if (op == BinaryOp::Le) return a <= b;
  if (op == BinaryOp::Gt) return a > b;
  if (op == BinaryOp::Ge) return a >= b;
  return std::nullopt;
}

}  // namespace tirxcc::ir
