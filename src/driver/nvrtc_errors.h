// SPDX-License-Identifier: Apache-2.0
//
// What NVRTC says about our CUDA text, said about the kernel's own lines instead: raw CUDA in a
// kernel, a limit of the architecture, or a fault of ours.
#pragma once

#include "base/result.h"
#include "driver/compilation.h"

namespace tirxcc::driver {

// The error of a failed compilation of `code`, made for `unit`.
Error nvrtc_error(const Compilation& compilation, const Unit& unit, const CudaCode& code,
                  const Failure& failure);

}  // namespace tirxcc::driver
