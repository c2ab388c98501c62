// SPDX-License-Identifier: Apache-2.0
//
// coarsen: makes a thread do the work of several that are neighbours in x, so that a kernel written
// one element a thread moves several with one access. On request only: the text is no longer the
// obvious one.
//
// Expects: a function as sema makes it, before its launch plan is built, because the sizes of
// launches change.
// Guarantees: every thread's work is done once, whatever the sizes of the launch. The work of the
// neighbours is a loop of lanes, T.vectorized where it is a straight line, which pass `vectorize`
// makes wide accesses where they are consecutive and aligned. A guard around everything is asked
// once for all lanes; the rest of the elements is a loop of its own. Kernels whose threads work
// together (barriers, warp operations, shared memory) stay as they are, and a note says why.
//
//   grid=(n + 255) // 256, block=256              grid=(n + 1023) // 1024, block=256
//   i = block_idx.x * 256 + thread_idx.x          i = (block_idx.x * 256 + thread_idx.x) * 4
//   if i < n:                                     if i + 3 < n:
//       B[i] = A[i] * 2.0                   =>        for lane in T.vectorized(4):
//                                                         B[i + lane] = A[i + lane] * 2.0
//                                                 else:
//                                                     for lane in range(4):
//                                                         if i + lane < n:
//                                                             B[i + lane] = A[i + lane] * 2.0
//
// The grid shrinks only where the kernel knows its place by one number and its guard says that the
// threads beyond the old grid have nothing to do; else the block does, which needs no proof:
// `thread_idx.x` becomes `thread_idx.x * 4 + lane` in blocks of a quarter.
#pragma once

#include "passes/pass.h"

namespace tirxcc::passes {

// The function with each kernel's threads doing the work of `width` (2 or 4).
const ir::Function& coarsen(const ir::Function& function, int width, PassContext& context);

}  // namespace tirxcc::passes
