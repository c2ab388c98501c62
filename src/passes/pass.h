// SPDX-License-Identifier: Apache-2.0
//
// What every pass has in common. A pass is a free function
//
//   const ir::Kernel& simplify(const ir::Kernel&, PassContext&);
//
// that returns the same kernel or a new one made in the context's arena. Each pass's header says
// what it expects, what it guarantees, and shows printed IR before and after. The order of passes
// is in one place: driver/pipeline.cc.
#pragma once

#include "base/arena.h"
#include "ir/ir.h"
#include "source/diagnostics.h"

namespace tirxcc::passes {

enum class Target : std::uint8_t { Cuda, Cpu };

// How the threads of a block run on the CPU: what the kernel needs, or (for tests) one way for all
// kernels that it can run.
enum class Scheme : std::uint8_t {
  Automatic,
  Fission,  // region by region, one thread after another
  Lanes,    // region by region, in lanes where that is possible
  Fibers,   // each on a stack of its own
};

// Which code is wanted; a compilation has one of these per variant of a kernel.
struct PassOptions {
  Target target = Target::Cuda;
  int sm = 90;               // compute capability, 10 * major + minor (Cuda)
  bool index64 = false;      // flat offsets in int64: a tensor has more than 2^31-1 elements
  bool no_restrict = false;  // written memory may overlap other parameters
  bool scalar = false;       // no wide accesses: a base is not aligned for them
  bool big_grid = false;     // grid * block may exceed int32; else it fits (the plan checks)
  bool debug = false;        // lines and names of the kernel file stay as they are (Cpu)
  bool is_quick = false;     // compiling fast is what counts (Cpu)
  Scheme scheme = Scheme::Automatic;
  bool plain_scalars = false;  // mutable scalars print as `int i = 0;`
};

struct CpuFacts;

struct PassContext {
  Arena& arena;
  source::Diagnostics& diags;
  PassOptions options = {};
  CpuFacts* facts = nullptr;  // where the CPU passes write down what they decide, if somebody asks
};

}  // namespace tirxcc::passes
