// SPDX-License-Identifier: Apache-2.0
//
// How much shared memory a block of a kernel takes, and whether a GPU has that much.
#pragma once

#include <cstdint>
#include <vector>

#include "passes/pass.h"

namespace tirxcc::passes {

struct SharedUse {
  struct Array {
    const ir::Tensor* tensor;
    std::int64_t bytes;
  };
  // Of constant size, in the order of the kernel.
  std::vector<Array> arrays;
  // Together, with the bytes that alignment leaves between them; at least what the launch asks for,
  // if that is a constant. Arrays whose size the launch decides are not in it.
  std::int64_t bytes = 0;

  // Where a message about all of it points: the largest array, else the launch.
  source::Span place(const ir::Kernel& kernel) const;
};
SharedUse shared_use(const ir::Kernel& kernel);

// The most shared memory of a block, static and dynamic together, on GPUs of a compute capability
// (90 is 9.0).
std::int64_t shared_limit(int sm);

// True if GPUs of context.options.sm have as much; else context.diags says what takes it.
bool check_shared_size(const ir::Kernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
