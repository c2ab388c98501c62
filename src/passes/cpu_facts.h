// SPDX-License-Identifier: Apache-2.0
//
// What the CPU passes decided about a kernel, and why, for `tirxcc build --explain`. Each pass
// writes down its own decisions while it makes them, if PassContext::facts asks for it; nobody
// works them out a second time. The nodes belong to the kernels before and after the passes.
#pragma once

#include <string_view>
#include <vector>

#include "ir/ir.h"
#include "passes/fibers.h"

namespace tirxcc::passes {

// Why the block cannot have a value without running its threads: one step of a chain that leads
// from what a condition names to the reason.
struct UnevenCause {
  enum class Kind : std::uint8_t {
    Name,          // a named value, made at `span`
    Turn,          // the variable of a loop whose turns threads count on their own
    Scalar,        // a mutable scalar that takes a value at `span` that is not even
    Differs,       // a mutable scalar with another value in each thread, or set by some only
    AddressTaken,  // a mutable scalar with an address
    ThreadIndex,   // thread_idx or warp_id
    Memory,        // an element that may differ, or that not all threads come to read
    Division,      // may divide by 0, where not all threads come by
    Operation,     // a call that gives each thread its own, or has an effect
    ByTurns,       // a loop whose step is not known when compiling
  };
  Kind kind = Kind::Name;
  std::string_view name = {};
  ir::Span span = {};
};

struct CpuFacts {
  // Where threads come together; a region ends there.
  struct Meeting {
    ir::Span span;
    std::string_view name;    // of the intrinsic
    bool is_barrier = false;  // of the block
    bool is_watched = false;  // counts who is here, for some may be elsewhere
  };
  // An if or loop with a meeting inside. `why` is empty where it is the block's own.
  struct Control {
    const ir::Stmt* stmt = nullptr;
    std::vector<UnevenCause> why = {};
  };
  // A place where some threads leave others: break, continue, return.
  struct Jump {
    ir::Span span;
    ir::StmtKind kind;
  };
  // What threads keep from one region to another.
  struct Kept {
    std::string_view name;
    ir::Span span;
    const ir::Tensor* array = nullptr;  // null: computed again in each region
  };
  // with_fibers: why, or (no span) because it was asked for
  bool is_fibers = false;
  FiberReason fiber_reason = {};

  // fission_at_barriers
  bool is_split = false;
  std::vector<Meeting> meetings = {};
  std::vector<Control> controls = {};
  std::vector<Jump> jumps = {};
  // Ifs of `controls` and returns of `jumps` of which the thread's place in the block decides, so
  // that they are taken warp by warp.
  std::vector<ir::Span> by_warps = {};
  std::vector<const ir::Local*> block_scalars = {};
  std::vector<Kept> kept = {};
  std::vector<const ir::Tensor*> exchanges = {};  // other arrays with an element for each thread
  const ir::Tensor* heading = nullptr;
  std::size_t regions = 0;

  // merge_branch_stores: spans of the ifs that became one store.
  std::vector<ir::Span> merged = {};

  // thread_loops: what keeps grid and block from being one loop; null where they are, or where the
  // launch already does.
  const ir::Expr* index_blocker = nullptr;
  bool has_other_launch = false;

  // grid_stride_loops: loops that all threads run turn by turn.
  std::vector<ir::Span> turned = {};

  // guards_to_bounds
  enum class GuardFate : std::uint8_t {
    Bound,      // became the loop's bound
    Outside,    // tested once, before the loop
    NoBound,    // does not grow evenly with the thread, may wrap, or is no comparison
    HasEffect,  // evaluating the condition does something
    HasElse,    // both sides do work
    NotLast,    // statements follow that all threads run
  };
  struct Guard {
    const ir::Expr* condition = nullptr;
    std::string_view loop;  // counter of the thread loop
    GuardFate fate = GuardFate::Bound;
  };
  std::vector<Guard> guards = {};

  // vectorize_threads: loops over threads that do not run in lanes, and the first reason.
  enum class NoLanes : std::uint8_t {
    None,
    Short,      // fewer than 8 threads in a row
    Scattered,  // nothing but memory at places that are no neighbours, in a straight line
    Order,      // what it does would show in which order the threads run
    Pointer,    // a pointer is kept, or to something that is not understood
    Scalar,     // a scalar lives outside of the loop
    Memory,     // an array of the thread is too large
    Step,       // a loop's step differs from thread to thread
    Large,      // too many operations
    Other,
  };
  struct LaneRefusal {
    NoLanes why = NoLanes::None;
    ir::Span span = {};  // of the statement or expression, if there is one
  };
  std::vector<LaneRefusal> no_lanes = {};

  // streaming_stores: why stores do not go past the caches. `store` is the one that comes nearest.
  enum class NoStreaming : std::uint8_t {
    Unknown,
    NotOneLoop,
    CanLeave,    // a jump or an assert may leave a turn
    NoStore,     // no store that every turn does
    NotCompact,  // several dimensions, strides or an offset
    NotParam,    // or a pointer to it is taken
    StoredTwice,
    IsRead,
    OtherIndex,
  };
  NoStreaming no_streaming = NoStreaming::Unknown;
  const ir::Store* store = nullptr;
};

}  // namespace tirxcc::passes
