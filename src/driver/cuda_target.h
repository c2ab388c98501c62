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
#include "driver/call_memo.h"
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

  // Starts the kernels on that device, and notes them in `memo` if it is not null.
  Result<void> launch(std::span<const abi::Argument> args, void* stream, abi::RunOptions options,
                      std::uint64_t& result, CallMemo* memo = nullptr);
  // Starts what a remembered call started.
  static Result<void> repeat(CallMemo& memo, void* stream);

 private:
  static constexpr int kVariants = 16;
  using Kernels = std::vector<cuda::LoadedKernel*>;  // by region

  Expected<std::string> binary_of(std::uint8_t variant, cuda::OutputKind kind,
                                  std::vector<std::string>* names);
  Expected<void> load(std::uint8_t variant);
  Result<void> add_kernels(CallMemo& memo, int device);
  std::string arch() const;

  Compilation& compilation_;
  Unit& unit_;
  std::mutex mutex_;
  std::array<std::atomic<const Kernels*>, kVariants> ready_ = {};
  std::array<std::unique_ptr<Kernels>, kVariants> owned_ = {};
};

}  // namespace tirxcc::driver
