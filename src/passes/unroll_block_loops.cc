// SPDX-License-Identifier: Apache-2.0
//
// See unroll_block_loops.h. Each list is walked with the mutable scalars whose values are known; a
// loop is tried turn by turn, and kept as it is if one turn cannot be told or they are too many.
#include "passes/unroll_block_loops.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/rewriter.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
namespace {

using ir::Expr;
using ir::Stmt;
using ir::StmtList;

constexpr int kMostTurns = 12;
// Expressions and statements of all turns together.
constexpr int kMostNodes = 600;

using Known = std::unordered_map<const ir::Local*, std::int64_t>;

bool brings_together(StmtList body) {
  bool found = false;
  ir::walk_exprs(body, [&](const Expr& expr) {
    const auto* call = ir::as<ir::Call>(&expr);
    found |= call != nullptr && call->callee->convergence != intrinsics::Convergence::Thread;
  });
  return found;
}

int count_nodes(StmtList body) {
  int nodes = 0;
  ir::walk_stmts(body, [&](const Stmt&) { ++nodes; });
  ir::walk_exprs(body, [&](const Expr&) { ++nodes; });
  return nodes;
}

// Whether the statement is a loop of the block, which would have to be written out as well.
bool has_block_loop(const Stmt& stmt) {
  if (const auto* loop = ir::as<ir::While>(&stmt)) return brings_together(loop->body);
  if (const auto* loop = ir::as<ir::For>(&stmt)) return brings_together(loop->body);
  const auto* counted = ir::as<ir::CountedFor>(&stmt);
  return counted != nullptr && brings_together(counted->body);
}

// Statements that a copy could not have twice, or whose turns are not told by the condition alone.
bool can_copy(StmtList body) {
  bool can = true;
  ir::walk_stmts(body, [&](const Stmt& stmt) {
    can = can && !ir::is<ir::Alloc>(&stmt) && !ir::is<ir::Break>(&stmt) &&
          !ir::is<ir::Continue>(&stmt) && !ir::is<ir::Leave>(&stmt) &&
          !ir::is<ir::ThreadReturn>(&stmt) && !ir::is<ir::Block>(&stmt) && !has_block_loop(stmt);
  });
  return can;
}

// A copy of statements with names of its own and with known scalars as literals.
class Copy : public ir::Rewriter<Copy> {
 public:
  using Rewriter::map;
  using Rewriter::on_expr;
  using Rewriter::on_stmt;
  Copy(Arena& arena, StmtList body, const Known& known) : Rewriter(arena), known_(known) {
    ir::walk_stmts(body, [&](const Stmt& stmt) {
      if (const auto* let = ir::as<ir::Let>(&stmt)) rename(let->var);
      if (const auto* loop = ir::as<ir::For>(&stmt)) rename(loop->var);
      if (const auto* counted = ir::as<ir::CountedFor>(&stmt)) rename(counted->var);
      const auto* declare = ir::as<ir::DeclareLocal>(&stmt);
      if (declare != nullptr) locals_[declare->local] = arena.make<ir::Local>(*declare->local);
    });
  }

  void fix(const ir::Var* var, std::int64_t value) { fixed_[var] = value; }
  const Expr* value_of(const Expr* expr) { return rewrite(expr); }

  const ir::Var* map(const ir::Var* var) {
    const auto found = vars_.find(var);
    return found == vars_.end() ? var : found->second;
  }
  const ir::Local* map(const ir::Local* local) {
    const auto found = locals_.find(local);
    return found == locals_.end() ? local : found->second;
  }
  const Expr* on_expr(const ir::LocalRead& read) {
    const auto found = known_.find(read.local);
    if (found == known_.end()) return rebuild(read);
    return build().int_imm(read.dtype, found->second, read.span);
  }
  const Expr* on_expr(const ir::VarRef& ref) {
    const auto found = fixed_.find(ref.var);
    if (found == fixed_.end()) return rebuild(ref);
    return build().int_imm(ref.dtype, found->second, ref.span);
  }
  const Expr* on_expr(const ir::Binary& node) {
    const Expr* a = rewrite(node.a);
    const Expr* b = rewrite(node.b);
    if (a == node.a && b == node.b) return &node;
    return build().fold_binary(node.op, a, b, node.span);
  }
  const Expr* on_expr(const ir::Cast& node) {
    const Expr* a = rewrite(node.a);
    if (a == node.a) return &node;
    return node.is_bits ? rebuild(node) : build().fold_cast(node.dtype, a, node.span);
  }

