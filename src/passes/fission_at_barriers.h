// SPDX-License-Identifier: Apache-2.0
//
// Expects: a device kernel that check_cpu_support has accepted.
// Guarantees: where the kernel has barriers, warp operations or shared memory, its body is the
// block's own program: it allocates shared memory first; each part that threads run is a Block
// whose label is in CpuKernel::regions; between them stand loops, ifs and scalars of the block. A
// barrier is the end of a region. What a thread keeps from one region to a later one is in arrays
// with an element for each thread. Kernels without any of these come back as they are.
//
// Threads that are elsewhere (in another branch, behind a `break`) have a number other than 0 in
// the array `heading`: the place where they go on. A barrier that not all threads reach ends the
// launch with an error.
//
//   before:  S[t] = A[t]                      after:  region_1: { S[t] = A[t] }
//            T.cuda.cta_sync()                        s = 128
//            s = 128                                  while s > 0:
//            while s > 0:                               region_2: {
//              if t < s:                                  if t < s:
//                S[t] = S[t] + S[t + s]                     S[t] = S[t] + S[t + s]
//              T.cuda.cta_sync()                        }
//              s = s >> 1                               s = s >> 1
#pragma once

#include "ir/cpu_kernel.h"
#include "passes/pass.h"

namespace tirxcc::passes {

const ir::CpuKernel& fission_at_barriers(const ir::Kernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
