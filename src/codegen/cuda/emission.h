// SPDX-License-Identifier: Apache-2.0
//
// What the printers of expressions and statements of one kernel share.
#pragma once

#include <string>
#include <string_view>

#include "codegen/cuda/codegen.h"
#include "codegen/cuda/facts.h"
#include "codegen/cuda/helpers.h"
#include "codegen/cuda/names.h"

namespace tirxcc::codegen_cuda {

struct Emission {
  std::string& out;
  const CudaOptions& options;
  const ir::Kernel& kernel;
  const KernelFacts& facts;
  HelperSet& helpers;
  const source::SourceManager* sources = nullptr;
  Names names = {};
  std::string_view warp_id = {};  // the name that holds the warp id, once it has one
};

}  // namespace tirxcc::codegen_cuda
