// SPDX-License-Identifier: Apache-2.0
//
// See cpu_export.h. Both results come from the launch plans and the same lowered kernels, so that
// the numbers of asserts agree.
#include "driver/cpu_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "driver/c_header.h"
#include "driver/compilation.h"
#include "driver/cpu_lowering.h"
#include "ir/builder.h"
#include "passes/fibers.h"
#include "runtime/cpu/plugin.h"

namespace tirxcc::driver {
namespace {

constexpr std::int64_t kMostBlocks[] = {0x7fffffff, 65535, 65535};

#if defined(__x86_64__)
constexpr std::string_view kBaseline = "x86-64";
constexpr std::string_view kLevels[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
#else
constexpr std::string_view kBaseline = "generic";
constexpr std::string_view kLevels[] = {"generic"};
#endif

// Names of C's library and of a program's start: a function cannot have them.
constexpr std::string_view kTaken[] = {
    "abort",   "abs",    "aligned_alloc", "atexit", "calloc", "close",  "div",   "exit", "fabs",
    "free",    "labs",   "main",          "malloc", "open",   "puts",   "qsort", "rand", "read",
    "realloc", "remove", "rename",        "signal", "sleep",  "system", "time",  "wait", "write"};

Error value_error(std::string message) {
  return {std::move(message), ErrorKind::Value, {}};
}

// The kernels of one function, lowered, with the arena that owns them.
struct Lowered {
  Arena arena;
  std::vector<const ir::CpuKernel*> usual;
  std::vector<const ir::CpuKernel*> large;
};

bool can_be_larger(const ir::CpuKernel& kernel) {
  if (kernel.kernel->kind == ir::KernelKind::Host) return false;
  for (int axis = 0; axis < 3; ++axis) {
    const ir::Expr* extent = kernel.kernel->launch.grid[axis];
    const ir::IntImm* known = extent == nullptr ? nullptr : ir::as_int(extent);
    const std::int64_t most = extent == nullptr  ? 1
                              : known == nullptr ? kMostBlocks[axis]
                                                 : known->value;
    if (most > kernel.max_grid[axis]) return true;
  }
  return false;
}

Expected<const ir::CpuKernel*> lower(Compilation& compilation, const ir::Kernel& kernel,
                                     bool big_grid, Arena& arena) {
  source::Diagnostics diags(compilation.sources());
  passes::PassContext context{arena, diags, {}};
  context.options.target = passes::Target::Cpu;
  context.options.big_grid = big_grid;
  const ir::CpuKernel* made = lower_for_cpu(kernel, context);
  if (diags.has_errors()) return tl::unexpected<Error>(compilation.error_of(diags));
  if (made->is_fibers) {
    const passes::FiberReason reason = passes::needs_fibers(kernel);
    return tl::unexpected<Error>(value_error(
        fmt::format("'{}' cannot be exported: its threads wait for each other (line {}), for which "
                    "they need the runtime",
                    kernel.name, compilation.sources().position(reason.span).line)));
  }
  return made;
}

Expected<void> lower_all(Compilation& compilation, const Unit& unit, Lowered& lowered) {
  for (const ir::Kernel* kernel : unit.function->kernels) {
    auto usual = lower(compilation, *kernel, false, lowered.arena);
    if (!usual) return tl::unexpected<Error>(usual.error());
    lowered.usual.push_back(*usual);
    lowered.large.push_back(nullptr);
    if (!can_be_larger(**usual)) continue;
    auto large = lower(compilation, *kernel, true, lowered.arena);
    if (!large) return tl::unexpected<Error>(large.error());
    lowered.large.back() = *large;
  }
  return {};
}

Expected<void> check_name(const Unit& unit) {
  const std::string_view name = unit.function->name;
  const bool is_ascii =
      std::all_of(name.begin(), name.end(), [](char c) { return static_cast<signed char>(c) > 0; });
  const Result<bool> is_library = runtime_cpu::is_library_name(std::string(name));
  if (!is_library) return tl::unexpected<Error>(to_error(is_library.error()));
  const bool is_taken = *is_library || is_c_word(name) ||
                        std::find(std::begin(kTaken), std::end(kTaken), name) != std::end(kTaken);
  if (is_ascii && !is_taken && !name.starts_with("__")) return {};
  return tl::unexpected<Error>(
      value_error(fmt::format("'{}' cannot be exported: {}; rename the function", name,
                              is_ascii ? "the name belongs to C, C++ or the C library"
                                       : "a C function has a name of ASCII letters")));
}

// One launch, whatever the arguments.
bool is_single_launch(const abi::Plan& plan) {
  const auto is_launch = [](const abi::HostInstr& i) { return i.op == abi::HostOp::Launch; };
  const auto is_jump = [](const abi::HostInstr& i) {
    return i.op == abi::HostOp::Jump || i.op == abi::HostOp::JumpIfZero;
  };
  return plan.regions.size() == 1 && !plan.regions[0].is_host &&
         std::count_if(plan.code.begin(), plan.code.end(), is_launch) == 1 &&
         std::none_of(plan.code.begin(), plan.code.end(), is_jump);
}

// What each assert says, in the order of their numbers.
std::vector<std::string> failures(Compilation& compilation, const Unit& unit,
                                  const Lowered& lowered) {
  std::vector<std::string> texts;
  for (const ir::CpuKernel* kernel : lowered.usual) {
    for (const ir::Assert* stmt : kernel->asserts()) {
      texts.push_back(fmt::format("line {}: {}", compilation.sources().position(stmt->span).line,
                                  stmt->text.empty() ? "assertion failed" : stmt->text));
    }
  }
  texts.insert(texts.end(), unit.plan.messages.begin(), unit.plan.messages.end());
  return texts;
}

}  // namespace

Expected<std::string> export_object(Compilation& compilation, std::string_view cpu) {
  if (cpu.empty()) cpu = kBaseline;
  const bool is_level = std::find(std::begin(kLevels), std::end(kLevels), cpu) != std::end(kLevels);
  if (!is_level && cpu != "native") {
    return tl::unexpected<Error>(
        value_error(fmt::format("'{}' is no processor to export for; use native or one of {}", cpu,
                                fmt::join(std::begin(kLevels), std::end(kLevels), ", "))));
  }
  std::vector<std::unique_ptr<Lowered>> lowered;
  std::vector<std::string> names;
  std::vector<abi::CpuExport> functions;
  for (const auto& unit : compilation.units()) {
    if (Expected<void> ok = check_name(*unit); !ok) return tl::unexpected<Error>(ok.error());
    Lowered& kernels = *lowered.emplace_back(std::make_unique<Lowered>());
    if (auto ok = lower_all(compilation, *unit, kernels); !ok) {
      return tl::unexpected<Error>(ok.error());
    }
    names.emplace_back(unit->function->name);
    functions.push_back({.name = nullptr,
                         .plan = &unit->plan,
                         .usual = kernels.usual.data(),
                         .large = kernels.large.data(),
                         .has_blocks = is_single_launch(unit->plan)});
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    functions[i].name = names[i].c_str();
  abi::CpuCompileOptions options;
  options.opt_level = compilation.options().opt_level;
  options.contract = compilation.options().fast_math;
  const std::string cpu_name(cpu == "native" ? std::string_view() : cpu);
  options.cpu = cpu_name.c_str();
  const StageScope stage("the LLVM back end", names.empty() ? "" : names[0]);
  Result<std::string> object = runtime_cpu::export_object(functions, options);
  if (!object) return tl::unexpected<Error>(to_error(object.error()));
  return std::move(*object);
}

Expected<std::string> export_header(Compilation& compilation) {
  std::vector<CFunction> functions;
  std::string path;
  for (const auto& unit : compilation.units()) {
    if (Expected<void> ok = check_name(*unit); !ok) return tl::unexpected<Error>(ok.error());
    Lowered kernels;
    if (auto ok = lower_all(compilation, *unit, kernels); !ok) {
      return tl::unexpected<Error>(ok.error());
    }
    const source::SourceFile* file = compilation.sources().file_of(unit->function->span);
    if (file != nullptr) path = file->path;
    functions.push_back({.plan = &unit->plan,
                         .has_blocks = is_single_launch(unit->plan),
                         .failures = failures(compilation, *unit, kernels)});
  }
  return c_header(functions, path);
}

}  // namespace tirxcc::driver
