// SPDX-License-Identifier: Apache-2.0
//
// Arguments of the host, taken to a GPU and back: for the command line and for C++ programs that
// have no GPU memory of their own.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "abi/argument.h"
#include "abi/plan.h"
#include "runtime/cuda/memory.h"
#include "tirxcc/diagnostic.h"

namespace tirxcc::driver {

class DeviceCopy {
 public:
  // Copies every host tensor to device 0, strided ones with the memory between their elements.
  static Expected<DeviceCopy> upload(std::span<const abi::Argument> args);

  std::span<const abi::Argument> args() const { return args_; }

  // Waits for the kernels and copies back what the plan says is written.
  Expected<void> download(const abi::Plan& plan);

 private:
  struct Copied {
    std::size_t index = 0;
    std::byte* host = nullptr;
    cuda::DeviceBuffer buffer;
  };

  cuda::Driver* driver_ = nullptr;
  std::vector<Copied> copies_;
  std::vector<std::unique_ptr<abi::TensorView>> views_;
  std::vector<abi::Argument> args_;
};

}  // namespace tirxcc::driver
