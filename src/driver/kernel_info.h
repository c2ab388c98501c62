// SPDX-License-Identifier: Apache-2.0
//
// What a function launches, told in words of the kernel language.
#pragma once

#include <vector>

#include "driver/compilation.h"
#include "tirxcc/kernel.h"

namespace tirxcc::driver {

// The kernels of a function, in the order of the launch plan's regions; none for a CPU function.
std::vector<KernelInfo> describe_kernels(const Unit& unit);

}  // namespace tirxcc::driver
