// SPDX-License-Identifier: Apache-2.0
//
// See split_locals.h. Statements are numbered in their order; a scalar is another one up to the end
// of the list that gives it the new value, which must be the last to mention it. In loops, where
// what comes next may stand before, nothing is done.
#include "passes/split_locals.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "intrinsics/intrinsics.h"
#include "ir/rewriter.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
namespace {

using ir::Expr;
using ir::Local;
using ir::Stmt;
using ir::StmtList;

class SplitLocals : public ir::Rewriter<SplitLocals> {
 public:
  using Rewriter::map;
  using Rewriter::on_stmt;
  SplitLocals(Arena& arena, StmtList body) : Rewriter(arena) {
    int number = 0;
    ir::walk_stmts(
        body,
        [&](const Stmt& stmt) {
          ++number;
          note_uses(stmt, number);
        },
        [&](const Stmt& stmt) { ends_[&stmt] = number; });
    list_ends_.push_back(number);
  }

  const Local* map(const Local* local) {
    const auto found = now_.find(local);
    return found == now_.end() ? local : found->second;
  }
  void on_stmt(const ir::Assign& assign) {
    const Local* local = assign.local;
    const bool is_first = assigned_.insert(local).second;
    const bool reads_old = ir::any_expr(*assign.value, [&](const Expr& e) {
      const auto* read = ir::as<ir::LocalRead>(&e);
      return read != nullptr && read->local == local;
    });
    if (is_first || reads_old || loops_ > 0 || local->address_taken || !local->dtype.is_scalar() ||
        last_uses_.at(local) > list_ends_.back()) {
      return emit(rebuild(assign));
    }
    const Expr* value = rewrite(assign.value);
    const auto* made = arena().make<Local>(*local);
    undo_.emplace_back(local, map(local));
    now_[local] = made;
    emit(build().stmt<ir::DeclareLocal>(assign.span, made));
    emit(build().stmt<ir::Assign>(assign.span, made, value));
  }
  void on_stmt(const ir::If& branch) {
    ir::If made = branch;
    std::vector<ir::IfClause> clauses;
    for (const ir::IfClause& clause : branch.clauses)
      clauses.push_back({rewrite(clause.condition), inner(clause.body), clause.span});
    made.else_body = inner(branch.else_body);
    made.clauses = arena().copy(clauses);
    emit(arena().make<ir::If>(made));
  }
  void on_stmt(const ir::Block& block) {
    ir::Block made = block;
    made.body = inner(block.body);
    emit(arena().make<ir::Block>(made));
  }
  void on_stmt(const ir::For& loop) { keep(loop); }
  void on_stmt(const ir::CountedFor& loop) { keep(loop); }
  void on_stmt(const ir::While& loop) { keep(loop); }

 private:
  void note_uses(const Stmt& stmt, int number) {
    if (const auto* declare = ir::as<ir::DeclareLocal>(&stmt)) last_uses_[declare->local] = number;
    if (const auto* assign = ir::as<ir::Assign>(&stmt)) last_uses_[assign->local] = number;
    ir::for_each_operand(stmt, [&](const Expr& expr) {
      ir::walk_exprs(expr, [&](const Expr& e) {
        if (const auto* read = ir::as<ir::LocalRead>(&e)) last_uses_[read->local] = number;
      });
    });
  }

  // A list of its own, behind which the scalars are what they were.
  StmtList inner(StmtList list) {
    if (list.empty()) return list;
    list_ends_.push_back(ends_.at(list.back()));
    const std::size_t before = undo_.size();
    const StmtList made = rewrite(list);
    for (; undo_.size() > before; undo_.pop_back())
      now_[undo_.back().first] = undo_.back().second;
    list_ends_.pop_back();
    return made;
  }
  template <typename Loop>
  void keep(const Loop& loop) {
    ++loops_;
    emit(rebuild(loop));
    --loops_;
  }

  std::unordered_map<const Stmt*, int> ends_;  // number of the last statement inside
  std::unordered_map<const Local*, int> last_uses_;
  std::vector<int> list_ends_;
  std::unordered_set<const Local*> assigned_;
  std::unordered_map<const Local*, const Local*> now_;
  std::vector<std::pair<const Local*, const Local*>> undo_;
  int loops_ = 0;
};

bool brings_together(StmtList body) {
  bool found = false;
  ir::walk_exprs(body, [&](const Expr& expr) {
    const auto* call = ir::as<ir::Call>(&expr);
    found |= call != nullptr && call->callee->convergence != intrinsics::Convergence::Thread;
  });
  return found;
}

}  // namespace

const ir::Kernel& split_locals(const ir::Kernel& kernel, PassContext& context) {
  if (kernel.kind != ir::KernelKind::Device || !brings_together(kernel.body)) return kernel;
  return ir::with_body(context.arena, kernel,
                       SplitLocals(context.arena, kernel.body).rewrite(kernel.body));
}

}  // namespace tirxcc::passes
