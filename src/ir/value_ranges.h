// SPDX-License-Identifier: Apache-2.0
//
// Value ranges of integer expressions of a CpuKernel, for a walk in program order: from types,
// literals, loop bounds, assumed ranges of launch indices, and the conditions of enclosing
// branches. They tell which additions cannot wrap (so an int32 index can be computed in 64 bits and
// addresses stay affine) and which divisors cannot be 0.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/int128.h"
#include "ir/cpu_kernel.h"

namespace tirxcc::ir {

// All mathematical integers low .. high.
struct Range {
  int128 low = 0;
  int128 high = 0;

  static Range of_type(DType type) { return {type.min_int(), type.max_int()}; }
  static Range exactly(int128 value) { return {value, value}; }
  bool fits(DType type) const { return type.can_hold(low) && type.can_hold(high); }
  bool contains(int128 value) const { return low <= value && value <= high; }
  bool is_non_negative() const { return low >= 0; }
  Range join(Range other) const { return {std::min(low, other.low), std::max(high, other.high)}; }
  // Empty intersections (dead code) keep this range.
  Range meet(Range other) const {
    Range both{std::max(low, other.low), std::min(high, other.high)};
    return both.low <= both.high ? both : *this;
  }
};

class Ranges {
 public:
  explicit Ranges(const CpuKernel& kernel);

  // The range of an integer or bool expression at this place.
  Range of(const Expr& expr);
  // Whether the result of an integer operation, taken in exact arithmetic, fits its type.
  bool cannot_wrap(const Binary& expr);

  void bind(const Var* var, Range range);
  void bind(const Let& let);
  void bind(const For& loop);
  void bind(const CountedFor& loop);
  // The turns of the loop have increasing values from 0 on, so that none of them wraps.
  bool counts_up(const CountedFor& loop);
  // A fact about the variable that the kernel was given with, not one derived here.
  bool is_given(const Var* var) const { return given_.contains(var); }
  // Narrows what `condition` (being `truth`) says about variables, until restore(mark).
  using Mark = std::size_t;
  Mark mark() const { return undo_.size(); }
  void assume(const Expr& condition, bool truth);
  void restore(Mark mark);

 private:
  struct Undo {
    const Var* var;
    Range range;
  };
  struct Known {
    Range range;
    std::uint64_t epoch = 0;
  };

  Range compute(const Expr& expr);
  Range of_binary(const Binary& expr);
  Range exact(const Binary& expr);
  void narrow(const Expr& expr, Range range);
  void assume_comparison(const Binary& condition, bool truth);

  std::unordered_map<const Var*, Range> given_;
  std::unordered_map<const Var*, Range> vars_;
  std::unordered_map<const Expr*, Known> known_;
  std::vector<Undo> undo_;
  std::uint64_t epoch_ = 1;
};

}  // namespace tirxcc::ir
