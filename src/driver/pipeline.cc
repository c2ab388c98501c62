// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "ir/printer.h"
#include "ir/verifier.h"
#include "passes/cpu_support.h"
#include "passes/fibers.h"
#include "passes/fission_at_barriers.h"
#include "passes/flatten.h"
#include "passes/grid_stride_loops.h"
#include "passes/guards_to_bounds.h"
#include "passes/lower_division.h"
#include "passes/merge_branch_stores.h"
#include "passes/simplify.h"
#include "passes/split_locals.h"
#include "passes/streaming_stores.h"
#include "passes/thread_loops.h"
#include "passes/unroll_block_loops.h"
#include "passes/vectorize.h"
#include "passes/vectorize_threads.h"

namespace tirxcc::driver {
namespace {

using PassFunction = const ir::Kernel& (*)(const ir::Kernel&, passes::PassContext&);

struct PassRow {
  std::string_view name;
  PassFunction run;
  bool for_cuda;
  bool for_cpu;
  std::string_view sentence;
};

// In the order in which they run. What holds after each is in its header.
constexpr PassRow kRows[] = {
    {"simplify", passes::simplify, true, true,
     "folds constants and drops values that nothing uses"},
    {"merge_branch_stores", passes::merge_branch_stores, false, true,
     "makes stores to one address on all paths of an if one store of a choice"},
    {"lower_division", passes::lower_division, true, true,
     "turns floor division into shifts, masks and C's division where that is the same"},
    {"split_locals", passes::split_locals, false, true,
     "makes a mutable scalar two where it gets a value that is not made of its old one"},
    {"unroll_block_loops", passes::unroll_block_loops, false, true,
     "writes out loops around barriers whose few turns are known"},
    {"flatten", passes::flatten, true, false,
     "gives every access one flat offset, in 32 or 64 bits"},
    {"vectorize", passes::vectorize, true, false,
     "makes T.vectorized loops wide accesses where they are aligned and in order"},
};

// Then, for the CPU only, on the form whose grid and block are loops.
using CpuPassFunction = const ir::CpuKernel& (*)(const ir::CpuKernel&, passes::PassContext&);
struct CpuPassRow {
  std::string_view name;
  CpuPassFunction run;
  std::string_view sentence;
};
constexpr CpuPassRow kFission{"fission_at_barriers", nullptr,
                              "splits a kernel at barriers and warp operations"};
constexpr CpuPassRow kFibers{
    "with_fibers", nullptr,
    "numbers what the threads do together, where each of them is a fiber; in place of the former"};
constexpr CpuPassRow kCpuRows[] = {
    {"thread_loops", passes::thread_loops, "makes grid and block loops"},
    {"grid_stride_loops", passes::grid_stride_loops,
     "runs loops in which threads step through memory together turn by turn"},
    {"guards_to_bounds", passes::guards_to_bounds,
     "makes a guard around the body of the thread loop the loop's bound"},
    {"streaming_stores", passes::streaming_stores,
     "finds the tensor that is written from end to end and never read"},
    {"vectorize_threads", passes::vectorize_threads,
     "finds the thread loops that can run in lanes"},
};

bool is_wanted(const PipelineOptions& options, std::string_view pass) {
  return std::any_of(options.print_after.begin(), options.print_after.end(),
                     [&](const std::string& name) { return name == pass || name == "all"; });
}

// Times, verifies and prints around one pass. `step` runs it and returns the kernel to look at.
template <typename Step>
void observe(std::string_view pass, const ir::Kernel& before, const PipelineOptions& options,
             Step&& step) {
  using Clock = std::chrono::steady_clock;
  StageScope stage(pass, before.name);
  Clock::time_point start = options.time_passes ? Clock::now() : Clock::time_point();
  const ir::Kernel* after = step();
  if (options.time_passes && options.output != nullptr) {
    double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    *options.output += fmt::format("{:>9.1f} us  {} of {}\n", us, pass, before.name);
  }
  if (options.verify_each) {
    std::string faults = ir::verify(*after);
    TIRXCC_CHECK(faults.empty(), "the IR is wrong after this pass:\n{}", faults);
  }
  if (options.output != nullptr && is_wanted(options, pass)) {
    *options.output += fmt::format("# after {}\n{}\n", pass, ir::print(*after));
  }
}

bool runs_as_fibers(const ir::Kernel& kernel, passes::Scheme scheme) {
  if (kernel.kind != ir::KernelKind::Device) return false;
  if (scheme == passes::Scheme::Automatic) return static_cast<bool>(passes::needs_fibers(kernel));
  return scheme == passes::Scheme::Fibers;
}

}  // namespace

std::string describe_passes() {
  std::string text;
  auto add = [&](std::string_view name, std::string_view targets, std::string_view sentence) {
    text += fmt::format("{:<20} {:<9} {}\n", name, targets, sentence);
  };
  for (const PassRow& row : kRows) {
    add(row.name,
        row.for_cuda && row.for_cpu ? "cuda cpu"
        : row.for_cuda              ? "cuda"
                                    : "cpu",
        row.sentence);
  }
  add(kFission.name, "cpu", kFission.sentence);
  add(kFibers.name, "cpu", kFibers.sentence);
  for (const CpuPassRow& row : kCpuRows)
    add(row.name, "cpu", row.sentence);
  return text;
}

const ir::Kernel& run_passes(const ir::Kernel& kernel, passes::PassContext& context,
                             const PipelineOptions& options) {
  const ir::Kernel* current = &kernel;
  bool is_cuda = context.options.target == passes::Target::Cuda;
  for (const PassRow& row : kRows) {
    if (is_cuda ? !row.for_cuda : !row.for_cpu) continue;
    const bool is_plain = context.options.debug || context.options.is_quick;
    const bool is_for_speed =
        row.run == passes::unroll_block_loops || row.run == passes::split_locals;
    if (is_plain && is_for_speed) continue;
    if (context.options.debug && row.run == passes::merge_branch_stores) continue;
    observe(row.name, kernel, options, [&] { return current = &row.run(*current, context); });
  }
  return *current;
}

const ir::CpuKernel* run_cpu_passes(const ir::Kernel& kernel, passes::PassContext& context,
                                    const PipelineOptions& options) {
  if (!passes::check_cpu_support(kernel, context)) return nullptr;
  const ir::Kernel& flat = run_passes(kernel, context, options);
  if (context.diags.has_errors()) return nullptr;
  const ir::CpuKernel* current = nullptr;
  const bool has_fibers = runs_as_fibers(flat, context.options.scheme);
  observe(has_fibers ? kFibers.name : kFission.name, kernel, options, [&] {
    current = has_fibers ? &passes::with_fibers(flat, context)
                         : &passes::fission_at_barriers(flat, context);
    return current->kernel;
  });
  const bool has_lanes = context.options.scheme != passes::Scheme::Fission;
  for (const CpuPassRow& row : kCpuRows) {
    // A debugger stops at every statement of the kernel file and sees all its threads. A fiber's
    // program has no loops over threads.
    const bool is_plain = context.options.debug || has_fibers;
    if (is_plain && row.run != passes::thread_loops) continue;
    const bool wants_lanes = has_lanes && !context.options.is_quick;
    if (!wants_lanes && row.run == passes::vectorize_threads) continue;
    observe(row.name, kernel, options, [&] {
      current = &row.run(*current, context);
      return current->kernel;
    });
  }
  return current;
}

}  // namespace tirxcc::driver
