// SPDX-License-Identifier: Apache-2.0
//
// Expects: a kernel before unroll_block_loops; CPU only.
// Guarantees: a mutable scalar that gets a new value, made without its old one, is another scalar
// from there on, where nothing that may still run asks for the old. What threads keep of the two is
// then kept apart: here the first only inside of a warp.
//
//   before:  v = v + shfl_down(v, 1)           after:  v = v + shfl_down(v, 1)
//            if t % 32 == 0: S[t // 32] = v            if t % 32 == 0: S[t // 32] = v
//            T.cuda.cta_sync()                         T.cuda.cta_sync()
//            v = S[t]                                  v_1: T.float32 = S[t]
#pragma once

#include "passes/pass.h"

namespace tirxcc::passes {

const ir::Kernel& split_locals(const ir::Kernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
