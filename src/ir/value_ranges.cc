// SPDX-License-Identifier: Apache-2.0
//
// See value_ranges.h. Intervals are kept in 128 bits: products of two signed 64-bit values fit.
#include "ir/value_ranges.h"

#include "ir/builder.h"

namespace tirxcc::ir {
namespace {

int128 floor_div(int128 a, int128 b) {
  const int128 quotient = a / b;
  return a % b != 0 && ((a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

Range range_of_floor_div(Range a, Range b) {
  // The quotient is monotone in a, and in b on each side of 0; 0 gives 0.
  if (b.low <= 0) {
    const int128 reach = std::max(a.high < 0 ? -a.high : a.high, a.low < 0 ? -a.low : a.low) + 1;
    return {-reach, reach};
  }
  const int128 corners[] = {floor_div(a.low, b.low), floor_div(a.low, b.high),
                            floor_div(a.high, b.low), floor_div(a.high, b.high)};
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

// Of two unsigned 64-bit values it may need 129 bits; what it stays at fits no type either.
int128 product(int128 a, int128 b) {
  int128 result = 0;
  if (!__builtin_mul_overflow(a, b, &result)) return result;
  const int128 highest = static_cast<int128>(~uint128{0} >> 1);
  return (a < 0) == (b < 0) ? highest : -highest;
}

// A mask of ones that covers every value up to `high`.
int128 covering_mask(int128 high) {
  int128 mask = 1;
  while (mask <= high)
    mask <<= 1;
  return mask - 1;
}

}  // namespace

Ranges::Ranges(const CpuKernel& kernel) {
  const auto bind_size = [&](const Var* var) {
    if (var != nullptr) vars_[var] = {0, INT64_MAX};
  };
  bind_size(kernel.first_block);
  bind_size(kernel.last_block);
  for (int axis = 0; axis < 3; ++axis) {
    bind_size(kernel.grid[axis]);
    bind_size(kernel.block[axis]);
  }
  for (const VarRange& known : kernel.ranges) {
    given_[known.var] = {known.low, known.high};
    vars_[known.var] = {known.low, known.high};
  }
}

Range Ranges::of(const Expr& expr) {
  if (const auto found = known_.find(&expr);
      found != known_.end() && found->second.epoch == epoch_) {
    return found->second.range;
  }
  const Range range = compute(expr);
  known_[&expr] = {range, epoch_};
  return range;
}

Range Ranges::compute(const Expr& expr) {
  const Range all = Range::of_type(expr.dtype);
  if (const auto* imm = as<IntImm>(&expr)) {
    return Range::exactly(expr.dtype.is_unsigned_int() ? static_cast<std::uint64_t>(imm->value)
                                                       : static_cast<int128>(imm->value));
  }
  if (const auto* ref = as<VarRef>(&expr)) {
    const auto found = vars_.find(ref->var);
    return found == vars_.end() ? all : found->second;
  }
  if (const auto* cast = as<Cast>(&expr)) {
    if (!cast->a->dtype.is_int_or_bool() || cast->is_bits || expr.dtype.is_bool()) return all;
    const Range inner = of(*cast->a);
    return inner.fits(expr.dtype) ? inner : all;
  }
  if (const auto* select = as<Select>(&expr)) return of(*select->a).join(of(*select->b));
  if (const auto* unary = as<Unary>(&expr); unary && unary->op == UnaryOp::Neg) {
    const Range a = of(*unary->a);
    const Range result{-a.high, -a.low};
    return result.fits(expr.dtype) ? result : all;
  }
  if (const auto* binary = as<Binary>(&expr); binary && expr.dtype.is_int()) {
    return of_binary(*binary);
  }
  return all;
}

Range Ranges::exact(const Binary& expr) {
  const Range a = of(*expr.a);
  const Range b = of(*expr.b);
  if (expr.op == BinaryOp::Add) return {a.low + b.low, a.high + b.high};
  if (expr.op == BinaryOp::Sub) return {a.low - b.high, a.high - b.low};
  const int128 corners[] = {product(a.low, b.low), product(a.low, b.high), product(a.high, b.low),
                            product(a.high, b.high)};
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

bool Ranges::cannot_wrap(const Binary& expr) {
  const bool is_linear =
      expr.op == BinaryOp::Add || expr.op == BinaryOp::Sub || expr.op == BinaryOp::Mul;
  return is_linear && expr.dtype.is_int() && exact(expr).fits(expr.dtype);
}

Range Ranges::of_binary(const Binary& expr) {
  const Range all = Range::of_type(expr.dtype);
  Range result = all;
  const Range a = of(*expr.a);
  const Range b = of(*expr.b);
  const bool is_positive = a.is_non_negative() && b.is_non_negative();
  if (expr.op == BinaryOp::Add || expr.op == BinaryOp::Sub || expr.op == BinaryOp::Mul) {
    result = exact(expr);
  } else if (expr.op == BinaryOp::FloorDiv || (expr.op == BinaryOp::TruncDiv && is_positive)) {
    result = range_of_floor_div(a, b);
  } else if ((expr.op == BinaryOp::FloorMod || (expr.op == BinaryOp::TruncMod && is_positive)) &&
             b.low > 0) {
    result = {0, a.is_non_negative() ? std::min(a.high, b.high - 1) : b.high - 1};
  } else if (expr.op == BinaryOp::BitAnd && (a.is_non_negative() || b.is_non_negative())) {
    result = {0, !a.is_non_negative()   ? b.high
                 : !b.is_non_negative() ? a.high
                                        : std::min(a.high, b.high)};
  } else if ((expr.op == BinaryOp::BitOr || expr.op == BinaryOp::BitXor) && is_positive) {
    result = {0, covering_mask(std::max(a.high, b.high))};
  } else if (expr.op == BinaryOp::ShiftRight && b.low == b.high && b.low >= 0 && b.low < 64) {
    result = {a.low >> static_cast<int>(b.low), a.high >> static_cast<int>(b.low)};
  } else if (expr.op == BinaryOp::ShiftLeft && b.low == b.high && b.low >= 0 &&
             b.low < expr.dtype.bits) {
    const int128 factor = static_cast<int128>(1) << static_cast<int>(b.low);
    result = {a.low * factor, a.high * factor};
  }
  return result.fits(expr.dtype) ? result : all;
}

void Ranges::bind(const Var* var, Range range) {
  vars_[var] = range;
  ++epoch_;
}

void Ranges::bind(const Let& let) {
  if (!let.var->dtype.is_int()) return;
  const auto given = given_.find(let.var);
  const Range range = of(*let.value);
  bind(let.var, given == given_.end() ? range : range.meet(given->second));
}

void Ranges::bind(const For& loop) {
  const Range begin = of(*loop.begin);
  const Range end = of(*loop.end);
  bind(loop.var, loop.step > 0 ? Range{begin.low, std::max(begin.low, end.high - 1)}
                               : Range{std::min(begin.high, end.low + 1), begin.high});
}

void Ranges::bind(const CountedFor& loop) {
  const Range all = Range::of_type(loop.var->dtype);
  bind(loop.var, counts_up(loop) ? Range{of(*loop.start).low, all.high} : all);
}

bool Ranges::counts_up(const CountedFor& loop) {
  const IntImm* step = as_int(loop.step);
  return loop.var->dtype.is_signed_int() && step != nullptr && step->value > 0 &&
         of(*loop.start).is_non_negative();
}

void Ranges::narrow(const Expr& expr, Range range) {
  const auto* ref = as<VarRef>(&expr);
  if (ref == nullptr) return;
  const Range old = of(expr);
  undo_.push_back({ref->var, old});
  bind(ref->var, old.meet(range));
}

void Ranges::assume_comparison(const Binary& condition, bool truth) {
  if (!condition.a->dtype.is_int()) return;
  const BinaryOp op = truth ? condition.op : negated(condition.op);
  const Range all = Range::of_type(condition.a->dtype);
  const Range a = of(*condition.a);
  const Range b = of(*condition.b);
  if (op == BinaryOp::Lt || op == BinaryOp::Le) {
    const int gap = op == BinaryOp::Lt ? 1 : 0;
    narrow(*condition.a, {all.low, b.high - gap});
    narrow(*condition.b, {a.low + gap, all.high});
  } else if (op == BinaryOp::Gt || op == BinaryOp::Ge) {
    const int gap = op == BinaryOp::Gt ? 1 : 0;
    narrow(*condition.a, {b.low + gap, all.high});
    narrow(*condition.b, {all.low, a.high - gap});
  } else if (op == BinaryOp::Eq) {
    narrow(*condition.a, b);
    narrow(*condition.b, a);
  }
}

void Ranges::assume(const Expr& condition, bool truth) {
  if (const auto* unary = as<Unary>(&condition); unary && unary->op == UnaryOp::Not) {
    return assume(*unary->a, !truth);
  }
  const auto* binary = as<Binary>(&condition);
  if (binary == nullptr) return;
  if (binary->op == (truth ? BinaryOp::And : BinaryOp::Or)) {
    assume(*binary->a, truth);
    assume(*binary->b, truth);
  } else if (is_comparison(binary->op)) {
    assume_comparison(*binary, truth);
  }
}

void Ranges::restore(Mark mark) {
  while (undo_.size() > mark) {
    vars_[undo_.back().var] = undo_.back().range;
    undo_.pop_back();
  }
  ++epoch_;
}

}  // namespace tirxcc::ir
