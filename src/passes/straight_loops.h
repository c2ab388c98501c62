// SPDX-License-Identifier: Apache-2.0
//
// Which loops of lanes are written out, turn by turn, without a loop: those around an array of the
// block whose elements are then all at known places, so that LLVM keeps it in registers.
//
//   for tx in range(0, 256): S[tx] = A[bx * 256 + tx]     32 vectors of 8 lanes
//   for tx in range(0, 128): S[tx] = S[tx] + S[tx + 128]  16 sums of them
#pragma once

#include <span>

#include "ir/cpu_kernel.h"

namespace tirxcc::passes {

// Sets LaneLoop::is_straight of those.
void find_straight_loops(const ir::CpuKernel& kernel, std::span<ir::LaneLoop> loops);

}  // namespace tirxcc::passes
