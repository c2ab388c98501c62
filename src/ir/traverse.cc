// SPDX-License-Identifier: Apache-2.0
//
// The walks of traverse.h, written once over kFields.
#include "ir/traverse.h"

namespace tirxcc::ir {
namespace {

// What to do with one field when expressions are wanted.
template <typename F>
struct ExprFields {
  F& f;
  void operator()(const Expr* child) const {
    if (child != nullptr) f(*child);
  }
  void operator()(ExprList list) const {
    for (const Expr* child : list)
      f(*child);
  }
  void operator()(std::span<const IfClause> clauses) const {
    for (const IfClause& clause : clauses)
      f(*clause.condition);
  }
  template <typename T>
  void operator()(const T&) const {}
};

template <typename F>
struct BodyFields {
  F& f;
  void operator()(StmtList body) const { f(body); }
  void operator()(std::span<const IfClause> clauses) const {
    for (const IfClause& clause : clauses)
      f(clause.body);
  }
  template <typename T>
  void operator()(const T&) const {}
};

// The functions below call these instead of each other, so that only the caller's function is
// called by address.
template <typename Node, typename F>
void visit_exprs(const Node& node, F&& f) {
  visit(node, [&](const auto& known) { for_each_field(known, ExprFields<F>{f}); });
}
template <typename F>
void visit_bodies(const Stmt& stmt, F&& f) {
  visit(stmt, [&](const auto& known) { for_each_field(known, BodyFields<F>{f}); });
}

}  // namespace

void for_each_child(const Expr& expr, ExprVisitor f) {
  visit_exprs(expr, f);
}

void for_each_operand(const Stmt& stmt, ExprVisitor f) {
  visit_exprs(stmt, f);
}

void for_each_body(const Stmt& stmt, FunctionRef<void(StmtList)> f) {
  visit_bodies(stmt, f);
}

void walk_stmts(StmtList list, StmtVisitor enter, StmtVisitor leave) {
  for (const Stmt* stmt : list) {
    enter(*stmt);
    visit_bodies(*stmt, [&](StmtList body) { walk_stmts(body, enter, leave); });
    leave(*stmt);
  }
}

void walk_stmts(StmtList list, StmtVisitor enter) {
  for (const Stmt* stmt : list) {
    enter(*stmt);
    visit_bodies(*stmt, [&](StmtList body) { walk_stmts(body, enter); });
  }
}

// Half of all that walks do: one function with the switch in it, not two that call each other.
[[gnu::flatten]] void walk_exprs(const Expr& expr, ExprVisitor f) {
  f(expr);
  visit_exprs(expr, [&](const Expr& child) { walk_exprs(child, f); });
}

void walk_exprs(StmtList list, ExprVisitor f) {
  for (const Stmt* stmt : list) {
    visit_exprs(*stmt, [&](const Expr& expr) { walk_exprs(expr, f); });
    visit_bodies(*stmt, [&](StmtList body) { walk_exprs(body, f); });
  }
}

bool any_expr(const Expr& expr, FunctionRef<bool(const Expr&)> predicate) {
  if (predicate(expr)) return true;
  bool found = false;
  visit_exprs(expr, [&](const Expr& child) { found = found || any_expr(child, predicate); });
  return found;
}

}  // namespace tirxcc::ir
