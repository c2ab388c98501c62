// SPDX-License-Identifier: Apache-2.0
//
// Kernels whose threads wait for some of each other (named barriers, mbarriers) or for memory that
// others write cannot be split into regions: each of their threads is a fiber, which runs until it
// must wait. These functions say which kernels these are, and prepare them.
//
// Expects (with_fibers): a device kernel that check_cpu_support has accepted.
// Guarantees: the same body, where each operation that threads do together has the number of its
// site as one operand more, and each while loop that reads memory begins its turns with
// T.cuda.nano_sleep, which lets other fibers run; its first operand says how often in a row that is
// no sign of waiting.
//
//   before:  while F[0] == 0:               after:  while F[0] == 0:
//              pass                                   T.cuda.nano_sleep(0, 0)
//            T.cuda.cta_sync()                      T.cuda.cta_sync(1)
#pragma once

#include <string_view>

#include "ir/cpu_kernel.h"
#include "passes/pass.h"

namespace tirxcc::passes {

// Why the threads of a kernel must be fibers: an operation, or (no name) a loop that waits for
// memory. Without a span: they need not.
struct FiberReason {
  ir::Span span = {};
  std::string_view name = {};
  explicit operator bool() const { return span.is_valid(); }
};

FiberReason needs_fibers(const ir::Kernel& kernel);

const ir::CpuKernel& with_fibers(const ir::Kernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
