// SPDX-License-Identifier: Apache-2.0
//
// Finds and loads the CPU plugin (abi/cpu_plugin.h), once in a process and only when a kernel is
// to run on the CPU.
#pragma once

#include <span>
#include <string>

#include "abi/cpu_plugin.h"
#include "base/result.h"

namespace tirxcc::runtime_cpu {

// The loaded plugin. Looked for in this order: $TIRXCC_CPU_PLUGIN (a file), the folder of the
// library or program that holds this code, ../lib of it, the build tree. A failure lists what was
// tried and is not remembered.
Result<const abi::CpuPlugin*> load_plugin();

// Machine code of one kernel, or the reason why there is none. Released by the destructor.
class Code {
 public:
  static Result<Code> compile(const ir::CpuKernel& kernel, const abi::CpuCompileOptions& options);
  Code() = default;
  Code(Code&& other) noexcept;
  Code& operator=(Code&& other) noexcept;
  ~Code();

  std::int64_t stack_bytes() const;
  abi::CpuEntry entry() const { return entry_; }
  std::int64_t compile_ns() const;
  explicit operator bool() const { return code_ != nullptr; }

 private:
  const abi::CpuPlugin* plugin_ = nullptr;
  abi::CpuCode* code_ = nullptr;
  abi::CpuEntry entry_ = nullptr;
};

// LLVM IR, assembly or an object of the kernel.
Result<std::string> print_code(const ir::CpuKernel& kernel, const abi::CpuCompileOptions& options,
                               abi::CpuText what);

// An object file of C functions (abi::CpuExport).
Result<std::string> export_object(std::span<const abi::CpuExport> functions,
                                  const abi::CpuCompileOptions& options);
// Whether such an object may call a function of this name.
Result<bool> is_library_name(const std::string& name);

}  // namespace tirxcc::runtime_cpu
