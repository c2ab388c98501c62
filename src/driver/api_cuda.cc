// SPDX-License-Identifier: Apache-2.0
//
// The part of the public C++ API that is about GPUs alone: timing, resources, the cache of compiled
// kernels, loading ahead.
#include <pthread.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <thread>
#include <utility>

#include "base/disk_cache.h"
#include "driver/bound_arguments.h"
#include "driver/cuda_target.h"
#include "driver/device_copy.h"
#include "driver/kernel_impl.h"
#include "runtime/cuda/cubin_cache.h"
#include "runtime/cuda/memory.h"
#include "tirxcc/compiler.h"

namespace tirxcc {
namespace {

namespace fs = std::filesystem;

Expected<driver::CudaTarget*> gpu_target(driver::Unit& unit) {
  if (unit.cuda != nullptr) return unit.cuda.get();
  return tl::unexpected<Error>(
      Error{"the kernel is compiled for the CPU, not for a GPU", ErrorKind::Value, {}});
}

double bytes_moved(const abi::Plan& plan, std::span<const abi::Argument> args) {
  double bytes = 0;
  for (std::size_t i = 0; i < std::min(args.size(), plan.params.size()); ++i) {
    if (args[i].kind != abi::ArgumentKind::Tensor) continue;
    double size = args[i].tensor->dtype.bytes();
    for (std::int32_t dim = 0; dim < args[i].tensor->rank; ++dim)
      size *= static_cast<double>(args[i].tensor->shape[dim]);
    const abi::ParamSpec& spec = plan.params[i];
    bytes += size * ((spec.is_read ? 1 : 0) + (spec.is_written ? 1 : 0));
  }
  return bytes;
}

Expected<Timing> time_launches(driver::Unit& unit, std::span<const abi::Argument> args,
                               const TimingOptions& options) {
  Result<cuda::Driver*> driver = cuda::Driver::instance();
  if (!driver) return tl::unexpected<Error>(driver::to_error(driver.error()));
  std::uint64_t result = 0;
  auto launch = [&] { return unit.cuda->launch(args, options.stream, {}, result); };
  Result<std::vector<float>> times = cuda::time_on_device(
      **driver, driver::CudaTarget::device_of(args).index,
      static_cast<cuda::CuStream>(options.stream), launch,
      {.warm_up = options.warm_up, .repeats = options.runs, .cold_cache = options.cold_cache});
  if (!times) return tl::unexpected<Error>(driver::to_error(times.error()));
  return Timing{std::move(*times), bytes_moved(unit.plan, args)};
}

// The kinds of entries are the folders in the cache's folder.
std::vector<std::string> kinds_in(const std::string& folder) {
  std::vector<std::string> kinds;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->is_directory(error)) kinds.push_back(it->path().filename().string());
  }
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

CacheUsage for_each_kind(DiskCache::Usage (*visit)(DiskCache&)) {
  CacheUsage usage;
  usage.folder = DiskCache::default_folder();
  usage.limit = DiskCache::kDefaultLimit;
  if (usage.folder.empty()) return usage;
  for (const std::string& kind : kinds_in(usage.folder)) {
    DiskCache cache(usage.folder, kind);
    DiskCache::Usage used = visit(cache);
    if (used.entries == 0) continue;
    usage.kinds.push_back({kind, used.entries, used.bytes});
  }
  return usage;
}

struct Preloading {
  std::mutex mutex;
  std::thread thread;
  bool was_started = false;
};

Preloading& preloading() {
  static auto* const the_one = new Preloading;
  return *the_one;
}

}  // namespace

Expected<Timing> Kernel::time(std::span<const Argument> args, const TimingOptions& options) const {
  Expected<driver::CudaTarget*> target = gpu_target(*impl_->unit);
  if (!target) return tl::unexpected<Error>(target.error());
  driver::BoundArguments bound(args);
  if (!options.copy_host_tensors) return time_launches(*impl_->unit, bound.get(), options);
  Expected<driver::DeviceCopy> copy = driver::DeviceCopy::upload(bound.get());
  if (!copy) return tl::unexpected<Error>(copy.error());
  return time_launches(*impl_->unit, copy->args(), options);
}

Expected<std::vector<KernelResources>> Kernel::resources(int device) const {
  Expected<driver::CudaTarget*> target = gpu_target(*impl_->unit);
  if (!target) return tl::unexpected<Error>(target.error());
  return (*target)->resources(device);
}

CacheUsage cache_usage() {
  return for_each_kind([](DiskCache& cache) { return cache.usage(); });
}

CacheUsage clear_cache() {
  return for_each_kind([](DiskCache& cache) { return cache.clear(); });
}

void preload() {
  // Asking the driver itself would start it, and take as long as what is to be hidden.
  if (!cuda::has_device_file()) return;
  std::lock_guard lock(preloading().mutex);
  if (std::exchange(preloading().was_started, true)) return;
  // A child of fork() would have the locks of a thread that it does not have.
  pthread_atfork([] { finish_preload(); }, nullptr, nullptr);
  preloading().thread = std::thread([] {
    static_cast<void>(cuda::Driver::instance());
    cuda::CubinCache::instance().warm_up();
  });
}

void finish_preload() {
  std::lock_guard lock(preloading().mutex);
  if (preloading().thread.joinable()) preloading().thread.join();
}

}  // namespace tirxcc
