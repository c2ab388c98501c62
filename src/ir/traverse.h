// SPDX-License-Identifier: Apache-2.0
//
// Walking the IR: which expressions, statement lists and variables a node has, in evaluation order.
// The shape of a Tensor is not part of the nodes that use it.
//
//   for_each_child(expr, [&](const Expr& child) {...});
//   walk_exprs(kernel.body, [&](const Expr& e) {...});       // every expression, outer ones first
//   walk_stmts(kernel.body, [&](const Stmt& s) {...}, [&](const Stmt& s) {...});  // enter, leave
//
// They are functions, not templates: nearly every pass walks, and code that all of them run is in
// the processor's cache when the next one comes.
#pragma once

#include "base/function_ref.h"
#include "ir/ir.h"

namespace tirxcc::ir {

// Calls f with each field of the node, in the order of kFields.
template <typename T, typename F>
void for_each_field(const T& node, F&& f) {
  std::apply([&](auto... fields) { (f(node.*fields), ...); }, T::kFields);
}

using ExprVisitor = FunctionRef<void(const Expr&)>;
using StmtVisitor = FunctionRef<void(const Stmt&)>;

// f for each operand of an expression.
void for_each_child(const Expr& expr, ExprVisitor f);
// f for each expression that belongs to the statement itself, not to its bodies.
void for_each_operand(const Stmt& stmt, ExprVisitor f);
// f for each statement list in the statement (an empty else included).
void for_each_body(const Stmt& stmt, FunctionRef<void(StmtList)> f);

// enter before and leave after the statements inside.
void walk_stmts(StmtList list, StmtVisitor enter, StmtVisitor leave);
void walk_stmts(StmtList list, StmtVisitor enter);

// f for the expression and all below it, outer ones first.
void walk_exprs(const Expr& expr, ExprVisitor f);
// The same for all expressions of a statement list and the lists inside.
void walk_exprs(StmtList list, ExprVisitor f);

// True if any expression below (itself included) satisfies the predicate; stops at the first.
bool any_expr(const Expr& expr, FunctionRef<bool(const Expr&)> predicate);

}  // namespace tirxcc::ir
