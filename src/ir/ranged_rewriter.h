// SPDX-License-Identifier: Apache-2.0
//
// A Rewriter that knows which conditions hold where it is: ranges() answers with them. A pass that
// defines on_expr(const Binary&) itself calls rebuild_binary() for the operands, so that the right
// side of `and` is still seen under the left one.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "ir/ranges.h"
#include "ir/rewriter.h"

namespace tirxcc::ir {

template <typename Derived>
class RangedRewriter : public Rewriter<Derived> {
  using Base = Rewriter<Derived>;

 public:
  // A pass that knows it will not ask for ranges here (`asks` false) does not pay for them.
  RangedRewriter(Arena& arena, const Kernel& kernel, bool grid_fits, bool asks = true)
      : Base(arena) {
    if (asks) ranges_.emplace(kernel, grid_fits);
  }

  using Base::on_expr;
  using Base::on_stmt;
  using Base::rewrite;

  void enter_list() { marks_.push_back(mark()); }
  void after(const Stmt& stmt) {
    if (ranges_) ranges_->assume_after(stmt);
  }
  void leave_list() {
    forget(marks_.back());
    marks_.pop_back();
  }

  const Expr* on_expr(const Binary& node) { return rebuild_binary(node); }
  const Expr* on_expr(const Select& node) {
    Select copy = node;
    copy.condition = rewrite(node.condition);
    copy.a = under(node.condition, true, node.a);
    copy.b = under(node.condition, false, node.b);
    bool same = copy.condition == node.condition && copy.a == node.a && copy.b == node.b;
    return same ? &node : this->arena().template make<Select>(copy);
  }
  void on_stmt(const If& node) {
    std::size_t outer = mark();
    std::vector<IfClause> clauses(node.clauses.begin(), node.clauses.end());
    bool same = true;
    for (IfClause& clause : clauses) {
      const IfClause old = clause;
      clause.condition = rewrite(old.condition);
      std::size_t inside = mark();
      assume(old.condition, true);
      clause.body = rewrite(old.body);
      forget(inside);
      assume(old.condition, false);
      same = same && clause.condition == old.condition && is_same(clause.body, old.body);
    }
    StmtList else_body = rewrite(node.else_body);
    forget(outer);
    if (same && is_same(else_body, node.else_body)) return this->emit(&node);
    this->emit(this->build().template stmt<If>(node.span, this->arena().copy(clauses), else_body));
  }
  void on_stmt(const While& node) {
    const Expr* condition = rewrite(node.condition);
    std::size_t outer = mark();
    assume(node.condition, true);
    StmtList body = rewrite(node.body);
    forget(outer);
    if (condition == node.condition && is_same(body, node.body)) return this->emit(&node);
    this->emit(this->build().template stmt<While>(node.span, condition, body));
  }

 protected:
  const RangeAnalysis& ranges() const {
    TIRXCC_CHECK(ranges_.has_value(), "a pass asks for ranges after all");
    return *ranges_;
  }

  const Binary* rebuild_binary(const Binary& node) {
    if (!is_logical(node.op)) return this->rebuild(node);
    Binary copy = node;
    copy.a = rewrite(node.a);
    copy.b = under(node.a, node.op == BinaryOp::And, node.b);
    bool same = copy.a == node.a && copy.b == node.b;
    return same ? &node : this->arena().template make<Binary>(copy);
  }

 private:
  std::size_t mark() const { return ranges_ ? ranges_->mark() : 0; }
  void assume(const Expr* condition, bool holds) {
    if (ranges_) ranges_->assume(condition, holds);
  }
  void forget(std::size_t mark) {
    if (ranges_) ranges_->forget(mark);
  }
  static bool is_same(StmtList a, StmtList b) {
    return a.data() == b.data() && a.size() == b.size();
  }
  const Expr* under(const Expr* condition, bool holds, const Expr* expr) {
    std::size_t outer = mark();
    assume(condition, holds);
    const Expr* result = rewrite(expr);
    forget(outer);
    return result;
  }

  std::optional<RangeAnalysis> ranges_;
  std::vector<std::size_t> marks_;
};

}  // namespace tirxcc::ir
