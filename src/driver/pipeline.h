// SPDX-License-Identifier: Apache-2.0
//
// Which passes run, in which order, for which target: the one place that knows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/cpu_kernel.h"
#include "ir/ir.h"
#include "passes/pass.h"

namespace tirxcc::driver {

// One line a pass: name, targets, sentence.
std::string describe_passes();

// What the user wants to see of a pipeline's work.
struct PipelineOptions {
  bool verify_each = false;
  bool time_passes = false;
  std::vector<std::string> print_after = {};  // names, or "all"
  std::string* output = nullptr;              // receives printed IR and times
};

// Runs the passes of context.options.target over one kernel; the result and everything new live in
// context.arena.
const ir::Kernel& run_passes(const ir::Kernel& kernel, passes::PassContext& context,
                             const PipelineOptions& options);

// The same for the CPU, down to loops over blocks and threads. Null after an error in context.diags
// (a construct that the CPU target does not run).
const ir::CpuKernel* run_cpu_passes(const ir::Kernel& kernel, passes::PassContext& context,
                                    const PipelineOptions& options);

}  // namespace tirxcc::driver
