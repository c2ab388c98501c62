// SPDX-License-Identifier: Apache-2.0
//
// A CUDA driver without a GPU: the entry points of libcuda that tirxcc calls, which keep the rules
// that matter to a caller (contexts, limits of a launch, errors after which everything fails) and
// write down what was called. Kernels do nothing. Device memory is host memory.
//
//   TIRXCC_LIBCUDA=.../libfake_cuda.so FAKE_CUDA_LOG=calls.txt tirxcc run relu.py --target cuda ...
//
// Environment:
//   FAKE_CUDA_LOG      a file to which every call is appended
//   FAKE_CUDA_FAIL     "cuLaunchKernel=700,cuMemAlloc=2@3": the status of that function's calls, or
//                      of its third call only
//   FAKE_CUDA_DEVICES  how many GPUs there are (1)
//   FAKE_CUDA_ARCH     their compute capability (90)
//   FAKE_CUDA_VERSION  the driver's CUDA version (13000)
//   FAKE_CUDA_MEMORY   bytes of each GPU (1 GiB)
//   FAKE_CUDA_KERNELS  "relu_kernel=8,8,4;other=8": sizes of arguments, whose values are then
//   logged
//   FAKE_CUDA_FAST     set: launches are neither checked nor logged, for measuring what is above
//   them
#include "fake_cuda.h"

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum Status {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kInvalidHandle = 400,
  kNotFound = 500,
};

constexpr int kSharedLimit = 232448;

struct Context {
  int device = 0;
};
struct Library {
  std::string image;
};
struct Kernel {
  std::string name;
  std::map<int, int> max_dynamic;  // by device
};
struct Function {
  Kernel* kernel = nullptr;
  Context* context = nullptr;
};
struct Stream {
  Context* context = nullptr;
};
struct Event {
  std::uint64_t recorded = 0;
};
struct Failing {
  int status = 0;
  int only_call = 0;  // 0: all
};

struct State {
  std::mutex mutex;
  std::string log;
  std::map<std::string, Failing> failing;
  std::map<std::string, int> calls;
  std::map<std::string, std::vector<int>> argument_sizes;
  std::vector<std::unique_ptr<Context>> primary;
  std::vector<std::unique_ptr<Context>> contexts;
  std::vector<std::unique_ptr<Library>> libraries;
  std::map<std::pair<Library*, std::string>, std::unique_ptr<Kernel>> kernels;
  std::map<std::pair<Kernel*, Context*>, std::unique_ptr<Function>> functions;
  std::set<Stream*> streams;
  std::map<void*, std::size_t> memory;
  std::uint64_t bytes = 0;
  std::uint64_t clock = 0;
  std::map<int, int> lost;  // by device: the error after which everything fails
};

State& state() {
  static auto* const the_state = new State;
  return *the_state;
}

thread_local Context* current = nullptr;

long setting(const char* name, long otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? std::strtol(value, nullptr, 10) : otherwise;
}

int device_count() {
  return static_cast<int>(setting("FAKE_CUDA_DEVICES", 1));
}

