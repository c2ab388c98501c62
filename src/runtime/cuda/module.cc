// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/module.h"

#include <fmt/format.h>

#include <algorithm>

namespace tirxcc::cuda {

LoadedKernel::LoadedKernel(Driver& driver, std::string name, CuKernel kernel)
    : driver_(driver),
      name_(std::move(name)),
      kernel_(kernel),
      device_count_(driver.devices().size()),
      ready_(std::make_unique<std::atomic<const OnDevice*>[]>(device_count_)),
      storage_(std::make_unique<OnDevice[]>(device_count_)) {}

int LoadedKernel::attribute(FunctionAttribute which, const DeviceInfo& device) const {
  int value = 0;
  driver_.api().KernelGetAttribute(&value, which, kernel_, device.handle);
  return value;
}

Result<LoadedKernel::OnDevice> LoadedKernel::load_on(const DeviceInfo& device) {
  Result<CuContext> primary = driver_.primary_context(device.index);
  if (!primary) return tl::unexpected(primary.error());
  // cuKernelGetFunction answers for the current context, and we want the primary one's.
  const DriverApi& api = driver_.api();
  CuContext before = nullptr;
  api.CtxGetCurrent(&before);
  if (before != *primary) api.CtxSetCurrent(*primary);
  OnDevice loaded{.function = nullptr, .context = *primary};
  int status = api.KernelGetFunction(&loaded.function, kernel_);
  if (status == kCudaSuccess) {
    int static_bytes = attribute(FunctionAttribute::SharedSizeBytes, device);
    api.KernelSetAttribute(FunctionAttribute::MaxDynamicSharedSizeBytes,
                           std::max(0, device.max_shared_bytes - static_bytes), kernel_,
                           device.handle);
    // Clusters of more than 8 blocks, which only some chips allow.
    if (device.major >= 9) {
      api.KernelSetAttribute(FunctionAttribute::NonPortableClusterSizeAllowed, 1, kernel_,
                             device.handle);
    }
  }
  if (before != nullptr && before != *primary) api.CtxSetCurrent(before);
  if (status != kCudaSuccess) {
    return tl::unexpected(
        driver_.failure(status,
                        fmt::format("{} cannot be loaded on CUDA device {} ({}, sm_{}{})", name_,
                                    device.index, device.name, device.major, device.minor),
                        device.index));
  }
  return loaded;
}

Result<const LoadedKernel::OnDevice*> LoadedKernel::prepare(int device) {
  if (const OnDevice* done = ready(device)) return done;
  // Reports a device that does not exist.
  if (Result<CuContext> context = driver_.primary_context(device); !context) {
    return tl::unexpected(context.error());
  }
  auto index = static_cast<std::size_t>(device);
  std::lock_guard lock(mutex_);
  if (const OnDevice* done = ready(device)) return done;
  Result<OnDevice> loaded = load_on(driver_.devices()[index]);
  if (!loaded) return tl::unexpected(loaded.error());
  storage_[index] = *loaded;
  ready_[index].store(&storage_[index], std::memory_order_release);
  return &storage_[index];
}

Result<KernelResources> LoadedKernel::resources(int device, int block_threads, int dynamic_shared) {
  Result<const OnDevice*> loaded = prepare(device);
  if (!loaded) return tl::unexpected(loaded.error());
  const DeviceInfo& info = driver_.devices()[static_cast<std::size_t>(device)];
  KernelResources used;
  used.registers = attribute(FunctionAttribute::NumRegs, info);
  used.shared_bytes = attribute(FunctionAttribute::SharedSizeBytes, info);
  used.local_bytes = attribute(FunctionAttribute::LocalSizeBytes, info);
  used.constant_bytes = attribute(FunctionAttribute::ConstSizeBytes, info);
  used.max_threads = attribute(FunctionAttribute::MaxThreadsPerBlock, info);
  used.max_dynamic_shared = attribute(FunctionAttribute::MaxDynamicSharedSizeBytes, info);
  if (block_threads <= 0) return used;
  Result<ContextScope> scope = ContextScope::enter(driver_, device);
  if (!scope) return tl::unexpected(scope.error());
  int status = driver_.api().OccupancyMaxActiveBlocks(&used.blocks_per_multiprocessor,
                                                      (*loaded)->function, block_threads,
                                                      static_cast<std::size_t>(dynamic_shared));
  if (status != kCudaSuccess) {
    return tl::unexpected(driver_.failure(status, fmt::format("occupancy of {}", name_)));
  }
  if (info.max_threads > 0) {
    used.occupancy =
        static_cast<double>(used.blocks_per_multiprocessor) * block_threads / info.max_threads;
  }
  return used;
}

Result<LoadedKernel*> LoadedModule::kernel(const std::string& name) {
  std::lock_guard lock(mutex_);
  std::unique_ptr<LoadedKernel>& known = kernels_[name];
  if (known != nullptr) return known.get();
  CuKernel handle = nullptr;
  int status = driver_.api().LibraryGetKernel(&handle, library_, name.c_str());
  if (status != kCudaSuccess) {
    kernels_.erase(name);
    return tl::unexpected(driver_.failure(status, fmt::format("{} of {}", name, name_)));
  }
  known = std::make_unique<LoadedKernel>(driver_, name, handle);
  return known.get();
}

Result<Modules*> Modules::instance() {
  Result<Driver*> driver = Driver::instance();
  if (!driver) return tl::unexpected(driver.error());
  static auto* const modules = new Modules(**driver);
  return modules;
}

Result<LoadedModule*> Modules::load(std::string_view cubin, const std::string& name) {
  CacheKey key = content_key({cubin});
  std::lock_guard lock(mutex_);
  std::unique_ptr<LoadedModule>& known = modules_[key];
  if (known != nullptr) return known.get();
  CuLibrary library = nullptr;
  int status = driver_.api().LibraryLoadData(&library, cubin.data(), nullptr, nullptr, 0, nullptr,
                                             nullptr, 0);
  if (status != kCudaSuccess) {
    modules_.erase(key);
    return tl::unexpected(
        driver_.failure(status, fmt::format("loading the machine code of {}", name)));
  }
  known = std::make_unique<LoadedModule>(driver_, library, name);
  return known.get();
}

}  // namespace tirxcc::cuda
