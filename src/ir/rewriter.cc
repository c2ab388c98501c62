// SPDX-License-Identifier: Apache-2.0
#include "ir/rewriter.h"

namespace tirxcc::ir {
namespace {

class Substitution : public Rewriter<Substitution> {
 public:
  Substitution(Arena& arena, const VarMap& values) : Rewriter(arena), values_(values) {}
  using Rewriter::on_expr;

  const Expr* on_expr(const VarRef& ref) {
    auto found = values_.find(ref.var);
    return found == values_.end() ? &ref : found->second;
  }
  const Expr* on_expr(const Unary& node) {
    const Expr* a = rewrite(node.a);
    return a == node.a ? &node : build().fold_unary(node.op, a, node.span);
  }
  const Expr* on_expr(const Binary& node) {
    const Expr* a = rewrite(node.a);
    const Expr* b = rewrite(node.b);
    if (a == node.a && b == node.b) return &node;
    return build().fold_binary(node.op, a, b, node.span);
  }
  const Expr* on_expr(const Select& node) {
    const Expr* condition = rewrite(node.condition);
    const Expr* a = rewrite(node.a);
    const Expr* b = rewrite(node.b);
    if (condition == node.condition && a == node.a && b == node.b) return &node;
    return build().fold_select(condition, a, b, node.span);
  }
  const Expr* on_expr(const Cast& node) {
    const Expr* a = rewrite(node.a);
    if (a == node.a) return &node;
    if (node.is_bits) return build().make_cast(node.dtype, a, node.span, true);
    return build().fold_cast(node.dtype, a, node.span);
  }

 private:
  const VarMap& values_;
};

}  // namespace

const Expr* substitute(Arena& arena, const Expr* expr, const VarMap& values) {
  return Substitution(arena, values).rewrite(expr);
}

StmtList substitute(Arena& arena, StmtList list, const VarMap& values) {
  return Substitution(arena, values).rewrite(list);
}

const Kernel& with_body(Arena& arena, const Kernel& kernel, StmtList body) {
  if (body.data() == kernel.body.data() && body.size() == kernel.body.size()) return kernel;
  Kernel copy = kernel;
  copy.body = body;
  return *arena.make<Kernel>(copy);
}

}  // namespace tirxcc::ir
