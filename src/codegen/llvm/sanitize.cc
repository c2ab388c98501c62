// SPDX-License-Identifier: Apache-2.0
//
// See sanitize.h. TIRXCC_SANITIZE_ADDRESS or TIRXCC_SANITIZE_THREAD is defined by CMake.
#include "codegen/llvm/sanitize.h"

#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Instrumentation/AddressSanitizer.h>
#include <llvm/Transforms/Instrumentation/ThreadSanitizer.h>

#include <cstring>

#include "codegen/llvm/analyses.h"

namespace tirxcc::cpu_codegen {

#if defined(TIRXCC_SANITIZE_ADDRESS) || defined(TIRXCC_SANITIZE_THREAD)

#ifdef TIRXCC_SANITIZE_THREAD
namespace {

// ThreadSanitizer does not follow fences, which order a kernel's relaxed atomic accesses: for it,
// each of those orders by itself.
void order_atomics(llvm::Module& module) {
  using llvm::AtomicOrdering;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& each : llvm::instructions(function)) {
      if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&each)) {
        update->setOrdering(AtomicOrdering::AcquireRelease);
      } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&each)) {
        exchange->setSuccessOrdering(AtomicOrdering::AcquireRelease);
        exchange->setFailureOrdering(AtomicOrdering::Acquire);
      } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&each); load && load->isAtomic()) {
        load->setOrdering(AtomicOrdering::Acquire);
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&each); store && store->isAtomic()) {
        store->setOrdering(AtomicOrdering::Release);
      }
    }
  }
}

}  // namespace
#endif

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
  order_atomics(module);
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::ThreadSanitizerPass()));
#endif
  passes.run(module, analyses.modules);
}

void add_sanitizer_symbols(llvm::orc::JITDylib& symbols) {
  symbols.addGenerator(
      llvm::cantFail(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0')));
#ifdef TIRXCC_SANITIZE_THREAD
  // GCC's run-time library watches the usual functions instead of having these.
  llvm::orc::SymbolMap map;
  const auto add = [&](const char* name, void* (*function)(void*, const void*, std::size_t)) {
    map[symbols.getExecutionSession().intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                                       llvm::JITSymbolFlags::Exported};
  };
  add("__tsan_memcpy", std::memcpy);
  add("__tsan_memmove", std::memmove);
  map[symbols.getExecutionSession().intern("__tsan_memset")] = {
      llvm::orc::ExecutorAddr::fromPtr(
          static_cast<void* (*)(void*, int, std::size_t)>(std::memset)),
      llvm::JITSymbolFlags::Exported};
  llvm::cantFail(symbols.define(llvm::orc::absoluteSymbols(std::move(map))));
#endif
}

#else

void instrument(llvm::Module& /*module*/, llvm::TargetMachine& /*machine*/) {}
void add_sanitizer_symbols(llvm::orc::JITDylib& /*symbols*/) {}

#endif

}  // namespace tirxcc::cpu_codegen
