// SPDX-License-Identifier: Apache-2.0
//
// Keeps fork() and compilation apart. LLVM and the loader have locks of their own; a child that was
// forked while another thread held one would wait for it for ever. fork() therefore waits until no
// thread compiles, though not for longer than a second or two; a child that came in between after
// all gets an error from its first compilation instead of a deadlock.
#pragma once

#include "base/result.h"

namespace tirxcc::runtime_cpu {

// Held while LLVM works, and while a lock is held that a child might need. May be nested.
class CompileScope {
 public:
  CompileScope();
  CompileScope(const CompileScope&) = delete;
  CompileScope& operator=(const CompileScope&) = delete;
  ~CompileScope();
};

// An error in a child that was forked while another thread compiled.
Result<void> check_can_compile();

}  // namespace tirxcc::runtime_cpu