 private:
  void rename(const ir::Var* var) { vars_[var] = arena().make<ir::Var>(*var); }

  const Known& known_;
  std::unordered_map<const ir::Var*, const ir::Var*> vars_;
  std::unordered_map<const ir::Local*, const ir::Local*> locals_;
  std::unordered_map<const ir::Var*, std::int64_t> fixed_;
};

class UnrollBlockLoops : public ir::Rewriter<UnrollBlockLoops> {
 public:
  using Rewriter::on_expr;
  using Rewriter::on_stmt;
  using Rewriter::Rewriter;

  // What a branch or body learns, others do not know.
  void enter_list() { outer_.push_back(known_); }
  void leave_list() {
    known_ = std::move(outer_.back());
    outer_.pop_back();
  }

  template <typename T>
  const Expr* on_expr(const T& node) {
    return &node;
  }
  template <typename T>
  void on_stmt(const T& stmt) {
    const ir::Stmt* one[] = {&stmt};
    forget(StmtList(one));
    emit(rebuild(stmt));
    forget(StmtList(one));
  }
  void on_stmt(const ir::Assign& assign) {
    emit(&assign);
    const Expr* value = Copy(arena(), {}, known_).value_of(assign.value);
    note(assign.local, ir::as_int(value));
  }
  void on_stmt(const ir::While& loop) {
    if (!unroll_while(loop)) keep(loop);
  }
  void on_stmt(const ir::For& loop) {
    if (!unroll_for(loop)) keep(loop);
  }

 private:
  // The loop stays; what it assigns is not known inside nor behind it.
  template <typename T>
  void keep(const T& loop) {
    forget(loop.body);
    emit(rebuild(loop));
    forget(loop.body);
  }
  void forget(StmtList body) {
    ir::walk_stmts(body, [&](const Stmt& stmt) {
      const auto* assign = ir::as<ir::Assign>(&stmt);
      const auto* declare = ir::as<ir::DeclareLocal>(&stmt);
      if (assign != nullptr) known_.erase(assign->local);
      if (declare != nullptr) known_.erase(declare->local);
    });
  }
  void note(const ir::Local* local, const ir::IntImm* value) {
    if (value != nullptr && local->dtype.is_int() && !local->address_taken) {
      known_[local] = value->value;
    } else {
      known_.erase(local);
    }
  }

  // Scalars that the loop itself steps: assigned in its own list, to something known.
  static std::vector<const ir::Local*> stepped(StmtList body) {
    std::unordered_map<const ir::Local*, int> inside;
    ir::walk_stmts(body, [&](const Stmt& stmt) {
      if (const auto* assign = ir::as<ir::Assign>(&stmt)) ++inside[assign->local];
    });
    std::vector<const ir::Local*> found;
    for (const Stmt* stmt : body) {
      const auto* assign = ir::as<ir::Assign>(stmt);
      if (assign != nullptr && inside[assign->local] == 1) found.push_back(assign->local);
    }
    return found;
  }

