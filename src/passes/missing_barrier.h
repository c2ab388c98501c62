// SPDX-License-Identifier: Apache-2.0
//
// Looks for threads that certainly get in each other's way: one writes an element that another
// reads or changes, and nothing orders the two.
//
//   S[t] = A[i]
//   B[i] = S[255 - t]        # no T.cuda.cta_sync() between: thread 0 reads what 255 writes
//   A[i] = A[i - 1]          # thread 1 reads what 0 writes
//   S[t % 4] += 1            # threads 0 and 4 at the same time
//   S[A[i] & 3] += 1         # more threads than elements
//
// It runs the index arithmetic of a few blocks (lane_values.h), two turns of each loop, and leaves
// out what it cannot decide; what it says happens in that launch. Changes nothing.
#pragma once

#include "ir/ir.h"
#include "source/diagnostics.h"

namespace tirxcc::passes {

// Reports at most one such pair and one such change of each kernel.
void warn_of_missing_barriers(const ir::Function& function, source::Diagnostics& diags);

}  // namespace tirxcc::passes
