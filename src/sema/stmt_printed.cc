// SPDX-License-Identifier: Apache-2.0
//
// The forms that only printed IR has (ir/printer.h), so that it reads back: blocks that are left
// early, and loops that count their turns.
//
//   with T.block("k_end"):
//       if A[0] > 0:
//           T.leave("k_end")
//   for i in T.counted(start, step, turns): ...
#include "sema/expr_internal.h"
#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kLabel{"block-label", Severity::Error, ErrorClass::Type,
                            "{} takes the name of a block as a string"};
constexpr Diagnostic kNoBlock{"leave-outside-block", Severity::Error, ErrorClass::Syntax,
                              "T.leave(\"{0}\") outside 'with T.block(\"{0}\"):'"};
constexpr Diagnostic kCountedTarget{"counted-target", Severity::Error, ErrorClass::Value,
                                    "T.counted gives one index"};
constexpr Diagnostic kCountedTurns{"counted-turns", Severity::Error, ErrorClass::Type,
                                   "the turns of T.counted are uint32 or uint64, got {}"};
constexpr Diagnostic kCountedType{"counted-type", Severity::Error, ErrorClass::Type,
                                  "start and step of T.counted are integers, got {}"};

}  // namespace

void FunctionSema::translate_printed_block(const syntax::Call& call, const syntax::With& stmt,
                                           std::size_t at) {
  OpenBlock block{.name = {}, .mark = trail_.size()};
  if (!call.args.empty()) {
    const Value name = expr_.eval(*call.args[0]);
    if (name.kind != ValueKind::String || call.args.size() > 1 || !call.keywords.empty()) {
      diags_.report(call.span, kLabel, "T.block");
      return;
    }
    block.name = name.text;
    block.label = module_.arena.make<ir::Label>(ir::Label{name.text});
  }
  auto* node = make_stmt<ir::Block>(stmt.span);
  node->label = block.label;
  blocks_.push_back(std::move(block));
  open_frame();
  translate_with_items(stmt, at + 1);
  close_frame(&node->body);
  emit(node);
  OpenBlock closed = std::move(blocks_.back());
  blocks_.pop_back();
  if (!closed.exits.is_reached) return;
  join_into(closed.exits, closed.mark);
  forget_since(closed.mark);
  continue_from(closed.exits);
}

void FunctionSema::translate_leave(const syntax::Call& call) {
  const Value name = call.args.size() == 1 ? expr_.eval(*call.args[0]) : Value::none();
  if (name.is_error()) return;
  if (name.kind != ValueKind::String) {
    diags_.report(call.span, kLabel, "T.leave");
    return;
  }
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    OpenBlock& block = blocks_[i];
    if (block.label == nullptr || block.name != name.text) continue;
    join_into(block.exits, block.mark);
    emit(context_.build.stmt<ir::Leave>(call.span, block.label));
    is_reachable_ = false;
    return;
  }
  diags_.report(call.span, kNoBlock, name.text);
}

void FunctionSema::translate_printed_counted(const syntax::For& stmt, const syntax::Call& call) {
  static constexpr ParamSpec kParams[] = {{"start"}, {"step"}, {"turns"}};
  Argument args[3];
  if (!bind_arguments(context_, call, "T.counted", kParams, args)) return;
  if (!syntax::is<syntax::Name>(stmt.target)) {
    diags_.report(stmt.target->span, kCountedTarget);
    return;
  }
  const Value start = expr_.eval(*args[0].expr);
  const Value step = expr_.eval(*args[1].expr);
  const Value turns = expr_.eval(*args[2].expr);
  if (start.is_error() || step.is_error() || turns.is_error()) return;
  const DType count = expr_.type_of(turns);
  if (count != kUInt32 && count != kUInt64) {
    diags_.report(args[2].span(), kCountedTurns, describe(turns));
    return;
  }
  // Literals take the type of the other one.
  const DType type = promote(expr_.type_of(start.is_expr() || !step.is_expr() ? start : step),
                             expr_.type_of(step.is_expr() || !start.is_expr() ? step : start))
                         .value_or(kError);
  if (!type.is_int() || type.bits < 32) {
    diags_.report(args[0].span(), kCountedType, describe(start));
    return;
  }
  auto* node = make_stmt<ir::CountedFor>(stmt.span);
  node->var = loop_var(*stmt.target, type);
  node->start = expr_.convert(start, type, args[0].span(), Conversion::Explicit);
  node->step = expr_.convert(step, type, args[1].span(), Conversion::Explicit);
  node->turns = expr_.to_expr(turns, args[2].span());
  if (node->start == nullptr || node->step == nullptr || node->turns == nullptr) return;
  translate_loop_body(stmt, Value::of_expr(context_.build.var(node->var, stmt.target->span)),
                      &node->body, Loop::Kind::RunTime, false);
  emit(node);
}

}  // namespace tirxcc::sema
