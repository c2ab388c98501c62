// SPDX-License-Identifier: Apache-2.0
//
// See fiber_switch.h.
#include "runtime/cpu/fiber_switch.h"

#include <boost/context/detail/fcontext.hpp>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace tirxcc::runtime_cpu {

namespace context = boost::context::detail;

void FiberSwitch::prepare(const FiberStack& stack, Body body, void* argument) {
  stack_ = stack;
  fake_stack_ = nullptr;
  body_ = body;
  argument_ = argument;
  fiber_ = context::make_fcontext(stack.top(), stack.bytes, [](context::transfer_t from) {
    auto* self = static_cast<FiberSwitch*>(from.data);
    self->worker_ = from.fctx;
    self->enter_fiber();
    self->body_(self->argument_);
    self->end();
  });
#ifdef __SANITIZE_THREAD__
  if (tsan_fiber_ != nullptr) __tsan_destroy_fiber(tsan_fiber_);
  tsan_fiber_ = __tsan_create_fiber(0);
#endif
}

void FiberSwitch::resume() {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(&worker_fake_stack_, stack_.bottom, stack_.bytes);
#endif
#ifdef __SANITIZE_THREAD__
  tsan_worker_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(tsan_fiber_, 0);
#endif
  const context::transfer_t back = context::jump_fcontext(fiber_, this);
  fiber_ = back.fctx;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(worker_fake_stack_, nullptr, nullptr);
#endif
#ifdef __SANITIZE_THREAD__
  if (back.data != nullptr) {
    __tsan_destroy_fiber(tsan_fiber_);
    tsan_fiber_ = nullptr;
  }
#endif
}

// First thing on the fiber after each switch to it.
void FiberSwitch::enter_fiber() {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(fake_stack_, &worker_bottom_, &worker_bytes_);
#endif
}

void FiberSwitch::leave(bool is_last) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(is_last ? nullptr : &fake_stack_, worker_bottom_, worker_bytes_);
#endif
#ifdef __SANITIZE_THREAD__
  __tsan_switch_to_fiber(tsan_worker_, 0);
#endif
  const context::transfer_t back = context::jump_fcontext(worker_, is_last ? this : nullptr);
  worker_ = back.fctx;
  enter_fiber();
}

void FiberSwitch::end() {
  leave(/*is_last=*/true);
  __builtin_unreachable();
}

}  // namespace tirxcc::runtime_cpu
