// SPDX-License-Identifier: Apache-2.0
//
// The plugin's C entry and the steps of one compilation: emit, optimise, machine code, link.
#include <llvm/IR/Verifier.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/LEB128.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <chrono>

#include "abi/cpu_plugin.h"
#include "codegen/llvm/emit.h"
#include "codegen/llvm/emit_export.h"
#include "codegen/llvm/jit.h"
#include "codegen/llvm/target.h"

namespace tirxcc::abi {

struct CpuCode {
  std::unique_ptr<cpu_codegen::LinkedCode> linked;
  std::int64_t compile_ns = 0;
  std::int64_t stack_bytes = 0;
};

}  // namespace tirxcc::abi

namespace tirxcc::cpu_codegen {
namespace {

void send(abi::CpuTextSink sink, void* user, llvm::StringRef text) {
  sink(user, text.data(), text.size());
}

// The module of one kernel, emitted and checked; values have names only if somebody reads them.
struct Emitted {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

void check_module([[maybe_unused]] const llvm::Module& module) {
#ifndef NDEBUG
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  TIRXCC_CHECK(!llvm::verifyModule(module, &stream), "the emitted module is wrong: {}", problem);
#endif
}

void emit_module(const ir::CpuKernel& kernel, const abi::CpuCompileOptions& options,
                 const Target& target, bool keeps_names, Emitted& out) {
  out.context.setDiscardValueNames(!keeps_names);
  out.module = std::make_unique<llvm::Module>(
      llvm::StringRef(kernel.kernel->name.data(), kernel.kernel->name.size()), out.context);
  target.prepare(*out.module);
  Emitter(kernel, options, *out.module).run();
  check_module(*out.module);
}

// The optimiser and its code generator are not linear in the size of a function; beyond this many
// instructions (20,000-fold unrolling) the fast path compiles.
constexpr unsigned kMostOptimizedInstructions = 12'000;

// The sum of all functions' frames, from the section in which LLVM notes them: for each the address
// (8 bytes, which the linker would fill in) and the size in LEB128.
std::int64_t stack_bytes(llvm::ArrayRef<char> object) {
  const llvm::MemoryBufferRef buffer({object.data(), object.size()}, "kernel");
  auto file = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(buffer));
  std::uint64_t sum = 0;
  for (const llvm::object::SectionRef& section : file->sections()) {
    if (llvm::cantFail(section.getName()) != ".stack_sizes") continue;
    llvm::StringRef rest = llvm::cantFail(section.getContents());
    constexpr std::size_t kAddress = 8;
    while (rest.size() > kAddress) {
      rest = rest.drop_front(kAddress);
      unsigned length = 0;
      // A call puts the way back on the stack, and may save a register.
      sum += llvm::decodeULEB128(rest.bytes_begin(), &length, rest.bytes_end()) + 16;
      rest = rest.drop_front(length);
    }
  }
  return static_cast<std::int64_t>(sum);
}

abi::CpuCode* compile(const ir::CpuKernel* kernel, const abi::CpuCompileOptions* options,
                      abi::CpuTextSink error, void* user) {
  const StageScope stage("codegen/llvm", kernel->kernel->name);
  const auto start = std::chrono::steady_clock::now();
  Emitted emitted;
  abi::CpuCompileOptions effective = *options;
  const bool is_debugged = options->debug_sources != nullptr;
  emit_module(*kernel, *options, Target(*options), /*keeps_names=*/is_debugged, emitted);
  if (emitted.module->getInstructionCount() > kMostOptimizedInstructions) effective.opt_level = 0;
  Target target(effective);
  target.optimize(*emitted.module);
  target.watch(*emitted.module);
  llvm::SmallVector<char, 0> object;
  target.emit_object(*emitted.module, object);
  const std::int64_t stack = options->wants_stack_bytes ? stack_bytes(object) : 0;
  auto buffer = std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(object),
                                                                /*RequiresNullTerminator=*/false);
  auto linked = link_object(std::move(buffer), entry_name(*kernel), is_debugged);
  if (!linked) {
    send(error, user, linked.error().message);
    return nullptr;
  }
  const auto elapsed = std::chrono::steady_clock::now() - start;
  return new abi::CpuCode{std::move(*linked), std::chrono::nanoseconds(elapsed).count(), stack};
}

// Undefined symbols of an object, one a line.
std::string undefined_symbols(llvm::ArrayRef<char> object) {
  const llvm::MemoryBufferRef buffer({object.data(), object.size()}, "kernel");
  auto file = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(buffer));
  std::string text;
  for (const llvm::object::SymbolRef& symbol : file->symbols()) {
    const std::uint32_t flags = llvm::cantFail(symbol.getFlags());
    const llvm::StringRef name = llvm::cantFail(symbol.getName());
    if ((flags & llvm::object::SymbolRef::SF_Undefined) == 0 || name.empty()) continue;
    text += name.str() + '\n';
  }
  return text;
}

