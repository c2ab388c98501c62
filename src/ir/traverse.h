// SPDX-License-Identifier: Apache-2.0
//
// Walking the IR: which expressions, statement lists and variables a node has, written once over
// kFields, in evaluation order. The shape of a Tensor is not part of the nodes that use it.
//
//   for_each_child(expr, [&](const Expr& child) {...});
//   walk_exprs(kernel.body, [&](const Expr& e) {...});       // every expression, outer ones first
//   walk_stmts(kernel.body, [&](const Stmt& s) {...}, [&](const Stmt& s) {...});  // enter, leave
#pragma once

#include <tuple>
#include <type_traits>

#include "ir/ir.h"

namespace tirxcc::ir {

// Calls f with each field of the node, in the order of kFields.
template <typename T, typename F>
void for_each_field(const T& node, F&& f) {
  std::apply([&](auto... fields) { (f(node.*fields), ...); }, T::kFields);
}

namespace detail {

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

}  // namespace detail

// f(const Expr&) for each operand of an expression.
template <typename F>
void for_each_child(const Expr& expr, F&& f) {
  visit(expr, [&](const auto& node) { for_each_field(node, detail::ExprFields<F>{f}); });
}

// f(const Expr&) for each expression that belongs to the statement itself, not to its bodies.
template <typename F>
void for_each_operand(const Stmt& stmt, F&& f) {
  visit(stmt, [&](const auto& node) { for_each_field(node, detail::ExprFields<F>{f}); });
}

// f(StmtList) for each statement list in the statement (an empty else included).
template <typename F>
void for_each_body(const Stmt& stmt, F&& f) {
  visit(stmt, [&](const auto& node) { for_each_field(node, detail::BodyFields<F>{f}); });
}

// enter(const Stmt&) before and leave(const Stmt&) after the statements inside.
template <typename Enter, typename Leave>
void walk_stmts(StmtList list, Enter&& enter, Leave&& leave) {
  for (const Stmt* stmt : list) {
    enter(*stmt);
    for_each_body(*stmt, [&](StmtList body) { walk_stmts(body, enter, leave); });
    leave(*stmt);
  }
}
template <typename Enter>
void walk_stmts(StmtList list, Enter&& enter) {
  walk_stmts(list, enter, [](const Stmt&) {});
}

// f(const Expr&) for the expression and all below it, outer ones first.
template <typename F>
void walk_exprs(const Expr& expr, F&& f) {
  f(expr);
  for_each_child(expr, [&](const Expr& child) { walk_exprs(child, f); });
}
// The same for all expressions of a statement list and the lists inside.
template <typename F>
void walk_exprs(StmtList list, F&& f) {
  walk_stmts(list, [&](const Stmt& stmt) {
    for_each_operand(stmt, [&](const Expr& expr) { walk_exprs(expr, f); });
  });
}

// True if any expression below (itself included) satisfies the predicate; stops at the first.
template <typename F>
bool any_expr(const Expr& expr, F&& predicate) {
  if (predicate(expr)) return true;
  bool found = false;
  for_each_child(expr, [&](const Expr& child) { found = found || any_expr(child, predicate); });
  return found;
}

}  // namespace tirxcc::ir
