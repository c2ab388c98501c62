// SPDX-License-Identifier: Apache-2.0
#include "driver/cpu_target.h"

#include <fmt/format.h>

#include <chrono>

#include "driver/compilation.h"
#include "passes/thread_loops.h"
#include "runtime/cpu/blocks.h"
#include "runtime/cpu/plugin.h"

namespace tirxcc::driver {
namespace {

using Clock = std::chrono::steady_clock;

double elapsed_ms(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void append(void* user, const char* data, std::size_t size) {
  static_cast<std::string*>(user)->append(data, size);
}

// A kernel lowered for the CPU, with the arena that owns it.
struct Lowered {
  Arena arena;
  const ir::CpuKernel* kernel = nullptr;
  std::string output;  // what print_after and time_passes asked for
};

Expected<void> lower(Compilation& compilation, const ir::Kernel& kernel, std::uint8_t variant,
                     Lowered& lowered) {
  source::Diagnostics diags(compilation.sources());
  passes::PassContext context{lowered.arena, diags, {}};
  context.options.target = passes::Target::Cpu;
  context.options.index64 = (variant & abi::kIndex64) != 0;
  context.options.no_restrict = (variant & abi::kAlias) != 0;
  context.options.big_grid = (variant & abi::kBigGrid) != 0;
  const ir::Kernel& flat =
      run_passes(kernel, context, compilation.pipeline_options(&lowered.output));
  StageScope stage("thread_loops", kernel.name);
  if (!diags.has_errors()) lowered.kernel = &passes::thread_loops(flat, context);
  if (diags.has_errors()) return tl::unexpected<Error>(compilation.error_of(diags));
  if (!diags.messages().empty()) compilation.add_remarks(diags);
  return {};
}

abi::CpuCompileOptions code_options(const Compilation& compilation, std::uint8_t variant) {
  abi::CpuCompileOptions options;
  options.opt_level = compilation.options().opt_level;
  options.variant = variant;
  options.contract = compilation.options().fast_math;
  return options;
}

}  // namespace

CpuTarget::CpuTarget(Compilation& compilation, Unit& unit)
    : compilation_(compilation), unit_(unit) {
  for (std::size_t i = 0; i < unit.plan.regions.size(); ++i) {
    regions_.push_back(std::make_unique<Region>());
  }
}

CpuTarget::~CpuTarget() {
  for (const std::unique_ptr<Region>& region : regions_) {
    for (abi::CpuCode* code : region->codes) {
      if (code != nullptr) plugin_->release(code);
    }
  }
}

double CpuTarget::passes_ms() const {
  return passes_ms_;
}
double CpuTarget::code_ms() const {
  return code_ms_;
}

Expected<void> CpuTarget::prepare() {
  for (std::uint32_t i = 0; i < regions_.size(); ++i) {
    Expected<abi::CpuEntry> ready = entry(i, abi::kDefaultVariant);
    if (!ready) return tl::unexpected<Error>(ready.error());
  }
  return {};
}

Expected<abi::CpuEntry> CpuTarget::entry(std::uint32_t region, std::uint8_t variant) {
  abi::CpuEntry ready = regions_[region]->entries[variant].load(std::memory_order_acquire);
  if (ready != nullptr) return ready;
  std::lock_guard lock(mutex_);
  ready = regions_[region]->entries[variant].load(std::memory_order_acquire);
  if (ready != nullptr) return ready;
  return compile(region, variant);
}

Expected<abi::CpuEntry> CpuTarget::compile(std::uint32_t index, std::uint8_t variant) {
  if (plugin_ == nullptr) {
    Result<const abi::CpuPlugin*> plugin = cpu::load_plugin();
    if (!plugin) return tl::unexpected<Error>(to_error(plugin.error()));
    plugin_ = *plugin;
  }
  Clock::time_point start = Clock::now();
  Lowered lowered;
  const ir::Kernel& kernel = *unit_.function->kernels[index];
  Expected<void> ok = lower(compilation_, kernel, variant, lowered);
  compilation_.add_pass_output(lowered.output);
  if (!ok) return tl::unexpected<Error>(ok.error());
  passes_ms_ = passes_ms_ + elapsed_ms(start);

  start = Clock::now();
  StageScope stage("the LLVM back end", kernel.name);
  abi::CpuCompileOptions options = code_options(compilation_, variant);
  std::string message;
  abi::CpuCode* code = plugin_->compile(lowered.kernel, &options, append, &message);
  if (code == nullptr) return tl::unexpected<Error>(Error{message, ErrorKind::Runtime, {}});
  code_ms_ = code_ms_ + elapsed_ms(start);
  regions_[index]->codes[variant] = code;
  abi::CpuEntry entry = plugin_->entry(code);
  regions_[index]->entries[variant].store(entry, std::memory_order_release);
  return entry;
}

Result<void> CpuTarget::launch(const abi::LaunchRequest& request) {
  // The CPU target has no wide accesses, so a misaligned base asks for nothing.
  auto variant = static_cast<std::uint8_t>(request.variant & ~abi::kScalar);
  Expected<abi::CpuEntry> code = entry(request.region, variant);
  if (!code) return fail(code.error().message, static_cast<ErrorClass>(code.error().kind));
  unit_.variants_run.fetch_or(1U << variant, std::memory_order_relaxed);
  const std::int64_t launch[6] = {request.grid[0],  request.grid[1],  request.grid[2],
                                  request.block[0], request.block[1], request.block[2]};
  std::int64_t status = cpu::run_blocks(*code, request.args.data(), launch, request.result);
  if (status == 0) return {};
  return fail(fmt::format("kernel {}: device assertion {} failed", unit_.function->name, status));
}

Expected<std::string> CpuTarget::llvm_ir() {
  Expected<void> ready = prepare();
  if (!ready) return tl::unexpected<Error>(ready.error());
  std::string text;
  for (const ir::Kernel* kernel : unit_.function->kernels) {
    Lowered lowered;
    Expected<void> ok = lower(compilation_, *kernel, abi::kDefaultVariant, lowered);
    if (!ok) return tl::unexpected<Error>(ok.error());
    abi::CpuCompileOptions options = code_options(compilation_, abi::kDefaultVariant);
    if (!plugin_->print(lowered.kernel, &options, abi::CpuText::OptimizedIr, append, &text)) {
      return tl::unexpected<Error>(Error{text, ErrorKind::Runtime, {}});
    }
  }
  return text;
}

}  // namespace tirxcc::driver
