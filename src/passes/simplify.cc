// SPDX-License-Identifier: Apache-2.0
#include "passes/simplify.h"

#include <algorithm>
#include <vector>

#include "base/pointer_map.h"
#include "ir/rewriter.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
namespace {

using namespace ir;

bool is_jump(const Stmt& stmt) {
  return is<Break>(&stmt) || is<Continue>(&stmt) || is<Leave>(&stmt) || is<ThreadReturn>(&stmt) ||
         is<Return>(&stmt);
}

// Folds expressions, decides literal conditions, and drops what follows a jump.
class Folding : public Rewriter<Folding> {
 public:
  using Rewriter::on_expr;
  using Rewriter::on_stmt;
  using Rewriter::Rewriter;

  const Expr* on_expr(const Unary& node) {
    const Expr* a = rewrite(node.a);
    const Expr* folded = build().fold_unary(node.op, a, node.span);
    return keep(node, folded, as<Unary>(folded));
  }
  const Expr* on_expr(const Binary& node) {
    const Expr* a = rewrite(node.a);
    const Expr* b = rewrite(node.b);
    const Expr* folded = build().fold_binary(node.op, a, b, node.span);
    return keep(node, folded, as<Binary>(folded));
  }
  const Expr* on_expr(const Select& node) {
    const Expr* condition = rewrite(node.condition);
    if (const IntImm* literal = as_int(condition))
      return rewrite(literal->value != 0 ? node.a : node.b);
    return rebuild(node);
  }
  const Expr* on_expr(const Cast& node) {
    if (node.is_bits) return rebuild(node);
    const Expr* folded = build().fold_cast(node.dtype, rewrite(node.a), node.span);
    return keep(node, folded, as<Cast>(folded));
  }

  void on_stmt(const If& node) {
    std::vector<IfClause> clauses;
    StmtList else_body = node.else_body;
    for (const IfClause& clause : node.clauses) {
      const Expr* condition = rewrite(clause.condition);
      const IntImm* literal = as_int(condition);
      if (literal != nullptr && literal->value == 0) continue;
      if (literal != nullptr) {
        else_body = clause.body;
        break;
      }
      clauses.push_back({condition, rewrite(clause.body), clause.span});
    }
    else_body = rewrite(else_body);
    if (!clauses.empty())
      return emit(build().stmt<If>(node.span, arena().copy(clauses), else_body));
    // What is left was always taken; a scope keeps its declarations together.
    if (!else_body.empty()) emit(build().stmt<Block>(node.span, nullptr, else_body));
  }
  void on_stmt(const While& node) {
    const Expr* condition = rewrite(node.condition);
    if (is_int_value(condition, 0)) return;
    emit(rebuild(node));
  }
  void after(const Stmt& stmt) {
    if (is_jump(stmt)) end_list();
  }

 private:
  // The original node if folding only made it again.
  template <typename T>
  const Expr* keep(const T& node, const Expr* folded, const T* same_kind) {
    bool same =
        same_kind != nullptr &&
        std::apply([&](auto... fields) { return ((node.*fields == same_kind->*fields) && ...); },
                   T::kFields);
    return same ? &node : folded;
  }
};

// What a body uses, and which of its declarations nothing needs.
struct Uses {
  PointerMap<int> vars;
  PointerSet<> locals;
  PointerSet<> labels;
  PointerSet<> dead;
  bool has_rest = false;  // something that Cleaning drops, or has to look at more closely

  explicit Uses(StmtList body);
  void count(const Expr& root, int by);
  bool needs(const DeclareLocal& made) const {
    return locals.contains(made.local) || made.local->address_taken;
  }
};

// Whether Cleaning may change the statement, declarations apart.
bool may_be_rest(const Stmt& stmt) {
  if (const auto* branch = as<If>(&stmt)) {
    return std::any_of(branch->clauses.begin(), branch->clauses.end(),
                       [](const IfClause& clause) { return clause.body.empty(); });
  }
  if (const auto* call = as<Evaluate>(&stmt)) return has_no_effect(call->value);
  if (const auto* loop = as<For>(&stmt)) return loop->body.empty();
  if (const auto* loop = as<CountedFor>(&stmt)) return loop->body.empty();
  return is<Block>(&stmt);
}

void Uses::count(const Expr& root, int by) {
  walk_exprs(root, [&](const Expr& expr) {
    if (const auto* ref = as<VarRef>(&expr)) vars[ref->var] += by;
    if (const auto* read = as<LocalRead>(&expr)) locals.insert(read->local);
    if (const auto* lane = as<LaneRead>(&expr)) locals.insert(lane->vector);
  });
}

Uses::Uses(StmtList body) {
  std::vector<const Stmt*> declarations;
  declarations.reserve(32);
  walk_stmts(body, [&](const Stmt& stmt) {
    for_each_operand(stmt, [&](const Expr& expr) { count(expr, 1); });
    if (is<Let>(&stmt) || is<DeclareLocal>(&stmt)) declarations.push_back(&stmt);
    has_rest = has_rest || may_be_rest(stmt);
    if (const auto* leave = as<Leave>(&stmt)) labels.insert(leave->label);
    if (const auto* assign = as<Assign>(&stmt)) locals.insert(assign->local);
    if (const auto* lane = as<LaneStore>(&stmt)) locals.insert(lane->vector);
    if (const auto* store = as<VectorStore>(&stmt)) locals.insert(store->vector);
  });
  // A value stands before its uses, so from the last to the first all uses have been seen.
  for (std::size_t i = declarations.size(); i-- > 0;) {
    const auto* let = as<Let>(declarations[i]);
    if (let == nullptr) {
      has_rest = has_rest || !needs(*as<DeclareLocal>(declarations[i]));
    } else if (vars[let->var] == 0 && has_no_effect(let->value)) {
      dead.insert(let->var);
      count(*let->value, -1);
      has_rest = true;
    }
  }
}

bool declares(StmtList list) {
  for (const Stmt* stmt : list) {
    if (is<Let>(stmt) || is<DeclareLocal>(stmt) || is<Alloc>(stmt)) return true;
  }
  return false;
}

class Cleaning : public Rewriter<Cleaning> {
 public:
  Cleaning(Arena& arena, const Uses& uses) : Rewriter(arena), uses_(uses) {}
  using Rewriter::on_stmt;

