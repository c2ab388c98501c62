// SPDX-License-Identifier: Apache-2.0
//
// Looks for the guard that newcomers forget: an access by the number of the thread, where the
// launch has more threads than the tensor has elements.
//
//   grid=T.ceildiv(n, 256), block=256; i = block_idx * 256 + thread_idx
//   B[i] = A[i]      # no `if i < n:` around it: the last block has threads too many
//
// It speaks only of accesses that every thread certainly comes to, by indices whose every value is
// known to occur. Changes nothing.
#pragma once

#include "ir/ir.h"
#include "source/diagnostics.h"

namespace tirxcc::passes {

// Reports at most one access of each kernel, as a note.
void note_unguarded_accesses(const ir::Function& function, source::Diagnostics& diags);

}  // namespace tirxcc::passes
