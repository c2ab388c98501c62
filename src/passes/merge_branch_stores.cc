// SPDX-License-Identifier: Apache-2.0
//
// See merge_branch_stores.h. Branches are rewritten before the `if` that holds them, so nested
// choices merge from the inside.
#include "passes/merge_branch_stores.h"

#include <algorithm>

#include "ir/builder.h"
#include "ir/rewriter.h"
#include "passes/cpu_facts.h"

namespace tirxcc::passes {
namespace {

// The choice is a nested expression: a chain of thousands of branches stays a chain of statements.
constexpr std::size_t kMostClauses = 16;

const ir::Store* only_store(ir::StmtList body) {
  return body.size() == 1 ? ir::as<ir::Store>(body[0]) : nullptr;
}

bool is_same_element(const ir::Store& a, const ir::Store& b) {
  return a.tensor == b.tensor && a.is_flat == b.is_flat &&
         std::equal(a.indices.begin(), a.indices.end(), b.indices.begin(), b.indices.end(),
                    [](const ir::Expr* x, const ir::Expr* y) { return ir::equal(x, y); });
}

class MergeBranchStores : public ir::Rewriter<MergeBranchStores> {
 public:
  using Rewriter::on_expr;
  using Rewriter::on_stmt;
  explicit MergeBranchStores(PassContext& context)
      : Rewriter(context.arena), facts_(context.facts) {}

  void on_stmt(const ir::If& stmt) {
    const ir::If* rebuilt = rebuild(stmt);
    const ir::Store* merged = merge(*rebuilt);
    if (merged != nullptr && facts_ != nullptr) facts_->merged.push_back(stmt.span);
    emit(merged != nullptr ? static_cast<const ir::Stmt*>(merged) : rebuilt);
  }

 private:
  // The one store that does what the statement does; null if there is none.
  const ir::Store* merge(const ir::If& stmt) {
    const ir::Store* last = only_store(stmt.else_body);
    if (last == nullptr || stmt.clauses.size() > kMostClauses) return nullptr;
    // The indices move above the conditions: nothing may happen there that could change them.
    if (!std::all_of(last->indices.begin(), last->indices.end(), ir::has_no_effect)) return nullptr;
    for (const ir::IfClause& clause : stmt.clauses) {
      const ir::Store* store = only_store(clause.body);
      if (store == nullptr || !is_same_element(*store, *last)) return nullptr;
      if (!ir::has_no_effect(clause.condition)) return nullptr;
    }
    const ir::Expr* value = last->value;
    for (std::size_t i = stmt.clauses.size(); i-- > 0;) {
      const ir::Store* store = only_store(stmt.clauses[i].body);
      value = build().make_select(stmt.clauses[i].condition, store->value, value, stmt.span);
    }
    ir::Store merged = *last;
    merged.span = stmt.span;
    merged.value = value;
    return arena().make<ir::Store>(merged);
  }

  CpuFacts* facts_;
};

}  // namespace

const ir::Kernel& merge_branch_stores(const ir::Kernel& kernel, PassContext& context) {
  const ir::StmtList body = MergeBranchStores(context).rewrite(kernel.body);
  return ir::with_body(context.arena, kernel, body);
}

}  // namespace tirxcc::passes
