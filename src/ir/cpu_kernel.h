// SPDX-License-Identifier: Apache-2.0
//
// A kernel in the form that the CPU back end compiles: grid and block are loops. Pass
// `thread_loops` makes it; no LaunchIndex is left in the body.
#pragma once

#include <string_view>
#include <vector>

#include "ir/ir.h"
#include "ir/traverse.h"

namespace tirxcc::ir {

// Facts about a variable that hold in this variant of the kernel although its definition does not
// show them: the launcher has checked them (block indices below the largest grid).
struct VarRange {
  const Var* var = nullptr;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// For debuggers: a name whose value lives at an address that the variable holds.
struct View {
  const Var* pointer = nullptr;
  std::string_view name;
  DType dtype;
  const Tensor* array = nullptr;  // of a local array: its shape for one thread
};

// A thread loop that may run in lanes: `width` turns at a time, in step.
struct LaneLoop {
  const Var* counter = nullptr;
  std::int32_t width = 0;
  bool is_straight = false;  // written out, without a loop
  // Turns from lane to lane in a launch that is larger than the caches: each lane reads on in a
  // page of memory of its own. 1: neighbours always.
  std::int32_t distance = 1;
};

// A region that the block runs warp by warp: inside a loop over `warp` (int32), whose threads are
// warp * 32 + lane. `lane` (int32) is what the threads call their place in the warp.
struct WarpRegion {
  const Label* region = nullptr;
  const Var* warp = nullptr;
  const Var* lane = nullptr;
};

// Where fibers come together or wait, for messages.
struct MeetingSite {
  Span span;
  std::string_view name;  // of the intrinsic; empty: a loop that waits for memory
};

struct CpuKernel {
  const Kernel* kernel = nullptr;
  // int64 variables that the entry binds from its arguments; null where the body does not ask.
  // They also stand at the end of kernel->symbols, behind those that have an argument word.
  const Var* first_block = nullptr;
  const Var* last_block = nullptr;
  const Var* grid[3] = {nullptr, nullptr, nullptr};
  const Var* block[3] = {nullptr, nullptr, nullptr};
  // Bytes of dynamic shared memory, where arrays of the block have sizes known at launch only.
  const Var* shared_bytes = nullptr;
  std::span<const VarRange> ranges;
  // Largest grid and block extents for which `ranges` hold. A launch beyond them needs the
  // variant abi::kBigGrid, whose limits are those of the language.
  std::int64_t max_grid[3] = {1, 1, 1};
  std::int64_t max_block[3] = {1, 1, 1};
  std::size_t launch_symbols = 0;  // how many of kernel->symbols they are
  // After fission_at_barriers: labels of the parts that threads run; none: the body is one.
  std::span<const Label* const> regions;
  std::span<const WarpRegion> warp_regions;  // those of them that stand in a loop over warps
  // For debuggers only: the arrays that fission_at_barriers made, and what threads keep in them.
  std::span<const Tensor* const> own_arrays;
  std::span<const View> views;
  // Counters of the loops over the threads of a block (int64), and the innermost of each nest: its
  // turns do not depend on each other's memory.
  std::span<const Var* const> thread_loops;
  std::span<const Var* const> innermost_loops;
  // Innermost loops that may run in lanes, and the mutable scalars in them that differ between
  // lanes.
  std::span<const LaneLoop> lane_loops;
  std::span<const Local* const> lane_locals;
  // The body is one thread's, which a fiber runs: first_block is its block, last_block its number
  // in the block. The last operand of what threads do together is the number of its site.
  bool is_fibers = false;
  std::span<const MeetingSite> sites;
  // Grid and block are the one loop of innermost_loops.
  bool is_one_loop = false;
  // The innermost of thread_loops runs over the threads of all blocks of a row.
  bool has_long_rows = false;
  // Bytes of the row that each of its turns reads, if it does (see LaneLoop::distance); else 0.
  std::int64_t row_bytes = 0;
  // The tensor that this loop writes from end to end, an element a turn, and never reads.
  const Tensor* streamed = nullptr;

  // The symbols that have an argument word.
  std::span<const Var* const> symbols() const {
    return kernel->symbols.first(kernel->symbols.size() - launch_symbols);
  }
  // In the order of their numbers, which the code returns when one fails (from 1).
  std::vector<const Assert*> asserts() const;
};

inline std::vector<const Assert*> CpuKernel::asserts() const {
  std::vector<const Assert*> found;
  walk_stmts(kernel->body, [&](const Stmt& stmt) {
    if (const auto* assert = as<Assert>(&stmt)) found.push_back(assert);
  });
  return found;
}

// An array of the block whose size only the launch knows.
inline bool is_sized_at_launch(const Tensor& tensor) {
  if (tensor.scope != Scope::SharedDyn) return false;
  for (const Expr* extent : tensor.shape) {
    if (!is<IntImm>(extent)) return true;
  }
  return false;
}

}  // namespace tirxcc::ir