bool print(const ir::CpuKernel* kernel, const abi::CpuCompileOptions* options, abi::CpuText what,
           abi::CpuTextSink out, void* user) {
  const StageScope stage("codegen/llvm", kernel->kernel->name);
  Target target(*options);
  Emitted emitted;
  emit_module(*kernel, *options, target, /*keeps_names=*/true, emitted);
  if (what != abi::CpuText::Ir) target.optimize(*emitted.module);
  if (what == abi::CpuText::Ir || what == abi::CpuText::OptimizedIr) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    emitted.module->print(stream, nullptr);
    send(out, user, text);
    return true;
  }
  llvm::SmallVector<char, 0> bytes;
  if (what == abi::CpuText::Assembly) {
    target.emit_assembly(*emitted.module, bytes);
  } else {
    target.emit_object(*emitted.module, bytes);
  }
  if (what == abi::CpuText::Symbols) {
    send(out, user, undefined_symbols(bytes));
  } else {
    send(out, user, {bytes.data(), bytes.size()});
  }
  return true;
}

bool export_object(const abi::CpuExport* functions, std::size_t count,
                   const abi::CpuCompileOptions* options, abi::CpuTextSink out, void* user) {
  const StageScope stage("codegen/llvm", "an exported object");
  Target target(*options);
  Emitted emitted;
  emitted.module = std::make_unique<llvm::Module>("tirxcc", emitted.context);
  target.prepare(*emitted.module);
  for (std::size_t i = 0; i < count; ++i)
    ExportEmitter(functions[i], *options, *emitted.module).run();
  target.optimize(*emitted.module);
  make_self_contained(*emitted.module);
  target.mark(*emitted.module);
  check_module(*emitted.module);
  llvm::SmallVector<char, 0> bytes;
  target.emit_object(*emitted.module, bytes);
  const std::string symbols = undefined_symbols(bytes);
  for (llvm::StringRef rest = symbols; !rest.empty();) {
    const auto [name, more] = rest.split('\n');
    rest = more;
    if (is_exportable_symbol(name.str())) continue;
    send(out, user, ("the code needs '" + name + "', which is not of the C library").str());
    return false;
  }
  send(out, user, {bytes.data(), bytes.size()});
  return true;
}

const abi::CpuPlugin& plugin() {
  static const abi::CpuPlugin table = {
      .build_id = TIRXCC_CPU_BUILD_ID,
      .host_cpu = host_cpu_name(),
      .compile = compile,
      .entry = [](const abi::CpuCode* code) { return code->linked->entry(); },
      .compile_ns = [](const abi::CpuCode* code) { return code->compile_ns; },
      .stack_bytes = [](const abi::CpuCode* code) { return code->stack_bytes; },
      .print = print,
      .export_object = export_object,
      .is_library_name = [](const char* name) { return is_exportable_symbol(name); },
      .release = [](abi::CpuCode* code) { delete code; },
  };
  return table;
}

}  // namespace
}  // namespace tirxcc::cpu_codegen

extern "C" __attribute__((visibility("default"))) const tirxcc::abi::CpuPlugin* tirxcc_cpu_plugin(
    const char* build_id, const tirxcc::abi::CpuServices* services) {
  if (std::string_view(build_id) != TIRXCC_CPU_BUILD_ID) return nullptr;
  tirxcc::cpu_codegen::initialize_targets();
  tirxcc::cpu_codegen::start_session(*services);
  return &tirxcc::cpu_codegen::plugin();
}
