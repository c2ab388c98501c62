// SPDX-License-Identifier: Apache-2.0
//
// Which values an integer expression can have: intervals from constants, extents, loop bounds,
// launch sizes and the conditions that dominate a place. Passes ask; nothing is stored in nodes.
//
// The object is made for one kernel. What a condition says about immutable values (variables and
// launch indices) is known only where it dominates, so a pass that walks the kernel tells where it
// is: assume(i < n, true) on entering the body of `if i < n`, forget() on leaving it.
// RangedRewriter (ranged_rewriter.h) does this for passes that rewrite.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/int128.h"
#include "base/pointer_map.h"
#include "ir/ir.h"

namespace tirxcc::ir {

// Inclusive on both sides; lo <= hi.
struct Interval {
  int128 lo = 0;
  int128 hi = 0;

  bool contains(int128 value) const { return lo <= value && value <= hi; }
  bool within(Interval outer) const { return outer.lo <= lo && hi <= outer.hi; }
  friend bool operator==(Interval, Interval) = default;
};

// True if every path through the list ends in a jump (nothing after it runs).
bool ends_in_jump(StmtList list);

class RangeAnalysis {
 public:
  // `grid_fits`: for each axis, grid size times block size is at most 2^31 - 1 (the launch plan
  // checks it and picks the variant; PassOptions::big_grid is its negation).
  explicit RangeAnalysis(const Kernel& kernel, bool grid_fits = true);

  // All values that the integer or bool expression can have here; the type's whole range if
  // nothing is known. Values that have wrapped are in it.
  Interval range(const Expr* expr) const;
  bool is_non_negative(const Expr* expr) const { return range(expr).lo >= 0; }
  // The mathematical result of the outermost operation, on the values its operands have, fits its
  // type.
  bool no_wrap(const Expr* expr) const;

  // Facts form a stack.
  std::size_t mark() const { return undo_.size(); }
  void assume(const Expr* condition, bool holds);
  void forget(std::size_t mark);
  // What holds behind the statement in its list: `if i >= n: return` leaves i < n.
  void assume_after(const Stmt& stmt);

 private:
  // What is known of one immutable value: for its whole life, and by the facts that hold now.
  struct Known {
    bool is_defined = false;
    bool has_fact = false;
    Interval defined;
    Interval fact;
  };
  // A Var, or where launch_ has the value of a launch index.
  struct Key {
    const Var* var = nullptr;
    int launch_index = 0;
  };
  struct Undo {
    Key key;
    bool had_fact;
    Interval fact;
  };

  void walk(StmtList list);
  void define(const Var* var, Interval interval);
  void define_sizes(const Kernel& kernel);
  void define_launch(const LaunchConfig& config);
  void learn_from_extent(const Expr* extent, int128 least);
  Interval of_loop(const For& loop) const;
  Interval of_loop(const CountedFor& loop) const;
  void compare(BinaryOp op, const Expr* a, const Expr* b);
  void bound(const Expr* expr, Interval interval);
  static Interval known(const Known* value, DType type);
  Known& place_of(Key key);
  // The mathematical result, before wrapping; false if it has no bound.
  bool exact(const Expr& expr, Interval& result) const;
  bool exact_binary(const Binary& node, Interval& result) const;
  Interval of_cast(const Cast& cast) const;
  Interval of_call(const Call& call) const;
  bool is_global_thread_index(const Binary& sum) const;

  static constexpr int kLaunchIndexKinds = 5;
  PointerMap<Known> values_;
  std::array<Known, kLaunchIndexKinds * 3> launch_indices_;
  std::vector<Undo> undo_;
  const LaunchConfig* launch_ = nullptr;
  bool grid_fits_;
};

}  // namespace tirxcc::ir
