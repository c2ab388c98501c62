// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "runtime/cuda/dynamic_library.h"

namespace tirxcc::cuda {
namespace {

constexpr int kOldestDriver = 12000;

const char* load_functions(const DynamicLibrary& library, DriverApi& api) {
#define TIRXCC_DRIVER_LOAD(name, text, parameters)                              \
  api.name = reinterpret_cast<DriverApi::name##Function>(library.symbol(text)); \
  if (api.name == nullptr) return text;
  TIRXCC_DRIVER_FUNCTIONS(TIRXCC_DRIVER_LOAD)
#undef TIRXCC_DRIVER_LOAD
  return nullptr;
}

std::string version_words(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

// After these the device's context cannot be used any more, by anyone in the process.
bool loses_context(int status) {
  switch (status) {
    case kCudaEccUncorrectable:
    case kCudaContained:
    case kCudaIllegalAddress:
    case kCudaLaunchTimeout:
    case kCudaAssert:
    case kCudaHardwareStackError:
    case kCudaIllegalInstruction:
    case kCudaMisalignedAddress:
    case kCudaInvalidAddressSpace:
    case kCudaInvalidPc:
    case kCudaLaunchFailed:
    case kCudaTensorMemoryLeak: return true;
    default: return false;
  }
}

// What the user can do, in half a sentence; "" where the driver's words say it all.
std::string_view advice(int status) {
  switch (status) {
    case kCudaStubLibrary:
      return "this libcuda.so.1 is the toolkit's stub for linking; put the driver's first";
    case kCudaNoDevice: return "no GPU is visible; see CUDA_VISIBLE_DEVICES, or use target='cpu'";
    case kCudaSystemDriverMismatch:
      return "libcuda.so.1 and the kernel module are of different versions; restart the machine";
    case kCudaInvalidImage:
    case kCudaUnsupportedPtxVersion:
      return "NVRTC may be newer than the driver; install nvidia-cuda-nvrtc of the driver's CUDA "
             "version";
    case kCudaNoBinaryForGpu: return "compiled for another GPU; set the target's arch";
    case kCudaStreamCaptureUnsupported:
      return "not possible while the stream is being captured into a graph; run it once before";
    default: return "";
  }
}

}  // namespace

bool has_device_file() {
  const char* named = std::getenv("TIRXCC_LIBCUDA");
  if (named != nullptr && *named != '\0') return true;
  // WSL has its own.
  return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
}

std::string DeviceInfo::arch() const {
  return fmt::format("sm_{}{}{}", major, minor, major >= 9 ? "a" : "");
}

Result<Driver*> Driver::instance() {
  // Never destroyed: threads may still launch while the process ends.
  static const auto* const driver = [] {
    const char* named = std::getenv("TIRXCC_LIBCUDA");
    bool is_named = named != nullptr && *named != '\0';
    return new Result<std::unique_ptr<Driver>>(open(is_named ? named : "libcuda.so.1"));
  }();
  if (!*driver) return tl::unexpected(driver->error());
  return (*driver)->get();
}

Result<std::unique_ptr<Driver>> Driver::open(const std::string& library) {
  Result<DynamicLibrary> file = DynamicLibrary::open(library);
  if (!file) {
    // The loader's words add nothing when the file is simply not there.
    bool absent = file.error().message.find("No such file") != std::string::npos;
    return fail(absent ? fmt::format("no CUDA driver: {} not found; use target='cpu'", library)
                       : fmt::format("no CUDA driver: {}; use target='cpu'", file.error().message));
  }
  std::unique_ptr<Driver> driver(new Driver);
  driver->path_ = file->path();
  const char* missing = load_functions(*file, driver->api_);
  int version = 0;
  if (driver->api_.DriverGetVersion != nullptr) driver->api_.DriverGetVersion(&version);
  if (missing != nullptr || version < kOldestDriver) {
    return fail(fmt::format(
        "the CUDA driver ({}, CUDA {}) is too old: {}12.0 or later is needed; use target='cpu'",
        driver->path_, version_words(version),
        missing != nullptr ? fmt::format("it has no {}, ", missing) : ""));
  }
  driver->version_ = version;
  if (int status = driver->api_.Init(0); status != kCudaSuccess) {
    return tl::unexpected(driver->failure(status, "the CUDA driver does not start"));
  }
  if (Result<void> read = driver->read_devices(); !read) return tl::unexpected(read.error());
  return driver;
}

std::string Driver::version_text() const {
  return version_words(version_);
}

Result<void> Driver::read_devices() {
  int count = 0;
  if (Result<void> counted = check(api_.DeviceGetCount(&count), "counting the GPUs"); !counted) {
    return counted;
  }
  for (int i = 0; i < count; ++i) {
    int handle = 0;
    if (Result<void> got = check(api_.DeviceGet(&handle, i), "opening a GPU"); !got) return got;
    auto attribute = [&](DeviceAttribute which) {
      int value = 0;
      api_.DeviceGetAttribute(&value, which, handle);
      return value;
    };
    DeviceInfo info;
    info.index = i;
    info.handle = handle;
    char name[256] = "";
    api_.DeviceGetName(name, sizeof name, handle);
    info.name = name;
    info.major = attribute(DeviceAttribute::ComputeCapabilityMajor);
    info.minor = attribute(DeviceAttribute::ComputeCapabilityMinor);
    info.multiprocessors = attribute(DeviceAttribute::MultiprocessorCount);
    info.max_threads = attribute(DeviceAttribute::MaxThreadsPerMultiprocessor);
    info.max_shared_bytes = attribute(DeviceAttribute::MaxSharedMemoryPerBlockOptin);
    info.l2_bytes = attribute(DeviceAttribute::L2CacheSize);
    std::size_t memory = 0;
    api_.DeviceTotalMem(&memory, handle);
    info.memory_bytes = memory;
    devices_.push_back(std::move(info));
  }
  primary_contexts_ = std::make_unique<std::atomic<CuContext>[]>(devices_.size());
  lost_status_ = std::make_unique<std::atomic<int>[]>(devices_.size());
  return {};
}

Result<CuContext> Driver::primary_context(int device) {
  if (device < 0 || static_cast<std::size_t>(device) >= devices_.size()) {
    return fail(
        fmt::format("there is no CUDA device {}; this process sees {}", device, devices_.size()),
        ErrorClass::Value);
  }
  std::atomic<CuContext>& known = primary_contexts_[static_cast<std::size_t>(device)];
  if (CuContext context = known.load(std::memory_order_acquire)) return context;
  std::lock_guard lock(context_mutex_);
  if (CuContext context = known.load(std::memory_order_relaxed)) return context;
  CuContext context = nullptr;
  int handle = devices_[static_cast<std::size_t>(device)].handle;
  int status = api_.DevicePrimaryCtxRetain(&context, handle);
  if (status != kCudaSuccess) {
    return tl::unexpected(failure(status, fmt::format("CUDA device {} cannot be used", device)));
  }
  known.store(context, std::memory_order_release);
  return context;
}

std::string Driver::status_name(int status) const {
  const char* name = nullptr;
  if (api_.GetErrorName(status, &name) != kCudaSuccess || name == nullptr) {
    return fmt::format("CUDA error {}", status);
  }
  return name;
}

std::atomic<int>* Driver::lost_status(int device) const {
  if (device < 0) {
    // A lost context still says which device it is of.
    if (api_.CtxGetDevice(&device) != kCudaSuccess) return nullptr;
  }
  return static_cast<std::size_t>(device) < devices_.size() ? &lost_status_[device] : nullptr;
}

bool Driver::is_lost(int device) const {
  const std::atomic<int>* lost = lost_status(device);
  return lost != nullptr && lost->load(std::memory_order_relaxed) != kCudaSuccess;
}

Failure Driver::failure(int status, std::string_view what, int device) const {
  const char* words = nullptr;
  if (api_.GetErrorString(status, &words) != kCudaSuccess) words = nullptr;
  Failure failure;
  failure.error_class = status == kCudaOutOfMemory ? ErrorClass::Memory : ErrorClass::Runtime;
  failure.message = fmt::format("{}: {} ({})", what, words != nullptr ? words : "unknown error",
                                status_name(status));
  if (std::string_view help = advice(status); !help.empty()) {
    failure.message += fmt::format("; {}", help);
  }
  std::atomic<int>* lost = lost_status(device);
  int earlier = lost != nullptr ? lost->load() : kCudaSuccess;
  if (earlier != kCudaSuccess) {
    failure.message += fmt::format(
        "\nnote: the CUDA context was lost earlier ({}); nothing on this GPU works any more until "
        "the process is started again",
        status_name(earlier));
  } else if (loses_context(status)) {
    if (lost != nullptr) lost->store(status);
    failure.message +=
        "\nnote: kernels run asynchronously, so an earlier launch may be the cause; the CUDA "
        "context is lost and nothing on this GPU works any more until the process is started "
        "again; 'tirxcc check' finds such faults with their line";
  }
  return failure;
}

Result<ContextScope> ContextScope::enter(Driver& driver, int device) {
  Result<CuContext> primary = driver.primary_context(device);
  if (!primary) return tl::unexpected(primary.error());
  CuContext current = nullptr;
  int status = driver.api().CtxGetCurrent(&current);
  if (status != kCudaSuccess) {
    return tl::unexpected(driver.failure(status, "asking for the current context"));
  }
  if (current == *primary) return ContextScope(driver, nullptr);
  if (current != nullptr) {
    int current_device = -1;
    if (driver.api().CtxGetDevice(&current_device) == kCudaSuccess && current_device == device) {
      return ContextScope(driver, nullptr);
    }
  }
  status = driver.api().CtxSetCurrent(*primary);
  if (status != kCudaSuccess) {
    return tl::unexpected(driver.failure(status, "making a context current"));
  }
  return ContextScope(driver, current);
}

}  // namespace tirxcc::cuda
