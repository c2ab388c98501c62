// SPDX-License-Identifier: Apache-2.0
//
// vectorize: makes `T.vectorized` loops wide memory accesses (language rule 31).
//
// Expects: flat accesses (after `flatten`).
// Guarantees: no loop of kind Vectorized is left. A straight-line body whose accesses are
// consecutive in the loop variable, provably aligned, and in which no lane touches what another one
// stores, has become wide loads, the statements of each lane in order, and wide stores; 32 bytes
// are two accesses of 16. Accesses that cannot be wide stay scalar in each lane. Where none can be,
// the loop is a serial one with `#pragma unroll`, and a note says why. PassOptions::scalar wants
// only serial loops.
//
// Bases of parameters are taken to be aligned for the widest access; wide_alignment() tells the
// launch plan what it has to check.
//
//   for v in T.vectorized(4):                  A_v = A.flat[t * 4 ...]
//       B.flat[t * 4 + v] =                    B_v.x = A_v.x * 2.0
//           A.flat[t * 4 + v] * 2.0     =>     B_v.y = A_v.y * 2.0
//                                              ...
//                                              B.flat[t * 4 ...] = B_v
#pragma once

#include "passes/pass.h"

namespace tirxcc::passes {

const ir::Kernel& vectorize(const ir::Kernel& kernel, PassContext& context);

// Bytes of the widest access to the tensor, to which its base must be aligned; 0: none is wide.
int wide_alignment(const ir::Kernel& kernel, const ir::Tensor& tensor);

}  // namespace tirxcc::passes
