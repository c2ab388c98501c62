// SPDX-License-Identifier: Apache-2.0
//
// How far an index certainly goes: the largest value that some thread (and turn of a loop) gives
// it, from the sizes of the launch, the bounds of loops and the guards around.
//
//   grid=T.ceildiv(n, 256), block=256; i counts threads
//   if i < n:                # assume()
//       ... A[i + 1]         # largest(i + 1): n, whatever n is
//
// Ranges (ir/ranges.h) hold all values that may occur; these here are values that do occur. So what
// is not understood must not be passed over: assume() says whether it has understood, and where it
// has not, nothing below is certain.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "passes/affine_index.h"

namespace tirxcc::passes {

// Whether something in the bodies of the statement leaves it, or ends the thread.
bool has_jump(const ir::Stmt& stmt);

// The end of what an index goes through.
struct Edge {
  Affine value;             // of sizes only; reached for some sizes ...
  std::int64_t slack = 0;   // ... and for every size up to so much less
  bool is_limited = false;  // by a guard or a loop, not by the launch alone
};

class IndexLimits {
 public:
  explicit IndexLimits(const AffineReader& reader) : reader_(&reader) {}

  // What holds from here on, until it is forgotten; false: not (wholly) understood.
  bool assume(const ir::Expr& condition, bool holds, int depth = 0);
  // The loop variable takes all its values.
  bool assume_loop(const ir::For& loop);
  std::size_t mark() const { return facts_.size(); }
  void forget(std::size_t mark) { facts_.resize(mark); }

  // Nothing where it is not known. An edge is certain only if the index may_reach_edges(), which
  // takes longer to find out, so it is for who would complain about the edge.
  std::optional<Edge> largest(const Affine& index) const;
  std::optional<Edge> smallest(const Affine& index) const;
  bool may_reach_edges(const Affine& index) const {
    return are_independent(index) && can_hold_together(index);
  }
  // Cheaper than smallest(): no counter of the index, and none times its factor, goes below 0.
  bool is_plainly_positive(const Affine& index) const;
  // What is assumed leaves one value of the counter at the most.
  bool is_single(const Counter& counter) const;

 private:
  // `counter <= size + bound`, or without a size; or `counter >= bound`.
  struct Fact {
    Counter counter;
    bool is_upper = false;
    const ir::Var* size = nullptr;
    std::int64_t bound = 0;
    std::int64_t slack = 0;  // of a launch: for every size it holds for so much less
  };
  // The values of one counter: all from lo to hi.
  struct Range {
    std::int64_t lo = 0;
    std::optional<std::int64_t> hi;  // the constant bounds
    const ir::Var* size = nullptr;   // the one of a size, `size + size_hi`
    std::int64_t size_hi = 0;
    std::int64_t slack = 0;
    bool is_guarded = false;
    bool reaches_hi = false;  // the launch or loop goes as far as the guards allow
  };

  bool compare(ir::BinaryOp op, const ir::Expr* a, const ir::Expr* b);
  bool exclude(const Counter& counter, const ir::Var* size, std::int64_t value);
  void add_fact(const Counter& counter, bool is_upper, const ir::Var* size, std::int64_t bound);
  const std::optional<Fact>& launch_fact(const Counter& counter) const;
  std::optional<Fact> find_launch_fact(const Counter& counter) const;
  std::optional<Range> range_of(const Counter& counter) const;
  static bool take(const Fact& fact, Range& range);
  bool are_independent(const Affine& index) const;
  bool can_hold_together(const Affine& index) const;
  bool add_largest(const Term& term, Edge& edge, int& loose) const;

  const AffineReader* reader_;
  std::vector<Fact> facts_;
  // What launch_fact() has found, by kind of counter and axis.
  static constexpr std::size_t kCounterKinds = 6;
  mutable std::array<std::optional<std::optional<Fact>>, kCounterKinds* 3> launch_facts_ = {};
};

}  // namespace tirxcc::passes
