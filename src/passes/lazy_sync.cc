// SPDX-License-Identifier: Apache-2.0
//
// See lazy_sync.h. An expression is rewritten from left to right, and what is taken out of it goes
// before its statement; only a condition that an earlier clause may skip, and that of a loop, get a
// place of their own first.
#include "passes/lazy_sync.h"

#include <string>

#include "ir/rewriter.h"
#include "ir/traverse.h"
#include "passes/fission_plan.h"

namespace tirxcc::passes {
namespace {

using ir::BinaryOp;
using ir::Expr;
using ir::Stmt;

bool is_lazy(const Expr& expr) {
  if (const auto* select = ir::as<ir::Select>(&expr)) {
    return FissionPlan::has_sync(*select->a) || FissionPlan::has_sync(*select->b);
  }
  const auto* binary = ir::as<ir::Binary>(&expr);
  return binary != nullptr && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or) &&
         FissionPlan::has_sync(*binary->b);
}

bool has_lazy(const Expr* expr) {
  return ir::any_expr(*expr, [](const ir::Expr& inner) { return is_lazy(inner); });
}

class EagerSync : public ir::Rewriter<EagerSync> {
 public:
  using Rewriter::on_expr;
  using Rewriter::on_stmt;
  using Rewriter::Rewriter;

  const Expr* on_expr(const ir::Binary& node) {
    if (!is_lazy(node)) return rebuild(node);
    const ir::Local* result = declare(node.dtype, node.span);
    emit(assign(result, rewrite(node.a)));
    const Expr* goes_on = build().local(result, node.span);
    if (node.op == BinaryOp::Or) goes_on = build().fold_unary(ir::UnaryOp::Not, goes_on, node.span);
    emit(branch(goes_on, assigned(result, node.b), {}));
    return build().local(result, node.span);
  }

  const Expr* on_expr(const ir::Select& node) {
    if (!is_lazy(node)) return rebuild(node);
    const ir::Local* result = declare(node.dtype, node.span);
    const Expr* condition = rewrite(node.condition);
    const ir::StmtList yes = assigned(result, node.a);
    emit(branch(condition, yes, assigned(result, node.b)));
    return build().local(result, node.span);
  }

  void on_stmt(const ir::If& node) {
    for (std::size_t i = 1; i < node.clauses.size(); ++i) {
      if (!has_lazy(node.clauses[i].condition)) continue;
      // From here on the clauses are an if of their own, where the ones before lead.
      const Stmt* rest[] = {
          build().stmt<ir::If>(node.clauses[i].span, node.clauses.subspan(i), node.else_body)};
      const auto* split =
          build().stmt<ir::If>(node.span, node.clauses.first(i), arena().copy(ir::StmtList(rest)));
      return emit(rebuild(*ir::as<ir::If>(split)));
    }
    emit(rebuild(node));
  }

  void on_stmt(const ir::While& node) {
    if (!has_lazy(node.condition)) return emit(rebuild(node));
    const ir::Span span = node.condition->span;
    const Stmt* stop[] = {build().stmt<ir::Break>(span)};
    const Expr* refuses = build().fold_unary(ir::UnaryOp::Not, node.condition, span);
    std::vector<const Stmt*> body = {branch(refuses, arena().copy(ir::StmtList(stop)), {})};
    body.insert(body.end(), node.body.begin(), node.body.end());
    ir::While loop = node;
    loop.condition = build().bool_imm(true, span);
    loop.body = rewrite(arena().copy(body));
    emit(arena().make<ir::While>(loop));
  }

 private:
  const ir::Local* declare(DType type, ir::Span span) {
    const std::string name = "lazy_" + std::to_string(names_++);
    const auto* local = arena().make<ir::Local>(arena().copy_string(name), type, span);
    emit(build().stmt<ir::DeclareLocal>(span, local));
    return local;
  }
  const Stmt* assign(const ir::Local* local, const Expr* value) {
    return build().stmt<ir::Assign>(value->span, local, value);
  }
  // The assignment, with what is taken out of the value before it.
  ir::StmtList assigned(const ir::Local* local, const Expr* value) {
    const Stmt* one[] = {assign(local, value)};
    return rewrite(arena().copy(ir::StmtList(one)));
  }
  const Stmt* branch(const Expr* condition, ir::StmtList yes, ir::StmtList no) {
    const ir::IfClause clause{condition, yes, condition->span};
    return build().stmt<ir::If>(condition->span, arena().copy({clause}), no);
  }

  int names_ = 0;
};

}  // namespace

const ir::Kernel& with_eager_sync(const ir::Kernel& kernel, PassContext& context) {
  bool any = false;
  ir::walk_stmts(kernel.body, [&](const Stmt& stmt) {
    ir::for_each_operand(stmt, [&](const Expr& expr) { any = any || has_lazy(&expr); });
  });
  if (!any) return kernel;
  return ir::with_body(context.arena, kernel, EagerSync(context.arena).rewrite(kernel.body));
}

}  // namespace tirxcc::passes