  bool unroll_while(const ir::While& loop) {
    if (!brings_together(loop.body) || !can_copy(loop.body)) return false;
    Known known = known_;
    std::vector<const ir::Local*> counters;
    ir::walk_stmts(loop.body, [&](const Stmt& stmt) {
      if (const auto* assign = ir::as<ir::Assign>(&stmt)) known.erase(assign->local);
    });
    for (const ir::Local* local : stepped(loop.body)) {
      const auto found = known_.find(local);
      if (found == known_.end()) continue;
      known[local] = found->second;
      counters.push_back(local);
    }
    std::vector<const Stmt*> made;
    const int nodes = count_nodes(loop.body);
    for (int turn = 0;; ++turn) {
      const Expr* condition = Copy(arena(), {}, known).value_of(loop.condition);
      const ir::IntImm* goes_on = ir::as_int(condition);
      if (goes_on == nullptr || turn > kMostTurns || (turn + 1) * nodes > kMostNodes) return false;
      if (goes_on->value == 0) break;
      if (!copy_turn(loop.body, known, made)) return false;
    }
    for (const Stmt* stmt : made)
      emit(stmt);
    forget(loop.body);
    for (const ir::Local* local : counters) {
      known_[local] = known[local];
      emit(build().stmt<ir::Assign>(loop.span, local,
                                    build().int_imm(local->dtype, known[local], loop.span)));
    }
    return true;
  }

  // False if a counter's next value cannot be told.
  bool copy_turn(StmtList body, Known& known, std::vector<const Stmt*>& made) {
    Copy copy(arena(), body, known);
    for (const Stmt* stmt : body) {
      const auto* assign = ir::as<ir::Assign>(stmt);
      if (assign != nullptr && known.contains(assign->local)) {
        const ir::IntImm* next = ir::as_int(copy.value_of(assign->value));
        if (next == nullptr) return false;
        known[assign->local] = next->value;
        continue;
      }
      const Stmt* one[] = {stmt};
      for (const Stmt* copied : copy.rewrite(StmtList(one)))
        made.push_back(copied);
    }
    return true;
  }

  bool unroll_for(const ir::For& loop) {
    if (!brings_together(loop.body) || !can_copy(loop.body)) return false;
    const ir::IntImm* begin = ir::as_int(loop.begin);
    const ir::IntImm* end = ir::as_int(loop.end);
    if (begin == nullptr || end == nullptr || loop.step <= 0 || end->value <= begin->value) {
      return false;
    }
    const std::int64_t turns = (end->value - begin->value + loop.step - 1) / loop.step;
    if (turns > kMostTurns || turns * count_nodes(loop.body) > kMostNodes) return false;
    forget(loop.body);
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      Copy copy(arena(), loop.body, known_);
      copy.fix(loop.var, begin->value + turn * loop.step);
      for (const Stmt* stmt : copy.rewrite(loop.body))
        emit(stmt);
    }
    return true;
  }

  Known known_;
  std::vector<Known> outer_;
};

// Counters that are known in every turn are not asked for any more.
class DropUnread : public ir::Rewriter<DropUnread> {
 public:
  using Rewriter::on_stmt;
  DropUnread(Arena& arena, StmtList body) : Rewriter(arena) {
    ir::walk_exprs(body, [&](const Expr& expr) {
      if (const auto* read = ir::as<ir::LocalRead>(&expr)) read_.insert(read->local);
    });
    ir::walk_stmts(body, [&](const Stmt& stmt) {
      const auto* assign = ir::as<ir::Assign>(&stmt);
      if (assign != nullptr && !ir::has_no_effect(assign->value)) read_.insert(assign->local);
    });
  }
  void on_stmt(const ir::DeclareLocal& declare) {
    if (is_read(declare.local)) emit(&declare);
  }
  void on_stmt(const ir::Assign& assign) {
    if (is_read(assign.local)) emit(&assign);
  }

 private:
  bool is_read(const ir::Local* local) const {
    return read_.contains(local) || local->address_taken || !local->dtype.is_scalar();
  }

  std::unordered_set<const ir::Local*> read_;  // or assigned what has an effect
};

}  // namespace

const ir::Kernel& unroll_block_loops(const ir::Kernel& kernel, PassContext& context) {
  if (kernel.kind != ir::KernelKind::Device || !brings_together(kernel.body)) return kernel;
  StmtList body = UnrollBlockLoops(context.arena).rewrite(kernel.body);
  if (body.data() != kernel.body.data()) body = DropUnread(context.arena, body).rewrite(body);
  return ir::with_body(context.arena, kernel, body);
}

}  // namespace tirxcc::passes
