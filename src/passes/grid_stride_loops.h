// SPDX-License-Identifier: Apache-2.0
//
// Expects: the loops of `thread_loops`.
// Guarantees: a loop in which threads step through memory together (from a place that is one
// further for each next thread, by steps that are the same in all and at least as wide as a warp)
// is outside of the loop over the threads, so that neighbours are read one after another, as a GPU
// does. What threads keep from turn to turn is an array then. Only where the order cannot show: the
// body has no jump out of the loop, no assert and no atomic but those that commute. The counter is
// taken not to wrap, which on a GPU would be undefined.
//
//   before:  for tx in range(0, 256):
//              i = block_x * 256 + int32(tx)
//              while i < n:
//                B[i] = A[i] * 2.0
//                i = i + 16384
//   after:   distance = 0
//            while int64(block_x * 256) + distance < int64(n):
//              for tx in range(0, 256):
//                i = int32(int64(block_x * 256 + int32(tx)) + distance)
//                if i < n:
//                  B[i] = A[i] * 2.0
//              distance = distance + 16384
#pragma once

#include "ir/cpu_kernel.h"
#include "passes/pass.h"

namespace tirxcc::passes {

const ir::CpuKernel& grid_stride_loops(const ir::CpuKernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
