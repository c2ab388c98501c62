// SPDX-License-Identifier: Apache-2.0
//
// Looks for accesses that certainly go outside their tensor: the guard that newcomers forget, and
// neighbours that the guard does not cover.
//
//   grid=T.ceildiv(n, 256), block=256; i = block_idx * 256 + thread_idx
//   B[i] = A[i]                   # no `if i < n:` around it: the last block has threads too many
//   if i < n:
//       B[i] = A[i + 1]           # i + 1 is n in one thread
//
// It speaks only of accesses that threads certainly come to, by indices whose every value is known
// to occur (index_limits.h). Changes nothing.
#pragma once

#include "ir/ir.h"
#include "source/diagnostics.h"

namespace tirxcc::passes {

// Reports at most one access of each kernel that lacks its guard, one that goes too far in spite of
// it, and one that goes below 0. True if threads may exchange values: some kernel has memory of its
// block, or reads a tensor that it writes (missing_barrier.h looks at those).
bool note_unguarded_accesses(const ir::Function& function, source::Diagnostics& diags);

}  // namespace tirxcc::passes
