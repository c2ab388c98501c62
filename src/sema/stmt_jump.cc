// SPDX-License-Identifier: Apache-2.0
//
// `break`, `continue`, `return` and the end of one thread. In an unrolled body a jump that only the
// kernel can decide leaves a labelled block; one that is certain while compiling just stops the
// copying.
//
//   for k in T.unroll(4):          k_end: {
//       if A[k] > 0:          ->     if A[0] > 0: leave k_end
//           break                    ...
#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kBreakOutsideLoop{"break-outside-loop", Severity::Error, ErrorClass::Syntax,
                                       "'break' outside loop"};
constexpr Diagnostic kContinueOutsideLoop{"continue-outside-loop", Severity::Error,
                                          ErrorClass::Syntax, "'continue' not properly in loop"};
constexpr Diagnostic kJumpInVectorized{"jump-in-vectorized", Severity::Error, ErrorClass::Syntax,
                                       "'{}' cannot leave a T.vectorized loop: its turns run "
                                       "together; use T.serial"};
constexpr Diagnostic kBreakInGrid{"break-in-grid", Severity::Note, ErrorClass::Syntax,
                                  "'break' leaves only the {} loop, the innermost of T.grid"};
constexpr Diagnostic kReturnInKernel{
    "return-in-kernel", Severity::Error, ErrorClass::Syntax,
    "'return' leaves the whole function and cannot end one thread; use T.gpu_thread_return()"};
constexpr Diagnostic kReturnZero{"return-zero-in-kernel", Severity::Warning, ErrorClass::Syntax,
                                 "'return 0' ends this thread; write T.gpu_thread_return()"};
constexpr Diagnostic kReturnValueInKernel{"return-value-in-kernel", Severity::Error,
                                          ErrorClass::Value,
                                          "a kernel has no result; store the value in a tensor, "
                                          "'B[i] = ...', and end a thread early with "
                                          "T.gpu_thread_return()"};
constexpr Diagnostic kReturnWithoutAnnotation{
    "return-without-annotation", Severity::Error, ErrorClass::Type,
    "'{0}' returns a value but its result has no type; annotate it, 'def {0}(...) -> T.{1}:'"};
constexpr Diagnostic kReturnNothing{"return-nothing", Severity::Error, ErrorClass::Type,
                                    "'{}' returns {}; this 'return' gives no value"};
constexpr Diagnostic kReturnInLaunchingFunction{"return-value-after-launch", Severity::Error,
                                                ErrorClass::Type,
                                                "'{}' launches kernels and cannot return a value"};

}  // namespace

void FunctionSema::leave_unrolled(Loop& loop, bool is_break, Span span) {
  if (frame_ == loop.copy_frame) {
    is_static_jump_ = true;
    if (is_break) loop.is_ended = true;
    return;
  }
  const ir::Label*& label = is_break ? loop.end_label : loop.next_label;
  if (label == nullptr) {
    const std::string suffix = is_break ? std::string("_end") : fmt::format("_next_{}", loop.turn);
    label = module_.arena.make<ir::Label>(ir::Label{name_with(loop.name, suffix)});
  }
  emit(context_.build.stmt<ir::Leave>(span, label));
}

void FunctionSema::translate(const syntax::Break& stmt) {
  if (!is_in_loop()) {
    auto report = diags_.report(stmt.span, kBreakOutsideLoop);
    if (in_device_code() && expansions_.empty()) {
      report.note("'T.gpu_thread_return()' ends the thread");
    }
    return;
  }
  Loop& loop = loops_.back();
  if (loop.kind == Loop::Kind::Vectorized) {
    diags_.report(stmt.span, kJumpInVectorized, "break");
    return;
  }
  if (loop.kind == Loop::Kind::RunTime && !loop.name.empty()) {
    diags_.report(stmt.span, kBreakInGrid, loop.name);
  }
  loop.has_break = true;
  join_into(loop.exits, loop.mark);
  if (loop.kind == Loop::Kind::Unrolled) {
    leave_unrolled(loop, true, stmt.span);
  } else {
    emit(context_.build.stmt<ir::Break>(stmt.span));
  }
  is_reachable_ = false;
}

void FunctionSema::translate(const syntax::Continue& stmt) {
  if (!is_in_loop()) {
    auto report = diags_.report(stmt.span, kContinueOutsideLoop);
    if (in_device_code() && expansions_.empty()) {
      report.note("'T.gpu_thread_return()' ends the thread");
    }
    return;
  }
  Loop& loop = loops_.back();
  if (loop.kind == Loop::Kind::Vectorized) {
    diags_.report(stmt.span, kJumpInVectorized, "continue");
    return;
  }
  join_into(loop.continues, loop.mark);
  if (loop.kind == Loop::Kind::Unrolled) {
    leave_unrolled(loop, false, stmt.span);
  } else {
    emit(context_.build.stmt<ir::Continue>(stmt.span));
  }
  is_reachable_ = false;
}

void FunctionSema::end_thread(Span span) {
  emit(context_.build.stmt<ir::ThreadReturn>(span));
  is_reachable_ = false;
}

void FunctionSema::translate(const syntax::Return& stmt) {
  if (!expansions_.empty()) {
    translate_inline_return(stmt);
    return;
  }
  if (region_.number > 0) {
    if (stmt.value == nullptr) {
      diags_.report(stmt.keyword_span, kReturnInKernel);
      return;
    }
    const Value value = expr_.eval(*stmt.value);
    if (value.is_error()) return;
    if (expr_.known_int(value) != int128{0}) {
      diags_.report(stmt.value->span, kReturnValueInKernel);
      return;
    }
    diags_.report(stmt.span, kReturnZero);
    end_thread(stmt.span);
    return;
  }
  const Expr* result = nullptr;
  const bool is_good = read_returned_value(stmt, result);
  if (is_good) emit(context_.build.stmt<ir::Return>(stmt.span, result));
  // Whatever is wrong with the value, control does not go on.
  is_reachable_ = false;
}

bool FunctionSema::read_returned_value(const syntax::Return& stmt, const Expr*& result) {
  if (stmt.value == nullptr) {
    if (has_result_)
      diags_.report(stmt.keyword_span, kReturnNothing, def_.name, to_string(result_type_));
    return !has_result_;
  }
  const Value value = expr_.eval(*stmt.value);
  if (value.is_error()) return false;
  if (has_device_code_ && value.kind != ValueKind::None) {
    diags_.report(stmt.value->span, kReturnInLaunchingFunction, def_.name);
    return false;
  }
  if (!has_result_ && value.kind != ValueKind::None) {
    diags_.report(stmt.value->span, kReturnWithoutAnnotation, def_.name,
                  to_string(expr_.type_of(value)));
    return false;
  }
  if (!has_result_) return true;
  result = expr_.convert(value, result_type_, stmt.value->span, Conversion::Store);
  return result != nullptr;
}

}  // namespace tirxcc::sema
