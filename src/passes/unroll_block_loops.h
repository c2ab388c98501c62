// SPDX-License-Identifier: Apache-2.0
//
// Expects: a kernel before fission_at_barriers; CPU only.
// Guarantees: a loop with a barrier or warp operation inside, whose few turns are known, is written
// out: bounds of the thread loops that follow are then constants.
//
//   before:  s: T.int32 = 128            after:  s: T.int32 = 128
//            while s > 0:                        if t < 128:
//              if t < s:                           S[t] += S[t + 128]
//                S[t] += S[t + s]                T.cuda.cta_sync()
//              T.cuda.cta_sync()                 if t < 64:
//              s = s >> 1                          ...
//                                                s = 0
#pragma once

#include "passes/pass.h"

namespace tirxcc::passes {

const ir::Kernel& unroll_block_loops(const ir::Kernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
