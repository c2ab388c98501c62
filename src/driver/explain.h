// SPDX-License-Identifier: Apache-2.0
//
// `tirxcc build --explain`: what the CPU passes made of a kernel, and why, in plain words.
#pragma once

#include <string>
#include <string_view>

#include "ir/cpu_kernel.h"
#include "passes/cpu_facts.h"
#include "source/source.h"

namespace tirxcc::driver {

// What is not the passes' to know.
struct ExplainContext {
  const source::SourceManager& sources;
  std::string_view kernel_name;  // "relu_kernel"
  std::string_view launch;       // "grid (n + 255) // 256, block 256"
  bool streams = true;           // the optimiser is on
};

// Lines for people, each "  topic: words". `facts` were written down when `kernel` was lowered.
std::string explain(const ir::CpuKernel& kernel, const passes::CpuFacts& facts,
                    const ExplainContext& context);

}  // namespace tirxcc::driver
