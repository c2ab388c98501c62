// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/launch.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string_view>

#include "base/check.h"

namespace tirxcc::cuda {
namespace {

std::string triple(const unsigned (&values)[3]) {
  return fmt::format("({}, {}, {})", values[0], values[1], values[2]);
}

std::uint64_t product(const unsigned (&values)[3]) {
  return std::uint64_t{values[0]} * values[1] * values[2];
}

// Attributes that older drivers do not know.
struct Since {
  LaunchAttributeId id;
  std::string_view name;
  int version;
};
constexpr std::array<Since, 5> kSince = {{
    {LaunchAttributeId::PreferredClusterDimension, "preferred_cluster", 12080},
    {LaunchAttributeId::PreferredSharedMemoryCarveout, "preferred_shared_memory_carveout", 12080},
    {LaunchAttributeId::NvlinkUtilCentricScheduling, "nvlink_util_centric_scheduling", 13000},
    {LaunchAttributeId::PortableClusterSizeMode, "portable_cluster_size_mode", 13020},
    {LaunchAttributeId::SharedMemoryMode, "shared_memory_mode", 13020},
}};

std::string too_old(const LaunchAttributes& attributes, int version) {
  for (const LaunchAttribute& attribute : attributes.all()) {
    for (const Since& since : kSince) {
      if (since.id != attribute.id || version >= since.version) continue;
      return fmt::format("{} needs a driver for CUDA {}.{} or newer; this one is for {}.{}",
                         since.name, since.version / 1000, since.version % 1000 / 10,
                         version / 1000, version % 1000 / 10);
    }
  }
  return "";
}

// Why the driver refuses this launch, where that can be told from the kernel's and the device's
// figures; "" if it cannot.
std::string reason(LoadedKernel& kernel, int device, const LaunchShape& shape, int status) {
  std::uint64_t threads = product(shape.block);
  Result<KernelResources> used =
      kernel.resources(device, static_cast<int>(std::min<std::uint64_t>(threads, 1024)),
                       static_cast<int>(shape.dynamic_shared));
  if (!used) return "";
  if (shape.attributes != nullptr) {
    std::string old = too_old(*shape.attributes, kernel.driver().version());
    if (!old.empty()) return old;
  }
  const DeviceInfo& info = kernel.driver().devices()[static_cast<std::size_t>(device)];
  if (shape.dynamic_shared > static_cast<unsigned>(used->max_dynamic_shared)) {
    return fmt::format(
        "{} bytes of dynamic shared memory; the GPU has {} for a block, {} are the kernel's own",
        shape.dynamic_shared, info.max_shared_bytes, used->shared_bytes);
  }
  if (threads > static_cast<std::uint64_t>(used->max_threads)) {
    return fmt::format("{} threads a block; with {} registers a thread at most {} fit", threads,
                       used->registers, used->max_threads);
  }
  if (shape.grid[1] > 65535 || shape.grid[2] > 65535) {
    return "grid dimensions y and z go up to 65535";
  }
  if (status == kCudaCooperativeLaunchTooLarge) {
    return fmt::format("a cooperative launch needs all {} blocks at once; {} fit on this GPU",
                       product(shape.grid),
                       std::int64_t{used->blocks_per_multiprocessor} * info.multiprocessors);
  }
  return "";
}

Failure launch_failure(LoadedKernel& kernel, int device, const LaunchShape& shape, int status) {
  std::string what = fmt::format("{} with grid {}, block {}", kernel.name(), triple(shape.grid),
                                 triple(shape.block));
  if (shape.dynamic_shared != 0) what += fmt::format(", {} bytes shared", shape.dynamic_shared);
  what += fmt::format(" on CUDA device {} was not launched", device);
  bool may_explain = status == kCudaInvalidValue || status == kCudaLaunchOutOfResources ||
                     status == kCudaCooperativeLaunchTooLarge ||
                     status == kCudaInvalidClusterSize || status == kCudaNotSupported;
  std::string why = may_explain ? reason(kernel, device, shape, status) : "";
  if (!why.empty()) what += fmt::format(" ({})", why);
  return kernel.driver().failure(status, what, device);
}

int call_driver(const DriverApi& api, CuFunction function, const LaunchShape& shape,
                void** arguments) {
  if (shape.attributes == nullptr || shape.attributes->empty()) [[likely]] {
    return api.LaunchKernel(function, shape.grid[0], shape.grid[1], shape.grid[2], shape.block[0],
                            shape.block[1], shape.block[2], shape.dynamic_shared, shape.stream,
                            arguments, nullptr);
  }
  std::span<LaunchAttribute> attributes = shape.attributes->all();
  CuLaunchConfig config{.grid_x = shape.grid[0],
                        .grid_y = shape.grid[1],
                        .grid_z = shape.grid[2],
                        .block_x = shape.block[0],
                        .block_y = shape.block[1],
                        .block_z = shape.block[2],
                        .shared_bytes = shape.dynamic_shared,
                        .stream = shape.stream,
                        .attributes = attributes.data(),
                        .attribute_count = static_cast<unsigned>(attributes.size())};
  return api.LaunchKernelEx(&config, function, arguments, nullptr);
}

// The first launch on a device, or one under another context than the device's primary one.
Result<void> launch_elsewhere(LoadedKernel& kernel, int device, const LaunchShape& shape,
                              void** arguments) {
  Driver& driver = kernel.driver();
  Result<const LoadedKernel::OnDevice*> loaded = kernel.prepare(device);
  if (!loaded) return tl::unexpected(loaded.error());
  Result<ContextScope> scope = ContextScope::enter(driver, device);
  if (!scope) return tl::unexpected(scope.error());
  CuContext current = nullptr;
  driver.api().CtxGetCurrent(&current);
  CuFunction function = (*loaded)->function;
  if (current != (*loaded)->context) {
    // A context of the user's own: the driver takes a kernel handle in place of a function and
    // finds the function of the current context.
    function = reinterpret_cast<CuFunction>(kernel.handle());
  }
  int status = call_driver(driver.api(), function, shape, arguments);
  if (status != kCudaSuccess) {
    return tl::unexpected(launch_failure(kernel, device, shape, status));
  }
  return {};
}

}  // namespace

decltype(LaunchAttribute::value)& LaunchAttributes::add(LaunchAttributeId id) {
  TIRXCC_CHECK(count_ < attributes_.size(), "more launch attributes than there are");
  LaunchAttribute& attribute = attributes_[count_++];
  std::memset(static_cast<void*>(&attribute), 0, sizeof attribute);
  attribute.id = id;
  return attribute.value;
}

Result<void> launch(LoadedKernel& kernel, int device, const LaunchShape& shape, void** arguments) {
  if (shape.grid[0] == 0 || shape.grid[1] == 0 || shape.grid[2] == 0) return {};
  const LoadedKernel::OnDevice* loaded = kernel.ready(device);
  const DriverApi& api = kernel.driver().api();
  CuContext current = nullptr;
  if (loaded == nullptr || api.CtxGetCurrent(&current) != kCudaSuccess ||
      current != loaded->context) [[unlikely]] {
    return launch_elsewhere(kernel, device, shape, arguments);
  }
  int status = call_driver(api, loaded->function, shape, arguments);
  if (status != kCudaSuccess) [[unlikely]] {
    return tl::unexpected(launch_failure(kernel, device, shape, status));
  }
  return {};
}

}  // namespace tirxcc::cuda
