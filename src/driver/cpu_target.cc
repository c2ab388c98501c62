// SPDX-License-Identifier: Apache-2.0
#include "driver/cpu_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "driver/compilation.h"
#include "driver/explain.h"
#include "driver/kernel_info.h"
#include "passes/cpu_support.h"
#include "runtime/cpu/fiber_launch.h"
#include "runtime/cpu/fork_gate.h"
#include "runtime/cpu/launch.h"
#include "runtime/cpu/thread_pool.h"

namespace tirxcc::driver {
namespace {

using Clock = std::chrono::steady_clock;

double elapsed_ms(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// A kernel lowered for the CPU, with the arena that owns it.
struct Lowered {
  Arena arena;
  const ir::CpuKernel* kernel = nullptr;
  passes::CpuFacts facts;  // if wants_facts
  bool wants_facts = false;
  std::string output;  // what print_after and time_passes asked for
};

passes::Scheme scheme_of(std::string_view name) {
  using passes::Scheme;
  return name == "fission"  ? Scheme::Fission
         : name == "lanes"  ? Scheme::Lanes
         : name == "fibers" ? Scheme::Fibers
                            : Scheme::Automatic;
}

Expected<void> lower(Compilation& compilation, const ir::Kernel& kernel, std::uint8_t variant,
                     Lowered& lowered) {
  source::Diagnostics diags(compilation.sources());
  passes::PassContext context{lowered.arena, diags, {}};
  context.options.target = passes::Target::Cpu;
  context.options.no_restrict = (variant & abi::kAlias) != 0;
  context.options.big_grid = (variant & abi::kBigGrid) != 0;
  context.options.debug = compilation.options().debug;
  context.options.is_quick = compilation.options().opt_level == 0;
  context.options.scheme = scheme_of(compilation.options().scheme);
  if (lowered.wants_facts) context.facts = &lowered.facts;
  lowered.kernel = run_cpu_passes(kernel, context, compilation.pipeline_options(&lowered.output));
  if (diags.has_errors()) return tl::unexpected<Error>(compilation.error_of(diags));
  if (!diags.messages().empty()) compilation.add_remarks(diags);
  return {};
}

// "grid (n + 255) // 256, block (16, 16)".
std::string launch_text(const KernelInfo& info) {
  const auto sizes = [](const std::vector<std::string>& of) {
    return of.size() == 1 ? of[0] : fmt::format("({})", fmt::join(of, ", "));
  };
  return fmt::format("grid {}, block {}", sizes(info.grid), sizes(info.block));
}

abi::CpuCompileOptions code_options(const Compilation& compilation, std::uint8_t variant) {
  abi::CpuCompileOptions options;
  options.opt_level = compilation.options().opt_level;
  options.variant = variant;
  options.non_temporal = (variant & abi::kStreaming) != 0;
  options.contract = compilation.options().fast_math;
  if (compilation.options().debug) {
    options.opt_level = 0;
    options.non_temporal = false;
    options.debug_sources = &compilation.sources();
  }
  return options;
}

}  // namespace

CpuTarget::CpuTarget(Compilation& compilation, Unit& unit)
    : compilation_(compilation), unit_(unit) {
  for (std::size_t i = 0; i < unit.plan.regions.size(); ++i) {
    regions_.push_back(std::make_unique<Region>());
  }
}

CpuTarget::~CpuTarget() = default;

double CpuTarget::passes_ms() const {
  return passes_ms_;
}
double CpuTarget::code_ms() const {
  return code_ms_;
}

Expected<void> CpuTarget::prepare() {
  for (std::uint32_t i = 0; i < regions_.size(); ++i) {
    Expected<const Variant*> ready = variant(i, abi::kDefaultVariant);
    if (!ready) return tl::unexpected<Error>(ready.error());
  }
  return {};
}

Expected<const CpuTarget::Variant*> CpuTarget::variant(std::uint32_t region, std::uint8_t bits) {
  const Variant* ready = regions_[region]->ready[bits].load(std::memory_order_acquire);
  if (ready != nullptr) return ready;
  const runtime_cpu::CompileScope scope;
  std::lock_guard lock(mutex_);
  ready = regions_[region]->ready[bits].load(std::memory_order_acquire);
  if (ready != nullptr) return ready;
  return compile(region, bits);
}

Expected<const CpuTarget::Variant*> CpuTarget::compile(std::uint32_t index, std::uint8_t bits) {
  Clock::time_point start = Clock::now();
  Lowered lowered;
  const ir::Kernel& kernel = *unit_.function->kernels[index];
  Expected<void> ok = lower(compilation_, kernel, bits, lowered);
  compilation_.add_pass_output(lowered.output);
  if (!ok) return tl::unexpected<Error>(ok.error());
  passes_ms_ = passes_ms_ + elapsed_ms(start);

  start = Clock::now();
  StageScope stage("the LLVM back end", kernel.name);
  abi::CpuCompileOptions options = code_options(compilation_, bits);
  options.wants_stack_bytes = lowered.kernel->is_fibers;
  Result<runtime_cpu::Code> code = runtime_cpu::Code::compile(*lowered.kernel, options);
  if (!code) return tl::unexpected<Error>(to_error(code.error()));
  code_ms_ = code_ms_ + elapsed_ms(start);

  auto variant = std::make_unique<Variant>();
  variant->code = std::move(*code);
  const bool is_optimized = compilation_.options().opt_level > 0 && !compilation_.options().debug;
  if (is_optimized) {
    const ir::Tensor* streamed = lowered.kernel->streamed;
    variant->streamed_bytes = std::max<std::int64_t>(
        lowered.kernel->row_bytes, streamed == nullptr ? 0 : streamed->dtype.bits / 8);
  }
  for (const ir::Assert* stmt : lowered.kernel->asserts())
    variant->failures.push_back({stmt->span, std::string(stmt->text)});
  variant->is_fibers = lowered.kernel->is_fibers;
  for (const ir::MeetingSite& site : lowered.kernel->sites) {
    variant->sites.push_back(site.span);
    variant->places.push_back(place_of(site.span));
  }
  std::copy_n(lowered.kernel->max_grid, 3, variant->max_grid);
  std::copy_n(lowered.kernel->max_block, 3, variant->max_block);
  Region& region = *regions_[index];
  region.owned[bits] = std::move(variant);
  region.ready[bits].store(region.owned[bits].get(), std::memory_order_release);
  return region.owned[bits].get();
}

// "relu.py:12:5: error: kernel relu: what went wrong [failed-at-run-time]", with the line.
std::string CpuTarget::describe(const Failed& failed) const {
  const source::Message message{
      .id = "failed-at-run-time",
      .severity = source::Severity::Error,
      .error_class = ErrorClass::Runtime,
      .span = failed.span,
      .text = fmt::format("kernel {}: {}", unit_.function->name,
                          failed.text.empty() ? "assertion failed" : failed.text),
      .labels = {},
      .notes = {}};
  std::string text = source::Diagnostics(compilation_.sources()).render(message);
  text.pop_back();
  return text;
}

// "relu.py:12".
std::string CpuTarget::place_of(ir::Span span) const {
  const source::SourceManager& sources = compilation_.sources();
  const source::SourceFile* file = sources.file_of(span);
  return file == nullptr ? std::string()
                         : fmt::format("{}:{}", file->path, sources.position(span).line);
}

Result<void> CpuTarget::launch_fibers(const Variant& variant, const abi::LaunchRequest& request) {
  const std::int64_t sizes[7] = {request.grid[0],           request.grid[1],  request.grid[2],
                                 request.block[0],          request.block[1], request.block[2],
                                 request.dynamic_smem_bytes};
  const runtime_cpu::FiberFailure failure =
      runtime_cpu::launch_fibers({.entry = variant.code.entry(),
                                  .stack_bytes = variant.code.stack_bytes(),
                                  .sites = variant.places,
                                  .is_in_order = compilation_.options().debug},
                                 request.args.data(), sizes);
  if (failure.status == runtime_cpu::kStopped) return fail("the kernel was stopped");
  if (failure.status != 0) {
    return fail(describe(variant.failures.at(static_cast<std::size_t>(failure.status) - 1)));
  }
  if (failure.text.empty()) return {};
  const ir::Span span = failure.site < 0 ? unit_.function->span
                                         : variant.sites.at(static_cast<std::size_t>(failure.site));
  return fail(describe({span, failure.text}));
}

bool CpuTarget::Variant::allows(const abi::LaunchRequest& request) const {
  for (int i = 0; i < 3; ++i) {
    if (request.grid[i] > max_grid[i] || request.block[i] > max_block[i]) return false;
  }
  return true;
}

bool CpuTarget::Variant::should_stream(const abi::LaunchRequest& request) const {
  if (streamed_bytes == 0) return false;
  const std::int64_t threads = request.grid[0] * request.block[0];
  return (request.variant & abi::kStreaming) != 0 ||
         threads >= runtime_cpu::cache_bytes() / streamed_bytes;
}

Expected<const CpuTarget::Variant*> CpuTarget::variant_for(const abi::LaunchRequest& request,
                                                           std::uint8_t& bits) {
  // The CPU target always has 64-bit offsets and no wide accesses, and it finds out itself which
  // launches are too big for the default code.
  bits = static_cast<std::uint8_t>(request.variant & abi::kAlias);
  bool is_forced = (request.variant & abi::kBigGrid) != 0;
  Expected<const Variant*> code = variant(request.region, bits);
  bool is_host = unit_.plan.regions[request.region].is_host;
  if (code && !is_host && (is_forced || !(*code)->allows(request))) {
    bits |= abi::kBigGrid;
    code = variant(request.region, bits);
  }
  if (code && !is_host && (*code)->should_stream(request)) {
    bits |= abi::kStreaming;
    code = variant(request.region, bits);
  }
  return code;
}

Result<void> CpuTarget::prepare(const abi::LaunchRequest& request) {
  std::uint8_t bits = 0;
  Expected<const Variant*> code = variant_for(request, bits);
  if (!code) return fail(code.error().message, static_cast<ErrorClass>(code.error().kind));
  return {};
}

Result<void> CpuTarget::launch(const abi::LaunchRequest& request) {
  std::uint8_t bits = 0;
  Expected<const Variant*> code = variant_for(request, bits);
  if (!code) return fail(code.error().message, static_cast<ErrorClass>(code.error().kind));
  bool is_host = unit_.plan.regions[request.region].is_host;
  if (request.dynamic_smem_bytes > passes::kMostSharedBytes) {
    return fail(fmt::format("{} bytes of shared memory; a block has at most {}",
                            request.dynamic_smem_bytes, passes::kMostSharedBytes),
                ErrorClass::Value);
  }
  if ((unit_.variants_run.load(std::memory_order_relaxed) >> bits & 1) == 0) {
    unit_.variants_run.fetch_or(1U << bits, std::memory_order_relaxed);
  }
  if ((*code)->is_fibers) return launch_fibers(**code, request);
  abi::CpuEntry entry = (*code)->code.entry();
  std::int64_t status =
      is_host ? runtime_cpu::call_host(entry, request.args.data(), request.result)
      : compilation_.options().debug
          ? runtime_cpu::launch_in_order(entry, request.args.data(), request.grid, request.block,
                                         request.dynamic_smem_bytes)
          : runtime_cpu::launch(entry, request.args.data(), request.grid, request.block,
                                request.dynamic_smem_bytes);
  if (status == 0) return {};
  if (status == runtime_cpu::kStopped) return fail("the kernel was stopped");
  return fail(describe((*code)->failures.at(static_cast<std::size_t>(status) - 1)));
}

Result<void> CpuTarget::repeat(CallMemo& memo, std::uint64_t& result) {
  for (CallMemo::Launch& noted : memo.launches()) {
    noted.request.args = memo.words(noted);
    noted.request.result = &result;
    if (Result<void> done = launch(noted.request); !done) return done;
  }
  return {};
}

Expected<std::string> CpuTarget::llvm_ir() {
  Expected<void> ready = prepare();
  if (!ready) return tl::unexpected<Error>(ready.error());
  std::string text;
  for (const ir::Kernel* kernel : unit_.function->kernels) {
    Lowered lowered;
    Expected<void> ok = lower(compilation_, *kernel, abi::kDefaultVariant, lowered);
    if (!ok) return tl::unexpected<Error>(ok.error());
    Result<std::string> part =
        runtime_cpu::print_code(*lowered.kernel, code_options(compilation_, abi::kDefaultVariant),
                                abi::CpuText::OptimizedIr);
    if (!part) return tl::unexpected<Error>(to_error(part.error()));
    text += *part;
  }
  return text;
}

Expected<std::string> CpuTarget::explain() {
  std::string text;
  std::map<std::string, std::string> launches;
  for (const KernelInfo& info : describe_kernels(unit_))
    launches[info.name] = launch_text(info);
  for (std::size_t i = 0; i < unit_.function->kernels.size(); ++i) {
    Lowered lowered;
    lowered.wants_facts = true;
    Expected<void> ok =
        lower(compilation_, *unit_.function->kernels[i], abi::kDefaultVariant, lowered);
    if (!ok) return tl::unexpected<Error>(ok.error());
    text += driver::explain(*lowered.kernel, lowered.facts,
                            {.sources = compilation_.sources(),
                             .kernel_name = unit_.plan.regions[i].kernel_name,
                             .launch = launches[unit_.plan.regions[i].kernel_name],
                             .streams = compilation_.options().opt_level > 0});
  }
  return text;
}

}  // namespace tirxcc::driver