  bool changed() const { return changed_; }

  void on_stmt(const Let& node) { emit_unless(uses_.dead.contains(node.var), node); }
  void on_stmt(const DeclareLocal& node) { emit_unless(!uses_.needs(node), node); }
  void on_stmt(const Evaluate& node) { emit_unless(has_no_effect(node.value), node); }
  void on_stmt(const For& node) {
    const For* loop = rebuild(node);
    emit_unless(loop->body.empty() && has_no_effect(loop->begin) && has_no_effect(loop->end),
                *loop);
  }
  void on_stmt(const CountedFor& node) {
    const CountedFor* loop = rebuild(node);
    bool pure = has_no_effect(loop->start) && has_no_effect(loop->turns);
    emit_unless(loop->body.empty() && pure, *loop);
  }
  void on_stmt(const If& node) {
    const If* branch = rebuild(node);
    auto clauses = branch->clauses;
    while (branch->else_body.empty() && !clauses.empty() && clauses.back().body.empty() &&
           has_no_effect(clauses.back().condition)) {
      clauses = clauses.first(clauses.size() - 1);
    }
    if (clauses.empty()) return drop();
    const bool has_only_else = clauses.size() == 1 && clauses[0].body.empty();
    if (has_only_else && !branch->else_body.empty()) {
      const Expr* opposite =
          build().fold_unary(UnaryOp::Not, clauses[0].condition, clauses[0].condition->span);
      IfClause clause{opposite, branch->else_body, clauses[0].span};
      changed_ = true;
      return emit(build().stmt<If>(node.span, arena().copy({clause}), StmtList{}));
    }
    if (clauses.size() == branch->clauses.size()) return emit(branch);
    changed_ = true;
    emit(build().stmt<If>(node.span, clauses, StmtList{}));
  }
  void on_stmt(const Block& node) {
    StmtList body = rewrite(node.body);
    const auto* last = body.empty() ? nullptr : as<Leave>(body.back());
    if (last != nullptr && last->label == node.label) {  // a jump to the next statement
      body = body.first(body.size() - 1);
      changed_ = true;
    }
    if (body.empty() && !uses_.labels.contains(node.label)) return drop();
    const Label* label = uses_.labels.contains(node.label) ? node.label : nullptr;
    if (label == nullptr && !declares(body)) {
      changed_ = true;
      for (const Stmt* stmt : body)
        emit(stmt);
      return;
    }
    bool same =
        label == node.label && body.data() == node.body.data() && body.size() == node.body.size();
    changed_ = changed_ || !same;
    emit(same ? &node : build().stmt<Block>(node.span, label, body));
  }

 private:
  void drop() { changed_ = true; }
  void emit_unless(bool drop_it, const Stmt& node) {
    if (drop_it) return drop();
    emit(&node);
  }

  const Uses& uses_;
  bool changed_ = false;
};

}  // namespace

const ir::Kernel& simplify(const ir::Kernel& kernel, PassContext& context) {
  StmtList body = Folding(context.arena).rewrite(kernel.body);
  if (context.options.debug) return with_body(context.arena, kernel, body);
  // Dropping a statement may leave others unused; each round removes at least one.
  for (bool changed = true; changed;) {
    Uses uses(body);
    if (!uses.has_rest) break;
    Cleaning cleaning(context.arena, uses);
    body = cleaning.rewrite(body);
    changed = cleaning.changed();
  }
  return with_body(context.arena, kernel, body);
}

}  // namespace tirxcc::passes
