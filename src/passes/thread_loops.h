// SPDX-License-Identifier: Apache-2.0
//
// Expects: a kernel that check_cpu_support has accepted, after fission_at_barriers.
// Guarantees: grid and block are loops, the latter one nest for each region of a fissioned kernel;
// where the kernel asks along x for nothing but its place in the whole grid, the threads of a row
// of blocks are one loop, and in a launch of one dimension all threads are. No LaunchIndex and no
// ThreadReturn is left. Threads of a block run one after another, x fastest, so lanes of a warp in
// lane order. elect_sync has two operands, the counters of its site (see codegen/llvm emit_elect).
// A host function passes through.
//
//   before:  i = block_idx.x * 256 + thread_idx.x     (grid of one dimension, 256 threads)
//            if i >= n:
//              thread_return
//            B[i] = A[i]
//   after:   for block in range(first_block, last_block):
//              block_x = int32(block)
//              for tx in range(0, 256):
//                thread_x = int32(tx)
//                thread_end: {
//                  i = block_x * 256 + thread_x
//                  if i >= n:
//                    leave thread_end
//                  B[i] = A[i]
//                }
//
// The ranges in the result are facts only for launches within max_grid and max_block; with
// PassOptions::big_grid the limits are those of the language.
#pragma once

#include "ir/cpu_kernel.h"
#include "passes/pass.h"

namespace tirxcc::passes {

const ir::CpuKernel& thread_loops(const ir::CpuKernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
