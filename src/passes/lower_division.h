// SPDX-License-Identifier: Apache-2.0
//
// lower_division: replaces floor division and modulo of integers by what the machine has.
//
// Expects: any kernel. Best before `flatten`, whose offsets it need not look at.
// Guarantees: FloorDiv and FloorMod of integers are left only where the left side may be negative
// (or the divisor is negative, or may be) and the divisor is no power of two; the back ends have a
// helper for those. Values are the same, a zero divisor included.
//
//   i = T.cuda.thread_idx("x")                   i = T.cuda.thread_idx("x")
//   a = (i - 8) // 4                             a = i - 8 >> 2
//   b = (i - 8) % 4                        =>    b = i - 8 & 3
//   c = i // 3                                   c = T.truncdiv(i, 3)
//   d = (i - 8) // 3                             d = (i - 8) // 3
#pragma once

#include "passes/pass.h"

namespace tirxcc::passes {

const ir::Kernel& lower_division(const ir::Kernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
