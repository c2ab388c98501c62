// SPDX-License-Identifier: Apache-2.0
//
// Expects: a kernel after guards_to_bounds.
// Guarantees: the result names the innermost thread loops that the back end may run in lanes: so
// many neighbouring threads at a time, in step, with masks where they part. Threads between two
// barriers do not depend on each other, so any order of theirs is right; but a loop is named only
// if its outcome cannot show the order either (of atomics, those that commute on integers and whose
// old value nobody asks for). Mutable scalars that differ between lanes are named as well; the
// others are the same in all lanes that see them.
//
//   for tx in range(0, 256):         lanes: tx, 8 at a time
//     lo: T.int32 = 0                lo differs: lanes leave the loop at different turns
//     while lo < hi: ...
#pragma once

#include "ir/cpu_kernel.h"
#include "passes/pass.h"

namespace tirxcc::passes {

// Whether it is an atomic on integers whose order does not show, where nobody asks for the old
// value.
bool commutes(const ir::Call& call);

const ir::CpuKernel& vectorize_threads(const ir::CpuKernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
