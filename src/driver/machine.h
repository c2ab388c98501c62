// SPDX-License-Identifier: Apache-2.0
//
// What `tirxcc doctor` says of the CPU target and of our environment variables; what it says of
// CUDA is in runtime/cuda/doctor.h.
#pragma once

#include <vector>

#include "runtime/cuda/doctor.h"

namespace tirxcc::driver {

// Whether the plugin loads, and how many threads run.
cuda::Finding examine_cpu();

// One for each TIRXCC_ variable that is none of ours.
std::vector<cuda::Finding> examine_variables();

}  // namespace tirxcc::driver
