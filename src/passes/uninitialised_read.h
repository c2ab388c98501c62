// SPDX-License-Identifier: Apache-2.0
//
// Looks for scalars that are declared without a value and read before they get one:
//
//   s: T.float32
//   for k in range(4):
//       s += A[i, k]        # the first turn reads what happens to be there
//
// It speaks only where that is certain: on no path to the read is anything assigned. Changes
// nothing.
#pragma once

#include "ir/ir.h"
#include "source/diagnostics.h"

namespace tirxcc::passes {

// Reports each scalar once.
void warn_of_uninitialised_reads(const ir::Function& function, source::Diagnostics& diags);

}  // namespace tirxcc::passes
