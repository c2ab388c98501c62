// SPDX-License-Identifier: Apache-2.0
//
// `if` / `elif` / `else`. A condition that is known while compiling keeps one side, and the other
// is not even looked at; an elif chain stays one flat ir::If.
//
//   if DEBUG:        (DEBUG = False)
//       ...
//   elif x > 0:      ->   if x > 0:
//       a()                   a()
//   elif True:            else:
//       b()                   b()
#include <new>

#include "sema/function_sema.h"

namespace tirxcc::sema {

// One branch; the paths that reach its end join `after`.
void FunctionSema::translate_branch(syntax::Stmts body, ir::StmtList* destination, Flow& after) {
  const std::size_t mark = trail_.size();
  const bool was_reachable = is_reachable_;
  open_frame();
  translate_block(body);
  close_frame(destination);
  join_into(after, mark);
  forget_since(mark);
  is_reachable_ = was_reachable;
}

void FunctionSema::translate(const syntax::If& stmt) {
  auto* clauses = static_cast<ir::IfClause*>(nullptr);
  std::size_t count = 0;
  ir::If* node = nullptr;
  Flow after;
  syntax::Stmts last = stmt.orelse;
  for (const syntax::IfClause& clause : stmt.clauses) {
    const Value value = eval_lazy(*clause.condition, count > 0);
    const std::optional<bool> known = expr_.known_truth(value);
    if (known.has_value() && !*known) continue;
    if (known.has_value()) {
      last = clause.body;
      break;
    }
    if (node == nullptr) {
      node = make_stmt<ir::If>(stmt.span);
      const std::size_t size = stmt.clauses.size() * sizeof(ir::IfClause);
      clauses = static_cast<ir::IfClause*>(module_.arena.allocate(size, alignof(ir::IfClause)));
    }
    // After a wrong condition its branch is still looked at, for its own mistakes.
    const Expr* condition = expr_.condition(value, clause.condition->span);
    auto* made = new (&clauses[count++]) ir::IfClause{condition, {}, clause.condition->span};
    translate_branch(clause.body, &made->body, after);
  }
  if (node == nullptr) {
    translate_block(last);
    return;
  }
  translate_branch(last, &node->else_body, after);
  node->clauses = {clauses, count};
  continue_from(after);

  bool is_needed = !node->else_body.empty();
  for (const ir::IfClause& clause : node->clauses) {
    if (clause.condition == nullptr) return;
    is_needed = is_needed || !clause.body.empty() || !ir::has_no_effect(clause.condition);
  }
  if (is_needed) emit(node);
}

}  // namespace tirxcc::sema
