// SPDX-License-Identifier: Apache-2.0
//
// Runs kernels whose threads are fibers (ir::CpuKernel::is_fibers): each worker of the pool takes a
// block after another. A worker whose blocks all wait for memory or for the grid begins another
// block, so that blocks which wait for each other get on; how many are under way at once is limited
// by the memory of their stacks.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "abi/cpu_plugin.h"
#include "runtime/cpu/fiber_block.h"

namespace tirxcc::runtime_cpu {

struct FiberKernel {
  abi::CpuEntry entry = nullptr;
  std::int64_t stack_bytes = 0;        // of a thread
  std::span<const std::string> sites;  // of what threads do together: "relu.py:12"
  bool is_in_order = false;            // one block after another, on the calling thread
};

// Runs all blocks of the grid and returns when they are done. `sizes` as the launch of
// abi::CpuEntry. A failure's status may be kStopped.
FiberFailure launch_fibers(const FiberKernel& kernel, const std::uint64_t* args,
                           const std::int64_t sizes[7]);

// What generated code calls: see abi::CpuMeeting.
std::uint64_t meet(std::int32_t meeting, std::int32_t site, std::uint64_t a, std::uint64_t b,
                   std::uint64_t c);

}  // namespace tirxcc::runtime_cpu
