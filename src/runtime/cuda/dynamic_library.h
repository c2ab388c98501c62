// SPDX-License-Identifier: Apache-2.0
//
// A shared library found at run time. The CUDA driver and NVRTC are never linked: the same build
// must start on a machine that has neither.
#pragma once

#include <string>

#include "base/result.h"

namespace tirxcc::cuda {

// An open library. It stays loaded until the process ends: NVIDIA's libraries keep threads and exit
// handlers of their own, and code of theirs may run after any point where we could unload them.
class DynamicLibrary {
 public:
  // `name` is a path, or a plain file name that the loader looks up.
  static Result<DynamicLibrary> open(const std::string& name);

  // The address of a function, or null if the library has none of that name.
  void* symbol(const char* name) const;

  // The file that was loaded; `name` again where the loader does not tell.
  std::string path() const;

 private:
  DynamicLibrary(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}

  void* handle_;
  std::string name_;
};

}  // namespace tirxcc::cuda
