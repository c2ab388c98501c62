// SPDX-License-Identifier: Apache-2.0
//
// The JIT interface of gdb and lldb: a list of object files in memory, and a function that
// debuggers put a breakpoint on to hear of changes. An object is shown to them as the compiler
// wrote it, but with the addresses that its sections have got.
#pragma once

#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/MemoryBuffer.h>

#include <memory>
#include <string>

namespace tirxcc::cpu_codegen {

// Addresses of the sections of an object, by their names.
using SectionAddresses = llvm::StringMap<std::uint64_t>;

// Hears from the linking layer where sections go.
class SectionListener final : public llvm::orc::ObjectLinkingLayer::Plugin {
 public:
  void modifyPassConfig(llvm::orc::MaterializationResponsibility& work,
                        llvm::jitlink::LinkGraph& graph,
                        llvm::jitlink::PassConfiguration& config) override;
  llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility&) override;
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey) override;
  void notifyTransferringResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey,
                                   llvm::orc::ResourceKey) override {}

  // From now on the sections of objects of this library are noted, until they are taken.
  void watch(const llvm::orc::JITDylib& dylib);
  SectionAddresses take(const llvm::orc::JITDylib& dylib);

 private:
  std::mutex mutex_;
  llvm::DenseMap<const llvm::orc::JITDylib*, SectionAddresses> watched_;
};

// An object file that debuggers see as long as this lives.
class DebuggerEntry {
 public:
  // `object`: the ELF file, of which a copy is made.
  DebuggerEntry(llvm::StringRef object, const SectionAddresses& addresses);
  ~DebuggerEntry();
  DebuggerEntry(const DebuggerEntry&) = delete;
  DebuggerEntry& operator=(const DebuggerEntry&) = delete;

 private:
  struct Node;
  std::string file_;
  std::unique_ptr<Node> node_;
};

}  // namespace tirxcc::cpu_codegen
