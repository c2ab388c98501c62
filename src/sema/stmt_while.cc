// SPDX-License-Identifier: Apache-2.0
//
// `while`. A condition known to be false drops the loop; one that nothing in the body can change
// is told, because such a loop ends at once or never, and so is `while True` that nothing leaves.
#include <unordered_set>

#include "intrinsics/intrinsics.h"
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
constexpr Diagnostic kNeverEnds{"loop-never-ends", Severity::Warning, ErrorClass::Value,
                                "this loop never ends: no 'break' leaves it"};

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

bool ends_thread(const ir::Expr& expr) {
  const auto* call = ir::as<ir::Call>(&expr);
  if (call == nullptr) return false;
  const std::string_view name = call->callee->name;
  return name.find("trap") != name.npos || name.find("assert") != name.npos;
}

// Whether something besides `break` may end the loop: an end of the thread, or a jump further out.
bool may_leave(ir::StmtList body) {
  std::unordered_set<const ir::Label*> inside;
  bool found = false;
  ir::walk_stmts(body, [&](const ir::Stmt& stmt) {
    if (const auto* block = ir::as<ir::Block>(&stmt)) inside.insert(block->label);
    if (const auto* leave = ir::as<ir::Leave>(&stmt)) found |= !inside.contains(leave->label);
    found |=
        ir::is<ir::ThreadReturn>(&stmt) || ir::is<ir::Return>(&stmt) || ir::is<ir::Assert>(&stmt);
    const auto* evaluate = ir::as<ir::Evaluate>(&stmt);
    found |= evaluate != nullptr && ends_thread(*evaluate->value);
  });
  return found;
}

}  // namespace

void FunctionSema::warn_if_endless(const syntax::While& stmt, const ir::While& node,
                                   const Loop& loop, bool is_known) {
  if (loop.has_break) return;
  if (is_known) {
    // What would leave it may be what was wrong.
    if (may_leave(node.body) || diags_.has_errors()) return;
    diags_.report(cover(stmt.keyword_span, stmt.test->span), kNeverEnds)
        .note("a condition after 'while', 'break' or 'T.gpu_thread_return()' ends it");
  } else if (depends_on_scalars_only(*node.condition) &&
             !reads_scalar_assigned_since(*node.condition, loop.started) && !may_leave(node.body)) {
    diags_.report(stmt.test->span, kConditionNeverChanges);
  }
}

void FunctionSema::translate(const syntax::While& stmt) {
  if (!stmt.orelse.empty()) diags_.report(stmt.else_span, kElseOnLoop);
  const Value value = eval_lazy(*stmt.test, true);
  const std::optional<bool> known = expr_.known_truth(value);
  if (known.has_value() && !*known) return;

  auto* node = make_stmt<ir::While>(stmt.span);
  node->condition = known.has_value() ? context_.build.bool_imm(true, stmt.test->span)
                                      : expr_.condition(value, stmt.test->span);
  const std::size_t mark = trail_.size();
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
  warn_if_endless(stmt, *node, loop, known.has_value());
  emit(node);
}

}  // namespace tirxcc::sema
