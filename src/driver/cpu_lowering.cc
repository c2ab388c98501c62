// SPDX-License-Identifier: Apache-2.0
//
// See cpu_lowering.h.
#include "driver/cpu_lowering.h"

#include "driver/pipeline.h"

namespace tirxcc::driver {

const ir::CpuKernel* lower_for_cpu(const ir::Kernel& kernel, passes::PassContext& context) {
  return run_cpu_passes(kernel, context, {});
}

bool fits_launch(const ir::CpuKernel& kernel, const std::int64_t grid[3],
                 const std::int64_t block[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    if (grid[axis] > kernel.max_grid[axis] || block[axis] > kernel.max_block[axis]) return false;
  }
  return true;
}

}  // namespace tirxcc::driver
