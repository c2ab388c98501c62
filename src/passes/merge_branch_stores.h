// SPDX-License-Identifier: Apache-2.0
//
// Expects: any kernel.
// Guarantees: an if/elif/else whose every branch is one store to the same element becomes one
// store of a lazy choice. The memory written is the same; one store instead of several guarded
// ones is what lets a loop over threads become vector code.
//
//   before:  if A[i] > 0:        after:  B[i] = A[i] if A[i] > 0 else 0
//              B[i] = A[i]
//            else:
//              B[i] = 0
#pragma once

#include "passes/pass.h"

namespace tirxcc::passes {

const ir::Kernel& merge_branch_stores(const ir::Kernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
