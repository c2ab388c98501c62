// SPDX-License-Identifier: Apache-2.0
//
// Device memory and waiting, for the tool and the tests; the Python package works on its users'
// tensors and needs neither.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "runtime/cuda/driver.h"

namespace tirxcc::cuda {

// Bytes on a device, freed with the object.
class DeviceBuffer {
 public:
  // No bytes are no memory: pointer 0.
  static Result<DeviceBuffer> allocate(Driver& driver, int device, std::size_t bytes);

  DeviceBuffer(DeviceBuffer&& other) noexcept
      : driver_(other.driver_),
        device_(other.device_),
        pointer_(std::exchange(other.pointer_, 0)),
        bytes_(other.bytes_) {}
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(DeviceBuffer&&) = delete;
  ~DeviceBuffer();

  DevicePointer pointer() const { return pointer_; }
  std::size_t bytes() const { return bytes_; }

  // Copies all bytes and waits.
  Result<void> upload(const void* from);
  Result<void> download(void* to) const;

 private:
  DeviceBuffer(Driver& driver, int device, DevicePointer pointer, std::size_t bytes)
      : driver_(&driver), device_(device), pointer_(pointer), bytes_(bytes) {}

  Driver* driver_;
  int device_;
  DevicePointer pointer_;
  std::size_t bytes_;
};

// Waits for a stream (null: the legacy default stream). `what` was started on it.
Result<void> synchronize(Driver& driver, int device, CuStream stream, std::string_view what);

struct TimingOptions {
  int warm_up = 3;
  int repeats = 20;
  bool cold_cache = true;  // the L2 cache is overwritten before each run
};

// Milliseconds of each repeat on the GPU's clock, in order. `launch` starts the work on `stream`.
Result<std::vector<float>> time_on_device(Driver& driver, int device, CuStream stream,
                                          const std::function<Result<void>()>& launch,
                                          const TimingOptions& options = {});

}  // namespace tirxcc::cuda
