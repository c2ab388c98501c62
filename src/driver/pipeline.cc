// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "ir/printer.h"
#include "ir/verifier.h"
#include "passes/flatten.h"
#include "passes/lower_division.h"
#include "passes/merge_branch_stores.h"
#include "passes/simplify.h"
#include "passes/vectorize.h"

namespace tirxcc::driver {
namespace {

// In the order in which they run. What holds after each is in its header.
constexpr PassRow kRows[] = {
    {"simplify", passes::simplify, true, true,
     "folds constants and drops values that nothing uses"},
    {"merge_branch_stores", passes::merge_branch_stores, false, true,
     "makes stores to one address on all paths of an if one store of a choice"},
    {"lower_division", passes::lower_division, true, true,
     "turns floor division into shifts, masks and C's division where that is the same"},
    {"flatten", passes::flatten, true, true,
     "gives every access one flat offset, in 32 or 64 bits"},
    {"vectorize", passes::vectorize, true, false,
     "makes T.vectorized loops wide accesses where they are aligned and in order"},
};

bool is_wanted(const PipelineOptions& options, std::string_view pass) {
  return std::any_of(options.print_after.begin(), options.print_after.end(),
                     [&](const std::string& name) { return name == pass || name == "all"; });
}

}  // namespace

std::span<const PassRow> pass_rows() {
  return kRows;
}

const ir::Kernel& run_passes(const ir::Kernel& kernel, passes::PassContext& context,
                             const PipelineOptions& options) {
  using Clock = std::chrono::steady_clock;
  const ir::Kernel* current = &kernel;
  bool is_cuda = context.options.target == passes::Target::Cuda;
  for (const PassRow& row : kRows) {
    if (is_cuda ? !row.for_cuda : !row.for_cpu) continue;
    StageScope stage(row.name, kernel.name);
    Clock::time_point start = options.time_passes ? Clock::now() : Clock::time_point();
    current = &row.run(*current, context);
    if (options.time_passes && options.output != nullptr) {
      double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
      *options.output += fmt::format("{:>9.1f} us  {} of {}\n", us, row.name, kernel.name);
    }
    if (options.verify_each) {
      std::string faults = ir::verify(*current);
      TIRXCC_CHECK(faults.empty(), "the IR is wrong after this pass:\n{}", faults);
    }
    if (options.output != nullptr && is_wanted(options, row.name)) {
      *options.output += fmt::format("# after {}\n{}\n", row.name, ir::print(*current));
    }
  }
  return *current;
}

}  // namespace tirxcc::driver