bool is_sticky(int status) {
  return status == 214 || status == 226 || status == 700 || status == 702 || status == 710 ||
         (status >= 714 && status <= 719) || status == 721;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    std::size_t end = std::min(text.find(at, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

void set_failing(State& s, const std::string& spec) {
  s.failing.clear();
  s.calls.clear();
  for (const std::string& part : split(spec, ',')) {
    std::size_t equals = part.find('=');
    if (equals == std::string::npos) continue;
    std::size_t at = part.find('@');
    Failing failing{std::atoi(part.c_str() + equals + 1), 0};
    if (at != std::string::npos) failing.only_call = std::atoi(part.c_str() + at + 1);
    s.failing[part.substr(0, equals)] = failing;
  }
}

void set_kernels(State& s, const std::string& spec) {
  s.argument_sizes.clear();
  for (const std::string& part : split(spec, ';')) {
    std::size_t equals = part.find('=');
    if (equals == std::string::npos) continue;
    std::vector<int>& sizes = s.argument_sizes[part.substr(0, equals)];
    for (const std::string& size : split(part.substr(equals + 1), ',')) {
      sizes.push_back(std::atoi(size.c_str()));
    }
  }
}

void read_environment(State& s) {
  const char* fail = std::getenv("FAKE_CUDA_FAIL");
  const char* kernels = std::getenv("FAKE_CUDA_KERNELS");
  set_failing(s, fail != nullptr ? fail : "");
  set_kernels(s, kernels != nullptr ? kernels : "");
}

bool is_fast() {
  static const bool fast = std::getenv("FAKE_CUDA_FAST") != nullptr;
  return fast;
}

// One call: takes the lock, writes the line, answers with an injected or sticky error.
class Call {
 public:
  explicit Call(const char* name, const std::string& details = "", bool needs_context = false)
      : lock_(state().mutex) {
    State& s = state();
    static bool is_first = true;
    if (std::exchange(is_first, false)) read_environment(s);
    std::string line = name + (details.empty() ? "" : " " + details) + "\n";
    s.log += line;
    if (const char* file = std::getenv("FAKE_CUDA_LOG")) {
      if (std::FILE* out = std::fopen(file, "a")) {
        std::fputs(line.c_str(), out);
        std::fclose(out);
      }
    }
    if (needs_context) {
      if (current == nullptr) {
        status_ = kInvalidContext;
      } else if (auto lost = s.lost.find(current->device); lost != s.lost.end()) {
        status_ = lost->second;
      }
    }
    int number = ++s.calls[name];
    auto found = s.failing.find(name);
    if (found == s.failing.end()) return;
    if (found->second.only_call != 0 && found->second.only_call != number) return;
    status_ = found->second.status;
    if (is_sticky(status_)) s.lost[current != nullptr ? current->device : 0] = status_;
  }

  int status() const { return status_; }
  bool fails() const { return status_ != kSuccess; }

 private:
  std::lock_guard<std::mutex> lock_;
  int status_ = kSuccess;
};

std::string text(const char* format, ...) __attribute__((format(printf, 1, 2)));
std::string text(const char* format, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

// The bytes of an ELF image, whose size the driver API does not tell.
std::string copy_image(const void* code) {
  const auto* bytes = static_cast<const unsigned char*>(code);
  std::uint64_t sections = 0;
  std::uint16_t entry_size = 0;
  std::uint16_t count = 0;
  std::memcpy(&sections, bytes + 40, sizeof sections);
  std::memcpy(&entry_size, bytes + 58, sizeof entry_size);
  std::memcpy(&count, bytes + 60, sizeof count);
  std::size_t size = sections + std::size_t{entry_size} * count;
  return {reinterpret_cast<const char*>(bytes), std::max<std::size_t>(size, 64)};
}

Function* function_for(State& s, Kernel* kernel, Context* context) {
  std::unique_ptr<Function>& function = s.functions[{kernel, context}];
  if (function == nullptr) function = std::make_unique<Function>(Function{kernel, context});
  return function.get();
}

// A function handle, or a kernel handle used as one.
Function* resolve(State& s, void* handle) {
  for (auto& [key, function] : s.functions) {
    if (function.get() == handle) return function.get();
  }
  for (auto& [key, kernel] : s.kernels) {
    if (kernel.get() == handle) return function_for(s, kernel.get(), current);
  }
  return nullptr;
}

std::string argument_text(State& s, void* handle, void** arguments) {
  Function* function = resolve(s, handle);
  if (function == nullptr) return "";
  auto sizes = s.argument_sizes.find(function->kernel->name);
  std::string line;
  if (sizes == s.argument_sizes.end()) return line;
  for (std::size_t i = 0; i < sizes->second.size(); ++i) {
    std::uint64_t value = 0;
    std::memcpy(&value, arguments[i], static_cast<std::size_t>(sizes->second[i]));
    line += text("%s0x%llx", i == 0 ? " args=" : ",", static_cast<unsigned long long>(value));
  }
  return line;
}

struct Shape {
  unsigned grid[3], block[3], shared;
  void* stream;
};

std::string describe(void* handle, const Shape& shape, void** arguments) {
  std::lock_guard lock(state().mutex);
  State& s = state();
  Function* function = resolve(s, handle);
  return text("%s grid=%u,%u,%u block=%u,%u,%u shared=%u stream=%p device=%d",
              function != nullptr ? function->kernel->name.c_str() : "?", shape.grid[0],
              shape.grid[1], shape.grid[2], shape.block[0], shape.block[1], shape.block[2],
              shape.shared, shape.stream, current != nullptr ? current->device : -1) +
         argument_text(s, handle, arguments);
}

int check_launch(State& s, void* handle, const Shape& shape) {
  Function* function = resolve(s, handle);
  if (function == nullptr) return kInvalidHandle;
  if (function->context != current) return kInvalidContext;
  for (int axis = 0; axis < 3; ++axis) {
    if (shape.grid[axis] == 0 || shape.block[axis] == 0) return kInvalidValue;
  }
  if (shape.grid[0] > 2147483647u || shape.grid[1] > 65535 || shape.grid[2] > 65535) {
    return kInvalidValue;
  }
  if (std::uint64_t{shape.block[0]} * shape.block[1] * shape.block[2] > 1024) return kInvalidValue;
  auto allowed = function->kernel->max_dynamic.find(current->device);
  unsigned limit = 49152;
  if (allowed != function->kernel->max_dynamic.end()) {
    limit = static_cast<unsigned>(allowed->second);
  }
  if (shape.shared > limit) return kInvalidValue;
  if (shape.stream != nullptr) {
    auto* stream = static_cast<Stream*>(shape.stream);
    if (s.streams.count(stream) == 0) return kInvalidHandle;
    if (stream->context != current) return kInvalidHandle;
  }
  return kSuccess;
}

}  // namespace

// --- steering ------------------------------------------------------------------------------------

EXPORT void fake_cuda_reset() {
  std::lock_guard lock(state().mutex);
  State& s = state();
  for (auto& [pointer, size] : s.memory)
    std::free(pointer);
  for (Stream* stream : s.streams)
    delete stream;
  s.log.clear();
  s.memory.clear();
  s.streams.clear();
  s.bytes = 0;
  s.lost.clear();
  current = nullptr;
  read_environment(s);
}

EXPORT const char* fake_cuda_log() {
  return state().log.c_str();
}

EXPORT void fake_cuda_fail(const char* spec) {
  std::lock_guard lock(state().mutex);
  set_failing(state(), spec);
}

EXPORT void fake_cuda_kernels(const char* spec) {
  std::lock_guard lock(state().mutex);
  set_kernels(state(), spec);
}

EXPORT void fake_cuda_push_own_context(int device) {
  std::lock_guard lock(state().mutex);
  state().contexts.push_back(std::make_unique<Context>(Context{device}));
  current = state().contexts.back().get();
}

EXPORT unsigned long long fake_cuda_live_bytes() {
  std::lock_guard lock(state().mutex);
  return state().bytes;
}

// --- the driver's entry points -------------------------------------------------------------------

EXPORT int cuInit(unsigned) {
  Call call("cuInit");
  if (call.fails()) return call.status();
  return device_count() == 0 ? kNoDevice : kSuccess;
}

EXPORT int cuDriverGetVersion(int* version) {
  *version = static_cast<int>(setting("FAKE_CUDA_VERSION", 13000));
  return Call("cuDriverGetVersion").status();
}

EXPORT int cuGetErrorName(int status, const char** name) {
  static const std::map<int, const char*> names = {
      {1, "CUDA_ERROR_INVALID_VALUE"},
      {2, "CUDA_ERROR_OUT_OF_MEMORY"},
      {34, "CUDA_ERROR_STUB_LIBRARY"},
      {100, "CUDA_ERROR_NO_DEVICE"},
      {101, "CUDA_ERROR_INVALID_DEVICE"},
      {200, "CUDA_ERROR_INVALID_IMAGE"},
      {201, "CUDA_ERROR_INVALID_CONTEXT"},
      {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
      {214, "CUDA_ERROR_ECC_UNCORRECTABLE"},
      {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
      {400, "CUDA_ERROR_INVALID_HANDLE"},
      {500, "CUDA_ERROR_NOT_FOUND"},
      {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
      {702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
      {716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
      {719, "CUDA_ERROR_LAUNCH_FAILED"},
      {720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"},
      {801, "CUDA_ERROR_NOT_SUPPORTED"},
      {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
      {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
      {912, "CUDA_ERROR_INVALID_CLUSTER_SIZE"},
  };
  auto found = names.find(status);
  *name = found != names.end() ? found->second : nullptr;
  return found != names.end() ? kSuccess : kInvalidValue;
}

EXPORT int cuGetErrorString(int status, const char** words) {
  static std::map<int, std::string> texts;
  const char* name = nullptr;
  if (cuGetErrorName(status, &name) != kSuccess) return kInvalidValue;
  std::lock_guard lock(state().mutex);
  texts[status] = text("words for %d", status);
  *words = texts[status].c_str();
  return kSuccess;
}

EXPORT int cuDeviceGetCount(int* count) {
  *count = device_count();
  return Call("cuDeviceGetCount").status();
}

EXPORT int cuDeviceGet(int* handle, int index) {
  *handle = index;
  Call call("cuDeviceGet", text("%d", index));
  return call.fails() ? call.status() : index < device_count() ? kSuccess : kInvalidDevice;
}

EXPORT int cuDeviceGetName(char* name, int size, int device) {
  std::snprintf(name, static_cast<std::size_t>(size), "Fake GPU %d", device);
  return Call("cuDeviceGetName").status();
}

EXPORT int cuDeviceGetAttribute(int* value, int attribute, int) {
  long arch = setting("FAKE_CUDA_ARCH", 90);
  switch (attribute) {
    case 1: *value = 1024; break;
    case 16: *value = 132; break;
    case 38: *value = 50 << 20; break;
    case 39: *value = 2048; break;
    case 75: *value = static_cast<int>(arch / 10); break;
    case 76: *value = static_cast<int>(arch % 10); break;
    case 97: *value = kSharedLimit; break;
    default: *value = 0; return kInvalidValue;
  }
  return Call("cuDeviceGetAttribute").status();
}

EXPORT int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = static_cast<std::size_t>(setting("FAKE_CUDA_MEMORY", 1L << 30));
  return Call("cuDeviceTotalMem").status();
}

EXPORT int cuDevicePrimaryCtxRetain(Context** context, int device) {
  Call call("cuDevicePrimaryCtxRetain", text("%d", device));
  if (call.fails()) return call.status();
  State& s = state();
  while (s.primary.size() <= static_cast<std::size_t>(device)) {
    s.primary.push_back(std::make_unique<Context>(Context{static_cast<int>(s.primary.size())}));
  }
  *context = s.primary[static_cast<std::size_t>(device)].get();
  return kSuccess;
}

EXPORT int cuCtxGetCurrent(Context** context) {
  *context = current;
  return is_fast() ? kSuccess : Call("cuCtxGetCurrent").status();
}

EXPORT int cuCtxSetCurrent(Context* context) {
  Call call("cuCtxSetCurrent", text("device=%d", context != nullptr ? context->device : -1));
  if (call.fails()) return call.status();
  current = context;
  return kSuccess;
}

EXPORT int cuCtxGetDevice(int* device) {
  Call call("cuCtxGetDevice");
  if (current == nullptr) return kInvalidContext;
  *device = current->device;
  return call.status();
}

EXPORT int cuCtxSynchronize() {
  return Call("cuCtxSynchronize", "", true).status();
}

EXPORT int cuLibraryLoadData(Library** library, const void* code, void*, void*, unsigned, void*,
                             void*, unsigned) {
  Call call("cuLibraryLoadData");
  if (call.fails()) return call.status();
  if (std::memcmp(code,
                  "\x7f"
                  "ELF",
                  4) != 0)
    return kInvalidImage;
  state().libraries.push_back(std::make_unique<Library>(Library{copy_image(code)}));
  *library = state().libraries.back().get();
  return kSuccess;
}

EXPORT int cuLibraryUnload(Library*) {
  return Call("cuLibraryUnload").status();
}

EXPORT int cuLibraryGetKernel(Kernel** kernel, Library* library, const char* name) {
  Call call("cuLibraryGetKernel", name);
  if (call.fails()) return call.status();
  // An image of 64 bytes is a test's stand-in for a cubin and has every kernel.
  if (library->image.size() > 64 && library->image.find(name) == std::string::npos) {
    return kNotFound;
  }
  std::unique_ptr<Kernel>& known = state().kernels[{library, name}];
  if (known == nullptr) known = std::make_unique<Kernel>(Kernel{name, {}});
  *kernel = known.get();
  return kSuccess;
}

EXPORT int cuKernelGetFunction(Function** function, Kernel* kernel) {
  Call call("cuKernelGetFunction", kernel->name, true);
  if (call.fails()) return call.status();
  *function = function_for(state(), kernel, current);
  return kSuccess;
}

EXPORT int cuKernelGetAttribute(int* value, int attribute, Kernel* kernel, int device) {
  Call call("cuKernelGetAttribute", text("%d", attribute));
  switch (attribute) {
    case 0: *value = 1024; break;
    case 1: *value = 1024; break;
    case 4: *value = 32; break;
    case 8: *value = kernel->max_dynamic.count(device) ? kernel->max_dynamic[device] : 49152; break;
    default: *value = 0; break;
  }
  return call.status();
}

EXPORT int cuKernelSetAttribute(int attribute, int value, Kernel* kernel, int device) {
  Call call("cuKernelSetAttribute", text("%d=%d device=%d", attribute, value, device));
  if (call.fails()) return call.status();
  if (attribute == 8) kernel->max_dynamic[device] = value;
  return kSuccess;
}

EXPORT int cuFuncGetAttribute(int* value, int, Function*) {
  *value = 0;
  return Call("cuFuncGetAttribute", "", true).status();
}

EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function*, int threads,
                                                       std::size_t) {
  *blocks = threads > 0 ? 2048 / threads : 0;
  return Call("cuOccupancyMaxActiveBlocksPerMultiprocessor", "", true).status();
}

EXPORT int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                          unsigned by, unsigned bz, unsigned shared, void* stream, void** arguments,
                          void**) {
  if (is_fast()) return kSuccess;
  Shape shape{{gx, gy, gz}, {bx, by, bz}, shared, stream};
  Call call("cuLaunchKernel", describe(function, shape, arguments), true);
  return call.fails() ? call.status() : check_launch(state(), function, shape);
}

struct LaunchConfig {
  unsigned grid[3], block[3], shared;
  void* stream;
  const unsigned char* attributes;  // 72 bytes each: id, padding, 64 bytes of value
  unsigned attribute_count;
};

// ` 8=-3`: an attribute by its number in cuda.h and its value.
std::string attribute_text(const unsigned char* attribute) {
  int id = 0;
  std::int32_t value[3];
  std::memcpy(&id, attribute, sizeof id);
  const unsigned char* bytes = attribute + 8;
  std::memcpy(value, bytes, sizeof value);
  void* pointer = nullptr;
  std::memcpy(&pointer, bytes, sizeof pointer);
  if (id == 1) {
    std::size_t size = 0;
    float ratio = 0;
    std::int32_t properties[2];
    std::memcpy(&size, bytes + 8, sizeof size);
    std::memcpy(&ratio, bytes + 16, sizeof ratio);
    std::memcpy(properties, bytes + 20, sizeof properties);
    return text(" 1=(%p,%zu,%g,%d,%d)", pointer, size, static_cast<double>(ratio), properties[0],
                properties[1]);
  }
  if (id == 7 || id == 12) {
    std::int32_t flags[2];
    std::memcpy(flags, bytes + 8, sizeof flags);
    return id == 7 ? text(" 7=(%p,%d,%d)", pointer, flags[0], flags[1])
                   : text(" 12=(%p,%d)", pointer, flags[0]);
  }
  if (id == 9) return text(" 9=(%d,%d)", bytes[0], bytes[1]);
  if (id == 4 || id == 11) return text(" %d=(%d,%d,%d)", id, value[0], value[1], value[2]);
  return text(" %d=%d", id, value[0]);
}

EXPORT int cuLaunchKernelEx(const LaunchConfig* config, void* function, void** arguments, void**) {
  if (is_fast()) return kSuccess;
  Shape shape{{config->grid[0], config->grid[1], config->grid[2]},
              {config->block[0], config->block[1], config->block[2]},
              config->shared,
              config->stream};
  std::string details = describe(function, shape, arguments);
  bool zero_cluster = false;
  for (unsigned i = 0; i < config->attribute_count; ++i) {
    int id = 0;
    std::int32_t value[3];
    std::memcpy(&id, config->attributes + std::size_t{72} * i, sizeof id);
    std::memcpy(value, config->attributes + std::size_t{72} * i + 8, sizeof value);
    details += attribute_text(config->attributes + std::size_t{72} * i);
    zero_cluster = zero_cluster || (id == 4 && value[0] * value[1] * value[2] == 0);
  }
  Call call("cuLaunchKernelEx", details, true);
  if (call.fails()) return call.status();
  return zero_cluster ? kInvalidValue : check_launch(state(), function, shape);
}

EXPORT int cuStreamCreate(Stream** stream, unsigned) {
  Call call("cuStreamCreate", "", true);
  if (call.fails()) return call.status();
  *stream = new Stream{current};
  state().streams.insert(*stream);
  return kSuccess;
}

EXPORT int cuStreamDestroy_v2(Stream* stream) {
  Call call("cuStreamDestroy");
  if (state().streams.erase(stream) == 0) return kInvalidHandle;
  delete stream;
  return call.status();
}

EXPORT int cuStreamSynchronize(Stream*) {
  return Call("cuStreamSynchronize", "", true).status();
}

EXPORT int cuEventCreate(Event** event, unsigned) {
  Call call("cuEventCreate", "", true);
  if (call.fails()) return call.status();
  *event = new Event;
  return kSuccess;
}

EXPORT int cuEventDestroy_v2(Event* event) {
  Call call("cuEventDestroy");
  delete event;
  return call.status();
}

EXPORT int cuEventRecord(Event* event, Stream*) {
  Call call("cuEventRecord", "", true);
  event->recorded = ++state().clock;
  return call.status();
}

EXPORT int cuEventSynchronize(Event*) {
  return Call("cuEventSynchronize", "", true).status();
}

EXPORT int cuEventElapsedTime(float* milliseconds, Event* begin, Event* end) {
  *milliseconds = static_cast<float>(end->recorded - begin->recorded);
  return Call("cuEventElapsedTime", "", true).status();
}

EXPORT int cuMemAlloc_v2(std::uint64_t* pointer, std::size_t bytes) {
  Call call("cuMemAlloc", text("%zu", bytes), true);
  if (call.fails()) return call.status();
  if (bytes == 0) return kInvalidValue;
  State& s = state();
  if (s.bytes + bytes > static_cast<std::uint64_t>(setting("FAKE_CUDA_MEMORY", 1L << 30))) {
    return kOutOfMemory;
  }
  void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  s.memory[memory] = bytes;
  s.bytes += bytes;
  *pointer = reinterpret_cast<std::uint64_t>(memory);
  return kSuccess;
}

EXPORT int cuMemFree_v2(std::uint64_t pointer) {
  Call call("cuMemFree");
  State& s = state();
  auto found = s.memory.find(reinterpret_cast<void*>(pointer));
  if (found == s.memory.end()) return kInvalidValue;
  s.bytes -= found->second;
  std::free(found->first);
  s.memory.erase(found);
  return call.status();
}

EXPORT int cuMemAllocAsync(std::uint64_t* pointer, std::size_t bytes, Stream*) {
  return cuMemAlloc_v2(pointer, bytes);
}

EXPORT int cuMemFreeAsync(std::uint64_t pointer, Stream*) {
  return cuMemFree_v2(pointer);
}

EXPORT int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  Call call("cuMemcpyHtoD", text("%zu", bytes), true);
  if (!call.fails()) std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return call.status();
}

EXPORT int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  Call call("cuMemcpyDtoH", text("%zu", bytes), true);
  if (!call.fails()) std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return call.status();
}

EXPORT int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes, Stream*) {
  Call call("cuMemcpyDtoDAsync", text("%zu", bytes), true);
  if (!call.fails()) {
    std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  }
  return call.status();
}

EXPORT int cuMemsetD8Async(std::uint64_t to, unsigned char value, std::size_t bytes, Stream*) {
  Call call("cuMemsetD8Async", text("%zu", bytes), true);
  if (!call.fails()) std::memset(reinterpret_cast<void*>(to), value, bytes);
  return call.status();
}

EXPORT int cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total) {
  Call call("cuMemGetInfo", "", true);
  *total = static_cast<std::size_t>(setting("FAKE_CUDA_MEMORY", 1L << 30));
  *free_bytes = *total - state().bytes;
  return call.status();
}
