// SPDX-License-Identifier: Apache-2.0
//
// See gdb_interface.h. The names and structures are those of gdb's manual, "JIT Compilation
// Interface". ORC's own registrar finds the function by dlsym, which a plugin with a scope of its
// own does not answer; hence this one.
#include "codegen/llvm/gdb_interface.h"

#include <llvm/BinaryFormat/ELF.h>

#include <cstring>

#include "base/check.h"

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): debuggers look for these names
struct jit_code_entry {
  jit_code_entry* next_entry;
  jit_code_entry* prev_entry;
  const char* symfile_addr;
  std::uint64_t symfile_size;
};

struct jit_descriptor {
  std::uint32_t version;
  std::uint32_t action_flag;  // 0: nothing, 1: registered, 2: about to be unregistered
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
};

__attribute__((visibility("default")))
jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};

// The debugger's breakpoint is here; the empty statement keeps calls from being dropped.
__attribute__((visibility("default"), noinline)) void __jit_debug_register_code() {
  asm volatile("" ::: "memory");
}
// NOLINTEND(bugprone-reserved-identifier)
}

namespace tirxcc::cpu_codegen {
namespace {

std::mutex& list_mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

enum Action : std::uint32_t { kRegister = 1, kUnregister = 2 };

void tell_debugger(Action action, jit_code_entry* entry) {
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_register_code();
  __jit_debug_descriptor.action_flag = 0;
  __jit_debug_descriptor.relevant_entry = nullptr;
}

// Puts the sections' addresses into the headers of the file.
void place_sections(std::string& file, const SectionAddresses& addresses) {
  llvm::ELF::Elf64_Ehdr header;
  TIRXCC_CHECK(file.size() >= sizeof header, "an object file of {} bytes", file.size());
  std::memcpy(&header, file.data(), sizeof header);
  const auto section_at = [&](std::size_t index) {
    llvm::ELF::Elf64_Shdr section;
    std::memcpy(&section, &file[header.e_shoff + index * sizeof section], sizeof section);
    return section;
  };
  const llvm::ELF::Elf64_Shdr names = section_at(header.e_shstrndx);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    llvm::ELF::Elf64_Shdr section = section_at(i);
    const auto found = addresses.find(&file[names.sh_offset + section.sh_name]);
    if (found == addresses.end()) continue;
    section.sh_addr = found->second;
    std::memcpy(&file[header.e_shoff + i * sizeof section], &section, sizeof section);
  }
}

}  // namespace

void SectionListener::modifyPassConfig(llvm::orc::MaterializationResponsibility& work,
                                       llvm::jitlink::LinkGraph&,
                                       llvm::jitlink::PassConfiguration& config) {
  const llvm::orc::JITDylib* dylib = &work.getTargetJITDylib();
  {
    const std::lock_guard lock(mutex_);
    if (!watched_.contains(dylib)) return;
  }
  config.PostAllocationPasses.push_back([this, dylib](llvm::jitlink::LinkGraph& graph) {
    const std::lock_guard lock(mutex_);
    for (llvm::jitlink::Section& section : graph.sections()) {
      const llvm::jitlink::SectionRange range(section);
      if (!range.empty()) watched_[dylib][section.getName()] = range.getStart().getValue();
    }
    return llvm::Error::success();
  });
}

llvm::Error SectionListener::notifyFailed(llvm::orc::MaterializationResponsibility&) {
  return llvm::Error::success();
}
llvm::Error SectionListener::notifyRemovingResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey) {
  return llvm::Error::success();
}

void SectionListener::watch(const llvm::orc::JITDylib& dylib) {
  const std::lock_guard lock(mutex_);
  watched_[&dylib] = {};
}

SectionAddresses SectionListener::take(const llvm::orc::JITDylib& dylib) {
  const std::lock_guard lock(mutex_);
  SectionAddresses found = std::move(watched_[&dylib]);
  watched_.erase(&dylib);
  return found;
}

struct DebuggerEntry::Node : jit_code_entry {};

DebuggerEntry::DebuggerEntry(llvm::StringRef object, const SectionAddresses& addresses)
    : file_(object), node_(std::make_unique<Node>()) {
  place_sections(file_, addresses);
  node_->symfile_addr = file_.data();
  node_->symfile_size = file_.size();
  const std::lock_guard lock(list_mutex());
  node_->prev_entry = nullptr;
  node_->next_entry = __jit_debug_descriptor.first_entry;
  if (node_->next_entry != nullptr) node_->next_entry->prev_entry = node_.get();
  __jit_debug_descriptor.first_entry = node_.get();
  tell_debugger(kRegister, node_.get());
}

DebuggerEntry::~DebuggerEntry() {
  const std::lock_guard lock(list_mutex());
  if (node_->prev_entry != nullptr) {
    node_->prev_entry->next_entry = node_->next_entry;
  } else {
    __jit_debug_descriptor.first_entry = node_->next_entry;
  }
  if (node_->next_entry != nullptr) node_->next_entry->prev_entry = node_->prev_entry;
  tell_debugger(kUnregister, node_.get());
}

}  // namespace tirxcc::cpu_codegen
