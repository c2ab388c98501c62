// SPDX-License-Identifier: Apache-2.0
//
// Going from a worker thread's own stack to that of a fiber and back, by boost.context's two
// primitives; the sanitizers are told. A fiber that is not wanted any more is simply never resumed:
// generated code has nothing to unwind.
#pragma once

#include "runtime/cpu/fiber_stack.h"

namespace tirxcc::runtime_cpu {

// One side of the switch: where a fiber goes on, and where the worker does while a fiber runs.
class FiberSwitch {
 public:
  using Body = void (*)(void* argument);

  // A fiber that runs body(argument) on the stack when it is first resumed. The body's last act is
  // end().
  void prepare(const FiberStack& stack, Body body, void* argument);
  // On the worker: runs the fiber until it suspends or ends.
  void resume();
  // On the fiber: back to the worker, until the next resume.
  void suspend() { leave(/*is_last=*/false); }
  // The same for ever.
  [[noreturn]] void end();

 private:
  void leave(bool is_last);
  void enter_fiber();

  void* fiber_ = nullptr;   // boost's fcontext_t of the fiber while it is suspended
  void* worker_ = nullptr;  // and of the worker while the fiber runs
  FiberStack stack_;
  Body body_ = nullptr;
  void* argument_ = nullptr;
  // AddressSanitizer: its record of the two stacks.
  void* fake_stack_ = nullptr;
  void* worker_fake_stack_ = nullptr;
  const void* worker_bottom_ = nullptr;
  std::size_t worker_bytes_ = 0;
  // ThreadSanitizer: its names for them.
  void* tsan_fiber_ = nullptr;
  void* tsan_worker_ = nullptr;
};

}  // namespace tirxcc::runtime_cpu
