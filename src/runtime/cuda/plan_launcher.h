// SPDX-License-Identifier: Apache-2.0
//
// Runs the launches of a launch plan (abi/launch.h) on a GPU.
#pragma once

#include "abi/launch.h"
#include "runtime/cuda/launch.h"

namespace tirxcc::cuda {

// Gives the kernel of a region and variant, compiled at first need.
class KernelSource {
 public:
  virtual ~KernelSource() = default;
  virtual Result<LoadedKernel*> kernel(std::uint32_t region, std::uint8_t variant) = 0;
};

// A launch as the driver takes it, but for its stream. `attributes` must live as long as `shape`.
Result<void> shape_of(const abi::LaunchRequest& request, LaunchShape& shape,
                      LaunchAttributes& attributes);

// One call's launcher; lives on the stack of the call.
class PlanLauncher final : public abi::Launcher {
 public:
  // `stream` null: the legacy default stream.
  PlanLauncher(KernelSource& kernels, int device, CuStream stream)
      : kernels_(kernels), device_(device), stream_(stream) {}

  Result<void> launch(const abi::LaunchRequest& request) override;

 private:
  KernelSource& kernels_;
  int device_;
  CuStream stream_;
};

}  // namespace tirxcc::cuda
