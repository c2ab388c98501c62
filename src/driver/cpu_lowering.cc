// SPDX-License-Identifier: Apache-2.0
//
// See cpu_lowering.h.
#include "driver/cpu_lowering.h"

#include "passes/cpu_support.h"
#include "passes/guards_to_bounds.h"
#include "passes/merge_branch_stores.h"
#include "passes/thread_loops.h"

namespace tirxcc::driver {

const ir::CpuKernel* lower_for_cpu(const ir::Kernel& kernel, passes::PassContext& context) {
  if (!passes::check_cpu_support(kernel, context)) return nullptr;
  const ir::Kernel& merged = passes::merge_branch_stores(kernel, context);
  const ir::CpuKernel& loops = passes::thread_loops(merged, context);
  return &passes::guards_to_bounds(loops, context);
}

bool fits_launch(const ir::CpuKernel& kernel, const std::int64_t grid[3],
                 const std::int64_t block[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    if (grid[axis] > kernel.max_grid[axis] || block[axis] > kernel.max_block[axis]) return false;
  }
  return true;
}

}  // namespace tirxcc::driver
