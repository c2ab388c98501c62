// SPDX-License-Identifier: Apache-2.0
//
// The kernels of one function on a GPU: CUDA text, machine code by NVRTC through the cubin cache,
// and the driver's handles; each variant when it is first needed.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "abi/launch.h"
#include "driver/quick_launch.h"
#include "runtime/cuda/cubin_cache.h"
#include "runtime/cuda/plan_launcher.h"
#include "tirxcc/compiler.h"

namespace tirxcc::driver {

class Compilation;
struct Unit;

class CudaTarget final : public cuda::KernelSource {
 public:
  CudaTarget(Compilation& compilation, Unit& unit);
  ~CudaTarget() override;

  // Compiles and loads the default variant now. Also completes the plan: which parameters are
  // accessed wide. Every launch calls it; after the first time it costs one load.
  Expected<void> prepare();

  Result<cuda::LoadedKernel*> kernel(std::uint32_t region, std::uint8_t variant) override;

  // PTX or cubin of the default variant; needs no GPU.
  Expected<std::string> binary(cuda::OutputKind kind);

  // What each kernel of the default variant uses.
  Expected<std::vector<KernelResources>> resources(int device);

  // The device of the first tensor that is on a GPU, else device 0.
  static abi::Device device_of(std::span<const abi::Argument> args);

  // Starts the default variant of a function's only kernel, if the call is a usual one; false, with
  // nothing started, if it is not.
  bool launch_quickly(std::span<const Argument> args, void* stream) {
    const QuickLaunch* quick = quick_.load(std::memory_order_acquire);
    return quick != nullptr && quick->launch(args, stream);
  }

  // Starts the kernels on that device.
  Result<void> launch(std::span<const abi::Argument> args, void* stream, abi::RunOptions options,
                      std::uint64_t& result);

 private:
  static constexpr int kVariants = 16;
  using Kernels = std::vector<cuda::LoadedKernel*>;  // by region

  Expected<std::string> binary_of(std::uint8_t variant, cuda::OutputKind kind,
                                  std::vector<std::string>* names);
  Expected<void> load(std::uint8_t variant);
  std::string arch() const;

  Compilation& compilation_;
  Unit& unit_;
  std::mutex mutex_;
  std::array<std::atomic<const Kernels*>, kVariants> ready_ = {};
  std::array<std::unique_ptr<Kernels>, kVariants> owned_ = {};
  // Once the default variant has been launched.
  std::atomic<const QuickLaunch*> quick_ = nullptr;
  std::unique_ptr<const QuickLaunch> owned_quick_;
};

}  // namespace tirxcc::driver
