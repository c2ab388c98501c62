// SPDX-License-Identifier: Apache-2.0
//
// What must be known about a kernel before its first line is printed: which tensors it writes,
// which functions it calls (their names are taken), which types need a header, which blocks need
// braces and labels.
#pragma once

#include <string_view>
#include <vector>

#include "base/pointer_map.h"
#include "ir/ir.h"

namespace tirxcc::codegen_cuda {

struct KernelFacts {
  PointerSet<> written;      // stored to, or a pointer to it was formed
  PointerSet<> left;         // labels that some Leave names
  PointerSet<> jumped_from;  // innermost block around a Leave
  std::vector<const intrinsics::Intrinsic*> callees;
  bool uses_fp16 = false;
  bool uses_bf16 = false;
  bool uses_warp_id = false;
  std::int32_t arena_align = 0;  // of dynamic shared memory; 0: none
};

void gather_facts(const ir::Kernel& kernel, KernelFacts& facts);

// True if the statement list itself makes a name (not one of the lists inside).
bool declares_name(ir::StmtList list);

// "sqrtf" of "sqrtf({0})": the function that a spelling begins with, or "".
std::string_view called_name(std::string_view spelling);

}  // namespace tirxcc::codegen_cuda
