// SPDX-License-Identifier: Apache-2.0
//
// The functions outside generated code that it may call: an explicit list, so that a kernel can
// reach nothing else in the process.
#pragma once

#include <vector>

#include "abi/cpu_plugin.h"

namespace tirxcc::cpu_codegen {

struct OutsideSymbol {
  const char* name;
  void* address;
};

std::vector<OutsideSymbol> outside_symbols(const abi::CpuServices& services);

}  // namespace tirxcc::cpu_codegen
