// SPDX-License-Identifier: Apache-2.0
//
// See plugin.h.
#include "runtime/cpu/plugin.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/cpu/block_memory.h"
#include "runtime/cpu/fiber_launch.h"
#include "runtime/cpu/fork_gate.h"
#include "runtime/cpu/thread_pool.h"

namespace tirxcc::runtime_cpu {
namespace {

#ifdef __APPLE__
constexpr const char* kFileName = "libtirxcc_cpu.dylib";
#else
constexpr const char* kFileName = "libtirxcc_cpu.so";
#endif

// The folder of the library or program that this code is part of, with a '/' at its end.
std::string own_folder() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&load_plugin), &info) == 0 || info.dli_fname == nullptr) {
    return {};
  }
  char* resolved = realpath(info.dli_fname, nullptr);
  const std::string path = resolved != nullptr ? resolved : info.dli_fname;
  free(resolved);
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string("./") : path.substr(0, slash + 1);
}

std::vector<std::string> candidates() {
  if (const char* chosen = getenv("TIRXCC_CPU_PLUGIN"); chosen != nullptr && *chosen != '\0') {
    return {chosen};
  }
  std::vector<std::string> paths;
  if (const std::string folder = own_folder(); !folder.empty()) {
    paths.push_back(folder + kFileName);
    paths.push_back(folder + "../lib/" + kFileName);
  }
#ifdef TIRXCC_CPU_PLUGIN_BUILD_PATH
  paths.emplace_back(TIRXCC_CPU_PLUGIN_BUILD_PATH);
  paths.emplace_back(TIRXCC_CPU_PLUGIN_INSTALL_PATH);
#endif
  return paths;
}

Result<const abi::CpuPlugin*> open_plugin(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return fail(dlerror());
  auto entry = reinterpret_cast<abi::CpuPluginEntry>(dlsym(library, "tirxcc_cpu_plugin"));
  if (entry == nullptr) return fail(path + ": not a CPU plugin of tirxcc");
  static const abi::CpuServices services = {
      .parallel_for = &parallel_for, .block_memory = &block_memory, .meet = &meet};
  const abi::CpuPlugin* plugin = entry(TIRXCC_CPU_BUILD_ID, &services);
  if (plugin == nullptr) return fail(path + ": from another build of tirxcc");
  return plugin;
}

Result<const abi::CpuPlugin*> find_plugin() {
  std::string tried;
  for (const std::string& path : candidates()) {
    auto plugin = open_plugin(path);
    if (plugin) return plugin;
    tried += "\n  " + plugin.error().message;
  }
  return fail("the CPU target is not available; its plugin could not be loaded:" + tried +
              "\n  (in a build folder it is the target tirxcc_cpu)");
}

void append_to_string(void* user, const char* data, std::size_t size) {
  static_cast<std::string*>(user)->append(data, size);
}

}  // namespace

Result<const abi::CpuPlugin*> load_plugin() {
  static std::atomic<const abi::CpuPlugin*> loaded = nullptr;
  if (const abi::CpuPlugin* plugin = loaded.load(std::memory_order_acquire)) return plugin;
  if (auto can = check_can_compile(); !can) return tl::unexpected(can.error());
  if (auto good = check_thread_count(); !good) return tl::unexpected(good.error());
  const CompileScope scope;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (const abi::CpuPlugin* plugin = loaded.load(std::memory_order_acquire)) return plugin;
  auto found = find_plugin();
  if (found) loaded.store(*found, std::memory_order_release);
  return found;
}

Result<Code> Code::compile(const ir::CpuKernel& kernel, const abi::CpuCompileOptions& options) {
  if (auto can = check_can_compile(); !can) return tl::unexpected(can.error());
  const CompileScope scope;
  auto plugin = load_plugin();
  if (!plugin) return tl::unexpected(plugin.error());
  Code made;
  std::string error;
  made.plugin_ = *plugin;
  made.code_ = (*plugin)->compile(&kernel, &options, append_to_string, &error);
  if (made.code_ == nullptr) return fail("the CPU target could not link a kernel: " + error);
  made.entry_ = (*plugin)->entry(made.code_);
  return made;
}

Code::Code(Code&& other) noexcept
    : plugin_(other.plugin_),
      code_(std::exchange(other.code_, nullptr)),
      entry_(std::exchange(other.entry_, nullptr)) {}

Code& Code::operator=(Code&& other) noexcept {
  std::swap(plugin_, other.plugin_);
  std::swap(code_, other.code_);
  std::swap(entry_, other.entry_);
  return *this;
}

Code::~Code() {
  if (code_ == nullptr) return;
  const CompileScope scope;
  plugin_->release(code_);
}

std::int64_t Code::compile_ns() const {
  return code_ == nullptr ? 0 : plugin_->compile_ns(code_);
}

std::int64_t Code::stack_bytes() const {
  return code_ == nullptr ? 0 : plugin_->stack_bytes(code_);
}

Result<std::string> print_code(const ir::CpuKernel& kernel, const abi::CpuCompileOptions& options,
                               abi::CpuText what) {
  if (auto can = check_can_compile(); !can) return tl::unexpected(can.error());
  const CompileScope scope;
  auto plugin = load_plugin();
  if (!plugin) return tl::unexpected(plugin.error());
  std::string text;
  if (!(*plugin)->print(&kernel, &options, what, append_to_string, &text)) return fail(text);
  return text;
}

Result<std::string> export_object(std::span<const abi::CpuExport> functions,
                                  const abi::CpuCompileOptions& options) {
  if (auto can = check_can_compile(); !can) return tl::unexpected(can.error());
  const CompileScope scope;
  auto plugin = load_plugin();
  if (!plugin) return tl::unexpected(plugin.error());
  std::string object;
  const bool done = (*plugin)->export_object(functions.data(), functions.size(), &options,
                                             append_to_string, &object);
  if (!done) return fail("no object can be made: " + object);
  return object;
}

Result<bool> is_library_name(const std::string& name) {
  auto plugin = load_plugin();
  if (!plugin) return tl::unexpected(plugin.error());
  return (*plugin)->is_library_name(name.c_str());
}

}  // namespace tirxcc::runtime_cpu
