// SPDX-License-Identifier: Apache-2.0
//
// Expects: a kernel after thread_loops.
// Guarantees: a condition that guards the whole body of a thread loop and compares something that
// grows evenly with the loop's counter (without wrapping, by the ranges of this variant) becomes a
// bound of the loop; one that does not depend on the counter moves out of the loop. What remains
// of the condition stays where it was.
//
//   before:  for tx in range(0, 256):          after:  tx_limit = int64(n) - block * 256
//              thread_x = int32(tx)                    for tx in range(0, min(256, tx_limit)):
//              i = block_x * 256 + thread_x              thread_x = int32(tx)
//              if i < n:                                 i = block_x * 256 + thread_x
//                B[i] = A[i]                             B[i] = A[i]
#pragma once

#include "ir/cpu_kernel.h"
#include "passes/pass.h"

namespace tirxcc::passes {

const ir::CpuKernel& guards_to_bounds(const ir::CpuKernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
