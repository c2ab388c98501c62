// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/dynamic_library.h"

#include <dlfcn.h>
#include <link.h>

namespace tirxcc::cuda {

Result<DynamicLibrary> DynamicLibrary::open(const std::string& name) {
  // Lazy binding: NVRTC has 140 MB and most of its symbols are never used. Local: another copy in
  // the process (torch brings its own) must not mix with this one.
  void* handle = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    return fail(reason != nullptr ? reason : name + ": cannot be loaded");
  }
  return DynamicLibrary(handle, name);
}

void* DynamicLibrary::symbol(const char* name) const {
  return dlsym(handle_, name);
}

std::string DynamicLibrary::path() const {
  link_map* map = nullptr;
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return name_;
  return map->l_name[0] != '\0' ? map->l_name : name_;
}

}  // namespace tirxcc::cuda
