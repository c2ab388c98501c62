// SPDX-License-Identifier: Apache-2.0
//
// Machine code in the driver. A cubin is loaded once for the whole process (cuLibraryLoadData: not
// bound to a context), its kernels are made ready per device at first use.
//
// Nothing is ever unloaded: a CUDA graph that the user keeps may hold a kernel long after the
// object that made it is gone. Loading the same bytes again gives the same module, so memory grows
// with the number of different kernels only.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/disk_cache.h"
#include "runtime/cuda/driver.h"

namespace tirxcc::cuda {

// What one kernel uses on one device.
struct KernelResources {
  int registers = 0;     // of a thread
  int shared_bytes = 0;  // static, of a block
  int local_bytes = 0;   // of a thread: spilled registers and arrays that did not fit any
  int constant_bytes = 0;
  int max_threads = 0;                // of a block, given the registers
  int max_dynamic_shared = 0;         // bytes that a launch may ask for
  int blocks_per_multiprocessor = 0;  // at the block size asked for; 0: none asked for
  double occupancy = 0.0;             // resident threads over the most a multiprocessor can hold
};

// One __global__ function.
class LoadedKernel {
 public:
  // The function and its context on a device, ready to be launched.
  struct OnDevice {
    CuFunction function = nullptr;
    CuContext context = nullptr;
  };

  LoadedKernel(Driver& driver, std::string name, CuKernel kernel);

  const std::string& name() const { return name_; }
  Driver& driver() const { return driver_; }
  CuKernel handle() const { return kernel_; }

  // Null until prepare() has been called for that device. Lock-free.
  const OnDevice* ready(int device) const {
    auto index = static_cast<unsigned>(device);
    return index < device_count_ ? ready_[index].load(std::memory_order_acquire) : nullptr;
  }

  // Makes the kernel ready on a device: loads it there and allows all the shared memory there is.
  // Belongs before the capture of a graph; launching does it if nobody did.
  Result<const OnDevice*> prepare(int device);

  // `block_threads` 0: without occupancy.
  Result<KernelResources> resources(int device, int block_threads = 0, int dynamic_shared = 0);

 private:
  Result<OnDevice> load_on(const DeviceInfo& device);
  int attribute(FunctionAttribute which, const DeviceInfo& device) const;

  Driver& driver_;
  std::string name_;
  CuKernel kernel_;
  std::size_t device_count_;
  std::mutex mutex_;
  std::unique_ptr<std::atomic<const OnDevice*>[]> ready_;
  std::unique_ptr<OnDevice[]> storage_;
};

class LoadedModule {
 public:
  LoadedModule(Driver& driver, CuLibrary library, std::string name)
      : driver_(driver), library_(library), name_(std::move(name)) {}

  // The kernel of that name; always the same object.
  Result<LoadedKernel*> kernel(const std::string& name);

 private:
  Driver& driver_;
  CuLibrary library_;
  std::string name_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<LoadedKernel>> kernels_;
};

// All modules of a driver.
class Modules {
 public:
  explicit Modules(Driver& driver) : driver_(driver) {}

  // Those of Driver::instance().
  static Result<Modules*> instance();

  // Loads a cubin, or finds it loaded. `name` is for messages.
  Result<LoadedModule*> load(std::string_view cubin, const std::string& name);

  Driver& driver() const { return driver_; }

 private:
  struct HashKey {
    std::size_t operator()(const CacheKey& key) const { return static_cast<std::size_t>(key.low); }
  };

  Driver& driver_;
  std::mutex mutex_;
  std::unordered_map<CacheKey, std::unique_ptr<LoadedModule>, HashKey> modules_;
};

}  // namespace tirxcc::cuda
