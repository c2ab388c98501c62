// SPDX-License-Identifier: Apache-2.0
//
// From a kernel as sema made it to the form that the CPU plugin compiles: the CPU passes in their
// order.
#pragma once

#include "ir/cpu_kernel.h"
#include "passes/pass.h"

namespace tirxcc::driver {

// Null if the CPU target cannot run the kernel; context.diags says why.
const ir::CpuKernel* lower_for_cpu(const ir::Kernel& kernel, passes::PassContext& context);

// Whether the facts that the code was compiled with hold for this launch; if not, the variant
// abi::kBigGrid must run.
bool fits_launch(const ir::CpuKernel& kernel, const std::int64_t grid[3],
                 const std::int64_t block[3]);

}  // namespace tirxcc::driver
