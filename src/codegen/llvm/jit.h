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
#include "codegen/llvm/gdb_interface.h"

namespace tirxcc::cpu_codegen {

// One linked kernel; unlinks and frees its memory at the end.
class LinkedCode {
 public:
  LinkedCode(llvm::orc::JITDylib& dylib, abi::CpuEntry code) : dylib_(&dylib), entry_(code) {}
  // Shows debuggers the object that the code is of.
  void show(llvm::StringRef object, const SectionAddresses& addresses) {
    debugger_entry_ = std::make_unique<DebuggerEntry>(object, addresses);
  }
  ~LinkedCode();
  LinkedCode(const LinkedCode&) = delete;
  LinkedCode& operator=(const LinkedCode&) = delete;
  abi::CpuEntry entry() const { return entry_; }

 private:
  llvm::orc::JITDylib* dylib_;
  abi::CpuEntry entry_;
  std::unique_ptr<DebuggerEntry> debugger_entry_;
};

// Starts the session; `services` must outlive the process.
void start_session(const abi::CpuServices& services);

// Links an object and finds its entry; `is_debugged`: debuggers see it. Safe from many threads.
Result<std::unique_ptr<LinkedCode>> link_object(std::unique_ptr<llvm::MemoryBuffer> object,
                                                const std::string& entry, bool is_debugged);

}  // namespace tirxcc::cpu_codegen
