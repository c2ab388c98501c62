// SPDX-License-Identifier: Apache-2.0
#include "commands.h"

#include <fmt/format.h>

#include <cstdio>

#include "files.h"

namespace tirxcc::tool {

Expected<CompileOptions> compile_options(const CompileFlags& flags, Target::Kind default_target) {
  CompileOptions options;
  options.target.kind = default_target;
  if (!flags.target.empty()) {
    Expected<Target> target = Target::parse(flags.target);
    if (!target) return tl::unexpected<Error>(target.error());
    options.target = *target;
  }
  if (!flags.arch.empty()) {
    Expected<Target> target = Target::parse(flags.arch);
    if (!target || target->kind != Target::Kind::Cuda) {
      return usage_error(
          fmt::format("--arch {}: expected an architecture such as sm_90a", flags.arch));
    }
    options.target.arch = target->arch;
  }
  if (flags.debug && options.target.kind != Target::Kind::Cpu) {
    return usage_error("--debug is for the CPU; for cuda-gdb there is --line-directives");
  }
  options.opt_level = flags.opt_level;
  options.coarsen = flags.coarsen;
  options.fma = !flags.no_fma;
  options.fast_math = flags.fast_math;
  options.debug = flags.debug;
  options.warnings = !flags.no_warnings;
  options.verify_each = flags.verify_each;
  options.time_passes = flags.time_passes;
  options.line_directives = flags.line_directives;
  options.print_after = flags.print_after;
  options.only = flags.kernel;
  return options;
}

std::string in_flags(std::string text) {
  constexpr std::string_view kOption = "target='cpu'";
  for (std::size_t at = text.find(kOption); at != std::string::npos; at = text.find(kOption, at))
    text.replace(at, kOption.size(), "--target=cpu");
  return text;
}

int print_error(const Error& error) {
  std::string text = in_flags(error.message);
  // A file that cannot be read as text is told with its place.
  const bool has_place = text.find(": error: ") != std::string::npos;
  if ((error.diagnostics.empty() && !has_place) || is_usage(error)) text = "tirxcc: error: " + text;
  if (!text.ends_with('\n')) text += '\n';
  std::fputs(text.c_str(), stderr);
  return is_usage(error) ? kUsage : kFailure;
}

void print_remarks(const Module& module) {
  for (const Diagnostic& remark : module.remarks())
    std::fputs(remark.rendered.c_str(), stderr);
  std::fputs(module.pass_output().c_str(), stderr);
}

Expected<Module> compile_for(const CompileFlags& flags, const CompileOptions& options) {
  Expected<Module> module = compile_file(flags.file, options);
  const bool is_unknown_kernel =
      !module && module.error().kind == ErrorKind::Name && module.error().diagnostics.empty();
  if (is_unknown_kernel) return usage_error(module.error().message);
  return module;
}

Expected<Kernel> select_kernel(const Module& module, const CompileFlags& flags) {
  if (!flags.kernel.empty()) return module.kernel(flags.kernel);
  std::vector<std::string> names = module.names();
  if (names.size() == 1) return module.kernel(names[0]);
  std::string list;
  for (const std::string& name : names)
    list += (list.empty() ? "" : ", ") + name;
  return usage_error(fmt::format("{} defines {} functions; choose one with --kernel: {}",
                                 flags.file, names.size(), list));
}

}  // namespace tirxcc::tool
