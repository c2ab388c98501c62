// SPDX-License-Identifier: Apache-2.0
//
// Looks for kernels that count threads as if the blocks had another size:
//
//   grid=64, block=128
//   i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
//
// That can be meant, so it is a note, and only where nothing else in the kernel asks for the
// thread. The same for an index of 32 bits beside a size of 64, which wraps before it gets there.
// Changes nothing.
#pragma once

#include "ir/ir.h"
#include "source/diagnostics.h"

namespace tirxcc::passes {

// Reports at most one of each kind for a kernel.
void note_launch_mismatches(const ir::Function& function, source::Diagnostics& diags);

}  // namespace tirxcc::passes
