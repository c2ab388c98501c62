// SPDX-License-Identifier: Apache-2.0
//
// Links objects into this process with ORC. One session for the process; each kernel is a JITDylib
// of its own, so that releasing it frees its memory. A kernel can call nothing but the functions
// of an explicit list (symbols.h).
#pragma once

#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/Support/MemoryBuffer.h>

#include <memory>
#include <string>

#include "abi/cpu_plugin.h"
#include "base/result.h"

namespace tirxcc::cpu_codegen {

// One linked kernel; unlinks and frees its memory at the end.
class LinkedCode {
 public:
  LinkedCode(llvm::orc::JITDylib& dylib, abi::CpuEntry code) : dylib_(&dylib), entry_(code) {}
  ~LinkedCode();
  LinkedCode(const LinkedCode&) = delete;
  LinkedCode& operator=(const LinkedCode&) = delete;
  abi::CpuEntry entry() const { return entry_; }

 private:
  llvm::orc::JITDylib* dylib_;
  abi::CpuEntry entry_;
};

// Starts the session; `services` must outlive the process.
void start_session(const abi::CpuServices& services);

// Links an object and finds its entry. Safe from many threads.
Result<std::unique_ptr<LinkedCode>> link_object(std::unique_ptr<llvm::MemoryBuffer> object,
                                                const std::string& entry);

}  // namespace tirxcc::cpu_codegen
