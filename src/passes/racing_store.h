// SPDX-License-Identifier: Apache-2.0
//
// Looks for the store that newcomers take for a sum or a result: all threads write one element,
// each its own value.
//
//   B[0] = A[i]          # i counts threads: which A[i] stays is left to chance
//   count[0] += 1        # most additions are lost
//
// It speaks only where it is certain: the index is the same in all threads, all of them come there
// or all up to a size (`if i < n:`), and what they store differs or rests on what was there.
// Changes nothing.
#pragma once

#include "ir/ir.h"
#include "source/diagnostics.h"

namespace tirxcc::passes {

// Reports at most one store of each kernel.
void warn_of_racing_stores(const ir::Function& function, source::Diagnostics& diags);

}  // namespace tirxcc::passes
