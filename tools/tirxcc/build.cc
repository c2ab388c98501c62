// SPDX-License-Identifier: Apache-2.0
//
// `tirxcc build`: one form of a file or kernel, to standard output or a file.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

#include "commands.h"
#include "files.h"

namespace tirxcc::tool {
namespace {

// All functions of the file, or the chosen one, joined.
Expected<std::string> each_kernel(const Module& module, const BuildFlags& flags,
                                  const std::function<Expected<std::string>(const Kernel&)>& form,
                                  std::string_view separator) {
  std::vector<std::string> names = module.names();
  if (!flags.kernel.empty()) names = {flags.kernel};
  std::string text;
  for (const std::string& name : names) {
    Expected<Kernel> kernel = module.kernel(name);
    if (!kernel) return tl::unexpected<Error>(kernel.error());
    Expected<std::string> part = form(*kernel);
    if (!part) return part;
    if (!text.empty()) text += separator;
    text += *part;
  }
  return text;
}

Expected<std::string> emit(const Module& module, const BuildFlags& flags) {
  if (flags.explain) {
    return each_kernel(
        module, flags, [](const Kernel& k) { return k.explain(); }, "\n");
  }
  if (flags.emit == "ir") {
    return each_kernel(
        module, flags, [](const Kernel& k) { return Expected<std::string>(k.ir()); }, "\n");
  }
  if (flags.emit == "llvm") {
    return each_kernel(
        module, flags, [](const Kernel& k) { return k.llvm_ir(); }, "\n");
  }
  if (flags.emit == "obj") return module.object(flags.cpu);
  if (flags.emit == "header") return module.c_header();
  if (flags.emit == "ptx" || flags.emit == "cubin") {
    Expected<Kernel> kernel = select_kernel(module, flags);
    if (!kernel) return tl::unexpected<Error>(kernel.error());
    return flags.emit == "ptx" ? kernel->ptx() : kernel->cubin();
  }
  if (!flags.kernel.empty()) {
    Expected<Kernel> kernel = module.kernel(flags.kernel);
    if (!kernel) return tl::unexpected<Error>(kernel.error());
    return kernel->cuda_source();
  }
  return module.cuda_source();
}

Expected<std::string> build_text(const BuildFlags& flags) {
  if (flags.emit == "ast" && !flags.explain) return dump_syntax_tree(flags.file);
  const bool is_export = flags.emit == "obj" || flags.emit == "header";
  const bool is_for_cpu = flags.emit == "llvm" || is_export || flags.explain;
  Target::Kind kind = is_for_cpu ? Target::Kind::Cpu : Target::Kind::Cuda;
  Expected<CompileOptions> options = compile_options(flags, kind);
  if (!options) return tl::unexpected<Error>(options.error());
  if (is_export && options->target.kind != Target::Kind::Cpu) {
    return usage_error(
        fmt::format("--emit={} is for the CPU, not for --target {}", flags.emit, flags.target));
  }
  if (!flags.cpu.empty() && flags.emit != "obj") {
    return usage_error("--cpu belongs to --emit=obj: other code is made for this machine");
  }
  const bool is_binary = !flags.explain && (flags.emit == "obj" || flags.emit == "cubin");
  if (is_binary && flags.output.empty() && isatty(STDOUT_FILENO) == 1) {
    return usage_error(fmt::format(
        "--emit={0} makes bytes, which a terminal cannot show; write them to a file with '-o "
        "{1}.{2}'",
        flags.emit, flags.kernel.empty() ? "kernel" : flags.kernel,
        flags.emit == "obj" ? "o" : "cubin"));
  }
  options->plain_scalars = flags.plain_scalars;
  Expected<Module> module = compile_for(flags, *options);
  if (!module) return tl::unexpected<Error>(module.error());
  Expected<std::string> text = emit(*module, flags);
  print_remarks(*module);
  if (text && text->empty()) {
    fmt::print(
        stderr,
        "tirxcc: note: no CUDA: without T.device_entry(...) a function is for the CPU only\n");
  }
  return text;
}

}  // namespace

int build(const BuildFlags& flags) {
  Expected<std::string> text = build_text(flags);
  if (!text) return print_error(text.error());
  if (flags.output.empty() || flags.output == "-") {
    std::fwrite(text->data(), 1, text->size(), stdout);
    return flush_output() ? kSuccess : kFailure;
  }
  std::string_view parts[] = {*text};
  Expected<void> written = write_file(flags.output, parts);
  if (!written) print_error(written.error());
  return written ? kSuccess : kFailure;
}

}  // namespace tirxcc::tool
