// SPDX-License-Identifier: Apache-2.0
//
// What the CPU target cannot run, reported before any code is made: workspaces, more shared memory
// than a block has, local arrays too large for a stack.
#pragma once

#include "passes/pass.h"

namespace tirxcc::passes {

// Of a block; GPUs have less.
inline constexpr std::int64_t kMostSharedBytes = std::int64_t{1} << 30;

// The function that ends a kernel with an error; thread_loops makes it an Assert.
inline constexpr std::string_view kTrapName = "cuda.trap_when_assert_failed";

// True if the CPU target can run the kernel; else context.diags says why, with the line.
bool check_cpu_support(const ir::Kernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
