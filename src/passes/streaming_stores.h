// SPDX-License-Identifier: Apache-2.0
//
// Expects: the loops of `thread_loops`, guards already made bounds.
// Guarantees: the body is the same; CpuKernel::streamed is the tensor that the loop over the whole
// grid writes from end to end (one unconditional store a turn, to the element of the turn's number)
// and that the kernel never reads, if there is one. When such a tensor exceeds the caches, a
// variant of the code writes it past them, as a copy of that size does.
//
//   for index in range(first_block * 256, index_end):   # streamed: B
//     B[index] = A[index] * 2.0
#pragma once

#include "ir/cpu_kernel.h"
#include "passes/pass.h"

namespace tirxcc::passes {

const ir::CpuKernel& streaming_stores(const ir::CpuKernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
