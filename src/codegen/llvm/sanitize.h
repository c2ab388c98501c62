// SPDX-License-Identifier: Apache-2.0
//
// Kernels under the sanitizers: in builds with TIRXCC_SANITIZE the code of kernels is instrumented
// as our own is, so that a run of the tests watches what kernels do to memory too. Elsewhere
// nothing happens. Exported objects are never instrumented.
#pragma once

#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace tirxcc::cpu_codegen {

// Adds the checks of AddressSanitizer or ThreadSanitizer, after optimisation.
void instrument(llvm::Module& module, llvm::TargetMachine& machine);

// Lets kernels call the sanitizer's run-time library, which is part of this process.
void add_sanitizer_symbols(llvm::orc::JITDylib& symbols);

}  // namespace tirxcc::cpu_codegen
