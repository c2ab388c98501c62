// SPDX-License-Identifier: Apache-2.0
#include "ir/interval_arithmetic.h"

#include <algorithm>
#include <limits>

namespace tirxcc::ir {
namespace {

int128 floor_div(int128 a, int128 b) {
  int128 quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// The interval of a function that is monotone in each operand: its values at the four corners.
template <typename F>
Interval corners(Interval a, Interval b, F f) {
  int128 values[] = {f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)};
  auto [least, most] = std::minmax_element(std::begin(values), std::end(values));
  return {*least, *most};
}

bool multiply(Interval a, Interval b, Interval& result) {
  bool overflow = false;
  result = corners(a, b, [&](int128 x, int128 y) {
    int128 product = 0;
    overflow |= __builtin_mul_overflow(x, y, &product);
    return product;
  });
  return !overflow;
}

bool modulo(bool is_floor, Interval a, Interval b, Interval& result) {
  if (b.contains(0)) return false;
  if (b.lo > 0 && a.lo >= 0) {
    result = {0, std::min(a.hi, b.hi - 1)};
    if (a.hi < b.lo) result = a;
    return true;
  }
  int128 most = std::max(b.hi, -b.lo) - 1;
  if (is_floor) {
    result = b.lo > 0 ? Interval{0, most} : Interval{-most, 0};
  } else {
    result = {a.lo < 0 ? -most : 0, a.hi > 0 ? most : 0};
  }
  return true;
}

// All ones up to the highest bit of `value`.
int128 fill_bits(int128 value) {
  int128 filled = 0;
  while (filled < value)
    filled = filled * 2 + 1;
  return filled;
}

bool bitwise(BinaryOp op, Interval a, Interval b, Interval& result) {
  if (op == BinaryOp::BitAnd) {
    if (a.lo < 0 && b.lo < 0) return false;
    int128 most = a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : std::min(a.hi, b.hi);
    result = {0, most};
    return true;
  }
  if (a.lo < 0 || b.lo < 0) return false;
  int128 least = op == BinaryOp::BitOr ? std::max(a.lo, b.lo) : 0;
  result = {least, fill_bits(std::max(a.hi, b.hi))};
  return true;
}

bool shift(BinaryOp op, DType type, Interval a, Interval b, Interval& result) {
  if (b.lo < 0 || b.hi >= type.bits) return false;
  Interval power{static_cast<int128>(1) << static_cast<int>(b.lo), static_cast<int128>(1)
                                                                       << static_cast<int>(b.hi)};
  if (op == BinaryOp::ShiftLeft) return multiply(a, power, result);
  result = corners(a, power, floor_div);
  return true;
}

}  // namespace

Interval whole(DType type) {
  if (!type.is_int_or_bool() || !type.is_scalar()) {
    int128 half = static_cast<int128>(1) << 100;  // no integer: nothing to say, sums still fit
    return {-half, half};
  }
  return {type.min_int(), type.max_int()};
}

Interval unite(Interval a, Interval b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

Interval intersect(Interval a, Interval b) {
  Interval both{std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
  return both.lo <= both.hi ? both : a;
}

bool interval_of(BinaryOp op, DType type, Interval a, Interval b, Interval& result) {
  switch (op) {
    case BinaryOp::Add: result = {a.lo + b.lo, a.hi + b.hi}; return true;
    case BinaryOp::Sub: result = {a.lo - b.hi, a.hi - b.lo}; return true;
    case BinaryOp::Mul: return multiply(a, b, result);
    case BinaryOp::FloorDiv:
      if (b.contains(0)) return false;
      result = corners(a, b, floor_div);
      return true;
    case BinaryOp::TruncDiv:
      if (b.contains(0)) return false;
      result = corners(a, b, [](int128 x, int128 y) { return x / y; });
      return true;
    case BinaryOp::FloorMod: return modulo(true, a, b, result);
    case BinaryOp::TruncMod: return modulo(false, a, b, result);
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor: return bitwise(op, a, b, result);
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight: return shift(op, type, a, b, result);
    case BinaryOp::Div: return false;
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge: result = {0, 1}; return true;
  }
  return false;
}

}  // namespace tirxcc::ir
