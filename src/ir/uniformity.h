// SPDX-License-Identifier: Apache-2.0
//
// Which threads see the same value in an expression, and which reach a statement together.
//
// "Together" is by turns: threads that are in the same turn of the same loops. A mutable scalar
// that is assigned where not all threads of a block come by is different per thread, whatever is
// assigned; hence the analysis follows jumps and repeats until nothing changes.
//
//   bx = T.cuda.block_idx("x")          # Block
//   t = T.cuda.thread_idx("x")          # Thread
//   w = t // 32                         # Warp
//   if t < n: ...                       # its body is reached by Thread
//   for i in range(n): ...              # i: Grid; the body: Grid, unless something breaks
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/ir.h"

namespace tirxcc::ir {

// From the strongest claim to none: the same in the whole grid, in each block, in each warp, or
// possibly different in every thread.
enum class Uniformity : std::uint8_t { Grid, Block, Warp, Thread };

class UniformityAnalysis {
 public:
  // `no_restrict`: parameters may overlap, so a store to one may change any other.
  explicit UniformityAnalysis(const Kernel& kernel, bool no_restrict = false);

  // The set of threads in which the expression has one value, when they evaluate it together.
  Uniformity of(const Expr* expr) const;
  // The set of threads that reach the statement together, or not at all.
  Uniformity control(const Stmt* stmt) const;

 private:
  // Jumps that leave a statement, by where they go, with the threads that take them together.
  struct Escape {
    const void* target;  // a loop, a label, or null for the end of the kernel
    Uniformity level;
    bool to_next_turn = false;  // of the loop
  };
  using Escapes = std::vector<Escape>;

  void find_writes(const Kernel& kernel);
  void find_warps(const LaunchConfig& launch);
  Escapes walk(StmtList list, Uniformity level);
  Escapes walk_one(const Stmt& stmt, Uniformity level);
  Escapes walk_if(const If& branch, Uniformity level);
  Escapes walk_loop(const Stmt& loop, StmtList body, Uniformity level);
  void raise(const void* thing, Uniformity level);
  Uniformity level_of(const void* thing) const;
  Uniformity of_tensor(const Tensor* tensor) const;
  Uniformity of_index(const LaunchIndex& index) const;
  Uniformity of_call(const Call& call) const;
  Uniformity of_gathered(const Call& call) const;
  bool is_warp_number(const Binary& node) const;

  std::unordered_map<const void*, Uniformity> levels_;   // of variables, and of loop bodies
  std::unordered_map<const Stmt*, Uniformity> control_;  // of statements
  std::unordered_set<const Tensor*> written_;
  std::vector<const Stmt*> loops_;  // open ones, innermost last
  bool any_param_written_ = false;
  bool no_restrict_;
  bool is_single_[3] = {};  // the block has one thread along this axis
  bool is_single_grid_[3] = {};
  bool has_row_warps_ = false;  // each warp lies in one row of threads along x
  bool is_linear_ = false;      // one row only
  bool changed_ = false;
};

}  // namespace tirxcc::ir
