// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda_target.h"

#include <fmt/format.h>

#include "driver/compilation.h"
#include "driver/nvrtc_errors.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/module.h"

namespace tirxcc::driver {
namespace {

// Texts are compiled for this where no GPU says otherwise.
constexpr std::string_view kDefaultArch = "sm_90a";

}  // namespace

abi::Device CudaTarget::device_of(std::span<const abi::Argument> args) {
  for (const abi::Argument& arg : args) {
    if (arg.kind == abi::ArgumentKind::Tensor && arg.tensor->device.kind == abi::DeviceKind::Cuda) {
      return arg.tensor->device;
    }
  }
  return {abi::DeviceKind::Cuda, 0};
}

CudaTarget::CudaTarget(Compilation& compilation, Unit& unit)
    : compilation_(compilation), unit_(unit) {}

CudaTarget::~CudaTarget() = default;

std::string CudaTarget::arch() const {
  const std::string& wanted = compilation_.options().target.arch;
  if (!wanted.empty()) return wanted;
  Result<cuda::Driver*> driver = cuda::Driver::instance();
  if (driver && !(*driver)->devices().empty()) return (*driver)->devices()[0].arch();
  return std::string(kDefaultArch);
}

Expected<std::string> CudaTarget::binary_of(std::uint8_t variant, cuda::OutputKind kind,
                                            std::vector<std::string>* names) {
  const Unit* units[] = {&unit_};
  std::string target = arch();
  Expected<CudaCode> code = compilation_.cuda_code(units, variant, target);
  if (!code) return tl::unexpected<Error>(code.error());
  if (variant == abi::kDefaultVariant) {
    for (std::size_t i = 0; i < unit_.plan.params.size(); ++i) {
      int width = 0;
      for (const std::vector<int>& widths : code->wide_alignment)
        width = std::max(width, widths[i]);
      unit_.plan.params[i].wide_align = width;
    }
  }
  cuda::CompileRequest request;
  request.text = code->text.text;
  request.name = fmt::format("{}.cu", unit_.function->name);
  request.arch = target;
  request.output = kind;
  request.fast_math = compilation_.options().fast_math;
  request.fma = compilation_.options().fma;
  request.line_info = compilation_.options().line_directives;
  Result<cuda::CubinCache::Cubin> cubin = cuda::CubinCache::instance().get(request);
  if (!cubin) return tl::unexpected<Error>(nvrtc_error(compilation_, unit_, *code, cubin.error()));
  if (names != nullptr) *names = code->text.kernel_names;
  return *cubin->bytes;
}

Expected<std::string> CudaTarget::binary(cuda::OutputKind kind) {
  std::lock_guard lock(mutex_);
  return binary_of(abi::kDefaultVariant, kind, nullptr);
}

Expected<void> CudaTarget::load(std::uint8_t variant) {
  Result<cuda::Modules*> modules = cuda::Modules::instance();
  if (!modules) return tl::unexpected<Error>(to_error(modules.error()));
  std::vector<std::string> names;
  Expected<std::string> cubin = binary_of(variant, cuda::OutputKind::Cubin, &names);
  if (!cubin) return tl::unexpected<Error>(cubin.error());
  Result<cuda::LoadedModule*> module = (*modules)->load(*cubin, std::string(unit_.function->name));
  if (!module) return tl::unexpected<Error>(to_error(module.error()));
  auto kernels = std::make_unique<Kernels>();
  for (const std::string& name : names) {
    cuda::LoadedKernel* kernel = nullptr;
    if (!name.empty()) {
      Result<cuda::LoadedKernel*> found = (*module)->kernel(name);
      if (!found) return tl::unexpected<Error>(to_error(found.error()));
      kernel = *found;
    }
    kernels->push_back(kernel);
  }
  owned_[variant] = std::move(kernels);
  ready_[variant].store(owned_[variant].get(), std::memory_order_release);
  return {};
}

Expected<void> CudaTarget::prepare() {
  if (ready_[abi::kDefaultVariant].load(std::memory_order_acquire) != nullptr) return {};
  std::lock_guard lock(mutex_);
  if (ready_[abi::kDefaultVariant].load(std::memory_order_acquire) != nullptr) return {};
  return load(abi::kDefaultVariant);
}

Result<cuda::LoadedKernel*> CudaTarget::kernel(std::uint32_t region, std::uint8_t variant) {
  // GPU code is right for every grid.
  auto bits = static_cast<std::uint8_t>(variant & ~abi::kBigGrid);
  const Kernels* kernels = ready_[bits].load(std::memory_order_acquire);
  if (kernels == nullptr) {
    std::lock_guard lock(mutex_);
    if (ready_[bits].load(std::memory_order_acquire) == nullptr) {
      Expected<void> loaded = load(bits);
      if (!loaded) {
        return fail(loaded.error().message, static_cast<ErrorClass>(loaded.error().kind));
      }
    }
    kernels = ready_[bits].load(std::memory_order_acquire);
  }
  // Nearly always set already, and then the line stays shared between the threads that launch.
  if ((unit_.variants_run.load(std::memory_order_relaxed) >> bits & 1) == 0) {
    unit_.variants_run.fetch_or(1U << bits, std::memory_order_relaxed);
  }
  cuda::LoadedKernel* kernel = (*kernels)[region];
  if (kernel == nullptr) {
    return fail(fmt::format("{} has no device_entry: it is a CPU function; use target='cpu'",
                            unit_.function->name),
                ErrorClass::Value);
  }
  return kernel;
}

Result<void> CudaTarget::launch(std::span<const abi::Argument> args, void* stream,
                                abi::RunOptions options, std::uint64_t& result, CallMemo* memo) {
  Expected<void> ready = prepare();
  if (!ready) return fail(ready.error().message, static_cast<ErrorClass>(ready.error().kind));
  options.device = device_of(args);
  cuda::PlanLauncher launcher(*this, options.device.index, static_cast<cuda::CuStream>(stream));
  NotingLauncher noting(launcher, memo);
  Result<std::uint64_t> done = abi::run(unit_.plan, args, noting, options);
  if (!done) return tl::unexpected<Failure>(done.error());
  result = *done;
  return memo != nullptr ? add_kernels(*memo, options.device.index) : Result<void>{};
}

Result<void> CudaTarget::add_kernels(CallMemo& memo, int device) {
  for (CallMemo::Launch& launch : memo.launches()) {
    Result<cuda::LoadedKernel*> found = kernel(launch.request.region, launch.request.variant);
    if (!found) return tl::unexpected<Failure>(found.error());
    launch.kernel = *found;
    launch.device = device;
    launch.attributes = std::make_unique<cuda::LaunchAttributes>();
    Result<void> known = cuda::shape_of(launch.request, launch.shape, *launch.attributes);
    if (!known) return known;
  }
  return {};
}

Result<void> CudaTarget::repeat(CallMemo& memo, void* stream) {
  for (CallMemo::Launch& launch : memo.launches()) {
    if (!launch.shape.has_own_stream) launch.shape.stream = static_cast<cuda::CuStream>(stream);
    Result<void> done =
        cuda::launch(*launch.kernel, launch.device, launch.shape, memo.addresses(launch));
    if (!done) return done;
  }
  return {};
}

Expected<std::vector<KernelResources>> CudaTarget::resources(int device) {
  if (Expected<void> ready = prepare(); !ready) return tl::unexpected<Error>(ready.error());
  const Kernels& kernels = *ready_[abi::kDefaultVariant].load(std::memory_order_acquire);
  std::vector<KernelResources> all;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i] == nullptr) continue;
    auto threads = static_cast<int>(unit_.function->kernels[i]->launch.static_threads());
    Result<cuda::KernelResources> used = kernels[i]->resources(device, threads);
    if (!used) return tl::unexpected<Error>(to_error(used.error()));
    all.push_back({.kernel = kernels[i]->name(),
                   .registers = used->registers,
                   .shared_bytes = used->shared_bytes,
                   .spilled_bytes = used->local_bytes,
                   .constant_bytes = used->constant_bytes,
                   .max_block_threads = used->max_threads,
                   .block_threads = threads,
                   .blocks_per_multiprocessor = used->blocks_per_multiprocessor,
                   .occupancy = used->occupancy});
  }
  return all;
}

}  // namespace tirxcc::driver
