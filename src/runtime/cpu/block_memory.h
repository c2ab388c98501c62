// SPDX-License-Identifier: Apache-2.0
//
// Memory for the arrays of a block (shared memory, what its threads keep across barriers) that are
// too large for a stack: one piece for each thread of the process, kept until the thread ends.
#pragma once

#include <cstdint>

namespace tirxcc::runtime_cpu {

// At least so many bytes, at the start of a page. A later call by the same thread takes it back.
void* block_memory(std::int64_t bytes);

}  // namespace tirxcc::runtime_cpu
