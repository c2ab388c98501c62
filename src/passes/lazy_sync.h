// SPDX-License-Identifier: Apache-2.0
//
// Barriers and warp operations in operands that may be left out become statements of their own:
//
//   while i < n and T.cuda.any_sync(M, A[i] > 0):     while True:
//       ...                                               lazy_0: T.bool = i < n
//                                                         if lazy_0:
//                                                             lazy_0 = T.cuda.any_sync(M, A[i] > 0)
//                                                         if not lazy_0:
//                                                             break
//                                                         ...
//
// Fission takes such operations out of their expressions, and must not evaluate for all threads
// what is guarded.
#pragma once

#include "passes/pass.h"

namespace tirxcc::passes {

// The same kernel if it has none.
const ir::Kernel& with_eager_sync(const ir::Kernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
