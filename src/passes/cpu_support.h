// SPDX-License-Identifier: Apache-2.0
//
// What the CPU target cannot run yet, reported before any code is made: barriers, warp operations
// other than elect_sync, shared memory, workspaces, and local arrays too large for a stack.
#pragma once

#include "passes/pass.h"

namespace tirxcc::passes {

// True if the CPU target can run the kernel; else context.diags says why, with the line.
bool check_cpu_support(const ir::Kernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
