// SPDX-License-Identifier: Apache-2.0
//
// See sanitize.h. TIRXCC_SANITIZE_ADDRESS or TIRXCC_SANITIZE_THREAD is defined by CMake.
#include "codegen/llvm/sanitize.h"

#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/Transforms/Instrumentation/AddressSanitizer.h>
#include <llvm/Transforms/Instrumentation/ThreadSanitizer.h>

#include "codegen/llvm/analyses.h"

namespace tirxcc::cpu_codegen {

#if defined(TIRXCC_SANITIZE_ADDRESS) || defined(TIRXCC_SANITIZE_THREAD)

void instrument(llvm::Module& module, llvm::TargetMachine& machine) {
#ifdef TIRXCC_SANITIZE_ADDRESS
  constexpr llvm::Attribute::AttrKind kAsked = llvm::Attribute::SanitizeAddress;
#else
  constexpr llvm::Attribute::AttrKind kAsked = llvm::Attribute::SanitizeThread;
#endif
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) function.addFnAttr(kAsked);
  }
  Analyses analyses(machine);
  llvm::ModulePassManager passes;
#ifdef TIRXCC_SANITIZE_ADDRESS
  // Nobody runs constructors of kernels; the process has started the run-time library already.
  llvm::AddressSanitizerOptions options;
  options.UseAfterReturn = llvm::AsanDetectStackUseAfterReturnMode::Never;
  options.InsertVersionCheck = false;
  passes.addPass(llvm::AddressSanitizerPass(options, false, false, llvm::AsanDtorKind::None,
                                            llvm::AsanCtorKind::None));
#else
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::ThreadSanitizerPass()));
#endif
  passes.run(module, analyses.modules);
}

void add_sanitizer_symbols(llvm::orc::JITDylib& symbols) {
  symbols.addGenerator(
      llvm::cantFail(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0')));
}

#else

void instrument(llvm::Module& /*module*/, llvm::TargetMachine& /*machine*/) {}
void add_sanitizer_symbols(llvm::orc::JITDylib& /*symbols*/) {}

#endif

}  // namespace tirxcc::cpu_codegen
