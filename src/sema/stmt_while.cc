// SPDX-License-Identifier: Apache-2.0
//
// `while`. A condition known to be false drops the loop; one that nothing in the body can change
// is told, because such a loop ends at once or never.
#include "ir/traverse.h"
#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kElseOnLoop{"else-on-loop", Severity::Error, ErrorClass::Syntax,
                                 "'else' on a loop is not supported; set a flag before 'break' "
                                 "and test it after the loop"};
constexpr Diagnostic kConditionNeverChanges{
    "condition-never-changes", Severity::Warning, ErrorClass::Value,
    "nothing in the loop changes this condition; the loop ends at once or never"};

// The value can only change by an assignment to a scalar it reads.
bool depends_on_scalars_only(const ir::Expr& condition) {
  return !ir::any_expr(condition, [](const ir::Expr& e) {
    return ir::is<ir::Load>(&e) || ir::is<ir::Call>(&e) || ir::is<ir::VectorLoad>(&e);
  });
}

bool reads_scalar_assigned_since(const ir::Expr& condition, std::uint32_t clock) {
  return ir::any_expr(condition, [&](const ir::Expr& e) {
    const auto* read = ir::as<ir::LocalRead>(&e);
    // Every Local of a function under translation is a MutableLocal.
    return read != nullptr && static_cast<const MutableLocal*>(read->local)->last_assigned > clock;
  });
}

}  // namespace

void FunctionSema::translate(const syntax::While& stmt) {
  if (!stmt.orelse.empty()) diags_.report(stmt.else_span, kElseOnLoop);
  const Value value = eval_lazy(*stmt.test, true);
  const std::optional<bool> known = expr_.known_truth(value);
  if (known.has_value() && !*known) return;

  auto* node = make_stmt<ir::While>(stmt.span);
  node->condition = known.has_value() ? context_.build.bool_imm(true, stmt.test->span)
                                      : expr_.condition(value, stmt.test->span);
  const std::size_t mark = trail_.size();
  const std::uint32_t leaves_before = leaves_;
  const bool was_reachable = is_reachable_;
  open_frame();
  loops_.push_back({.kind = Loop::Kind::RunTime, .started = ++clock_, .mark = mark});
  translate_block(stmt.body);
  close_frame(&node->body);
  Loop loop = std::move(loops_.back());
  loops_.pop_back();
  forget_since(mark);
  if (known.has_value()) {
    // Left by `break` alone.
    continue_from(loop.exits);
  } else {
    is_reachable_ = was_reachable;
  }
  if (node->condition == nullptr) return;
  if (!known.has_value() && !loop.has_break && leaves_ == leaves_before &&
      depends_on_scalars_only(*node->condition) &&
      !reads_scalar_assigned_since(*node->condition, loop.started)) {
    diags_.report(stmt.test->span, kConditionNeverChanges);
  }
  emit(node);
}

}  // namespace tirxcc::sema
