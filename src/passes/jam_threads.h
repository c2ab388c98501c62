// SPDX-License-Identifier: Apache-2.0
//
// Expects: the loops of `thread_loops`, guards already made bounds.
// Guarantees: an innermost loop over threads whose body holds a loop of its own with the same
// bounds for all threads runs eight threads at a time, side by side in that inner loop: the sums of
// eight threads do not wait for each other, and their loads can become wide. What is left over runs
// in the loop as it was. Threads of a block may run in any order between barriers.
//
//   before:  for tx in range(0, 256):           after:  for tx_0 in range(0, 249, 8):
//              i = ..tx..                                 i_0 = ..tx_0..; i_1 = ..tx_0 + 1..; ...
//              total = 0.0                                total_0 = 0.0; total_1 = 0.0; ...
//              for j in range(64):                        for j in range(64):
//                total = total + A[i, j]                    total_0 = total_0 + A[i_0, j]; ...
//              B[i] = total                               B[i_0] = total_0; B[i_1] = total_1; ...
//                                                       for tx in range(256, 256): ...
#pragma once

#include "ir/cpu_kernel.h"
#include "passes/pass.h"

namespace tirxcc::passes {

const ir::CpuKernel& jam_threads(const ir::CpuKernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
