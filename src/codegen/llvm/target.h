// SPDX-License-Identifier: Apache-2.0
//
// The machine that code is made for, the pass pipeline, and machine code from a module. Making an
// LLVM TargetMachine takes longer than compiling a small kernel, and setting up the passes of the
// code generator a tenth of that, so both are kept.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

#include "abi/cpu_plugin.h"

namespace tirxcc::cpu_codegen {

// Registers LLVM's targets; once, before anything else here.
void initialize_targets();
// The name of this machine's processor, "znver3".
const char* host_cpu_name();

// A target machine and its code generator.
struct Machine;

// A machine for these options, borrowed from the pool and returned to it at the end.
class Target {
 public:
  explicit Target(const abi::CpuCompileOptions& options);
  ~Target();
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  // Sets triple and data layout; before anything is emitted into the module.
  void prepare(llvm::Module& module) const;
  // Gives every function the processor and features.
  void mark(llvm::Module& module) const;
  // Marks every function; then runs the pass pipeline, unless
  // opt_level is 0.
  void optimize(llvm::Module& module);
  // In builds with sanitizers: instruments the code.
  void watch(llvm::Module& module);
  // An object file, or assembly text.
  void emit_object(llvm::Module& module, llvm::SmallVectorImpl<char>& out);
  void emit_assembly(llvm::Module& module, llvm::SmallVectorImpl<char>& out);

 private:
  void run_pipeline(llvm::Module& module);

  abi::CpuCompileOptions options_;
  std::string key_;
  std::unique_ptr<Machine> machine_;
};

// Whether code by these options may use AVX2.
bool has_avx2(const abi::CpuCompileOptions& options);

}  // namespace tirxcc::cpu_codegen
