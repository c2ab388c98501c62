// SPDX-License-Identifier: Apache-2.0
//
// See guards_to_bounds.h. Thread loops are nested in each other and in the loop over blocks; the
// innermost is done first, so that a condition which moves out of it can bound the next.
#include "passes/guards_to_bounds.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/rewriter.h"
#include "ir/traverse.h"
#include "ir/value_ranges.h"
#include "passes/cpu_facts.h"

namespace tirxcc::passes {
namespace {

using ir::BinaryOp;
using ir::Expr;
using ir::Stmt;
using ir::StmtList;

// factor * counter + rest; rest is an int64 expression that is the same in all turns and can be
// evaluated before the loop.
struct Affine {
  std::int64_t factor = 0;
  const Expr* rest = nullptr;
  int size = 1;  // nodes of `rest`, which may repeat parts of it
};

constexpr int kMostNodes = 64;

bool has_elect(const Expr& expr) {
  return ir::any_expr(expr, [](const Expr& e) {
    const auto* call = ir::as<ir::Call>(&e);
    return call != nullptr && call->callee->special == intrinsics::Special::ElectSync;
  });
}

BinaryOp inverse(BinaryOp op) {
  if (op == BinaryOp::Lt) return BinaryOp::Ge;
  if (op == BinaryOp::Le) return BinaryOp::Gt;
  if (op == BinaryOp::Gt) return BinaryOp::Le;
  if (op == BinaryOp::Ge) return BinaryOp::Lt;
  if (op == BinaryOp::Eq) return BinaryOp::Ne;
  return BinaryOp::Eq;
}

// One thread loop: what of its body's guards can be expressed by bounds.
class LoopGuards {
 public:
  LoopGuards(const ir::For& loop, ir::Ranges& ranges, PassContext& context)
      : loop_(loop),
        ranges_(ranges),
        arena_(context.arena),
        build_(context.arena),
        facts_(context.facts) {}

  // The statements that take the loop's place.
  std::vector<const Stmt*> run() {
    ranges_.bind(loop_);
    ir::walk_stmts(loop_.body, [&](const Stmt& stmt) {
      if (const auto* declare = ir::as<ir::DeclareLocal>(&stmt)) changed_.insert(declare->local);
      if (const auto* assign = ir::as<ir::Assign>(&stmt)) changed_.insert(assign->local);
    });
    const StmtList body = strip(loop_.body, nullptr);
    if (limits_.empty() && invariant_.empty()) return {&loop_};
    std::vector<const Stmt*> made;
    ir::For bounded = loop_;
    bounded.body = body;
    for (const Limit& limit : limits_)
      apply(limit, bounded, made);
    made.push_back(arena_.make<ir::For>(bounded));
    for (std::size_t i = invariant_.size(); i-- > 0;) {
      const ir::IfClause clause{invariant_[i], arena_.copy(made), invariant_[i]->span};
      made.assign(1, build_.stmt<ir::If>(loop_.span, arena_.copy({clause}), StmtList{}));
    }
    return made;
  }

 private:
  // The counter must be below (is_end) or at least `value`.
  struct Limit {
    bool is_end = true;
    const Expr* value = nullptr;
  };

  void note(const Expr& condition, CpuFacts::GuardFate fate) const {
    if (facts_ != nullptr) facts_->guards.push_back({&condition, loop_.var->name, fate});
  }

  const Expr* wide(std::int64_t value) const { return build_.int_imm(kInt64, value, loop_.span); }
  const Expr* binary(BinaryOp op, const Expr* a, const Expr* b) const {
    return build_.fold_binary(op, a, b, loop_.span);
  }

  // The list without the guards that became bounds. `end` is the label whose end is the end of the
  // thread's body, if any.
  StmtList strip(StmtList list, const ir::Label* end) {
    std::size_t at = 0;
    for (; at < list.size(); ++at) {
      const auto* let = ir::as<ir::Let>(list[at]);
      if (let == nullptr || !ir::has_no_effect(let->value) || has_elect(*let->value)) break;
      ranges_.bind(*let);
      lets_[let->var] = let;
    }
    if (at == list.size()) return list;
    const bool is_last = at + 1 == list.size();
    const auto* block = ir::as<ir::Block>(list[at]);
    if (block != nullptr && is_last) {
      const StmtList inner = strip(block->body, block->label != nullptr ? block->label : end);
      if (inner.data() == block->body.data()) return list;
      return joined(list.first(at), {build_.stmt<ir::Block>(block->span, block->label, inner)});
    }
    const auto* guard = ir::as<ir::If>(list[at]);
    if (guard == nullptr) return list;
    const ir::IfClause& clause = guard->clauses[0];
    if (guard->clauses.size() != 1 || !guard->else_body.empty()) {
      note(*clause.condition, CpuFacts::GuardFate::HasElse);
      return list;
    }
    const auto* leave = clause.body.size() == 1 ? ir::as<ir::Leave>(clause.body[0]) : nullptr;
    if (leave != nullptr && end != nullptr && leave->label == end && !is_last) {
      return strip_guard(list.first(at), *guard, false, list.subspan(at + 1), end);
    }
    if (!is_last) {
      note(*clause.condition, CpuFacts::GuardFate::NotLast);
      return list;
    }
    return strip_guard(list.first(at), *guard, true, clause.body, end);
  }

  // `prefix`, then `body` under the condition of `guard` being `truth`.
  StmtList strip_guard(StmtList prefix, const ir::If& guard, bool truth, StmtList body,
                       const ir::Label* end) {
    const Expr* condition = guard.clauses[0].condition;
    if (!ir::has_no_effect(condition) || has_elect(*condition)) {
      note(*condition, CpuFacts::GuardFate::HasEffect);
      std::vector<const Stmt*> whole(prefix.begin(), prefix.end());
      whole.push_back(&guard);
      if (!truth) whole.insert(whole.end(), body.begin(), body.end());
      return arena_.copy(whole);
    }
    const Expr* remaining = nullptr;
    take(*condition, truth, remaining);
    ranges_.assume(*condition, truth);
    const StmtList inner = strip(body, end);
    if (remaining == nullptr) return joined(prefix, std::vector(inner.begin(), inner.end()));
    const ir::IfClause clause{remaining, inner, guard.clauses[0].span};
    return joined(prefix, {build_.stmt<ir::If>(guard.span, arena_.copy({clause}), StmtList{})});
  }

  StmtList joined(StmtList prefix, std::vector<const Stmt*> rest) const {
    rest.insert(rest.begin(), prefix.begin(), prefix.end());
    return arena_.copy(rest);
  }

  // Splits a condition into its conjuncts; those that are no bounds are added to `remaining`.
  void take(const Expr& condition, bool truth, const Expr*& remaining) {
    const auto* unary = ir::as<ir::Unary>(&condition);
    if (unary != nullptr && unary->op == ir::UnaryOp::Not) {
      return take(*unary->a, !truth, remaining);
    }
    const auto* node = ir::as<ir::Binary>(&condition);
    if (node != nullptr && node->op == (truth ? BinaryOp::And : BinaryOp::Or)) {
      take(*node->a, truth, remaining);
      take(*node->b, truth, remaining);
      return;
    }
    if (node != nullptr && ir::is_comparison(node->op) && take_comparison(*node, truth)) return;
    note(condition, CpuFacts::GuardFate::NoBound);
    const Expr* rest =
        truth ? &condition : build_.fold_unary(ir::UnaryOp::Not, &condition, condition.span);
    remaining = remaining == nullptr
                    ? rest
                    : build_.make_binary(BinaryOp::And, remaining, rest, condition.span);
  }

  bool take_comparison(const ir::Binary& comparison, bool truth) {
    const BinaryOp op = truth ? comparison.op : inverse(comparison.op);
    if (!comparison.a->dtype.is_int() || op == BinaryOp::Ne) return false;
    const std::optional<Affine> a = affine(*comparison.a);
    const std::optional<Affine> b = affine(*comparison.b);
    if (!a || !b) return false;
    if (op == BinaryOp::Eq) return take_equality(*a, *b);
    // As `factor * counter < limit`.
    const bool is_less = op == BinaryOp::Lt || op == BinaryOp::Le;
    const Affine& small = is_less ? *a : *b;
    const Affine& large = is_less ? *b : *a;
    const std::int64_t factor = small.factor - large.factor;
    const Expr* limit = binary(BinaryOp::Sub, large.rest, small.rest);
    if (op == BinaryOp::Le || op == BinaryOp::Ge) limit = binary(BinaryOp::Add, limit, wide(1));
    note(comparison, factor == 0 ? CpuFacts::GuardFate::Outside : CpuFacts::GuardFate::Bound);
    if (factor == 0) {
      invariant_.push_back(build_.make_binary(BinaryOp::Lt, wide(0), limit, comparison.span));
    } else if (factor > 0) {
      const Expr* rounded = binary(BinaryOp::Add, limit, wide(factor - 1));
      limits_.push_back({true, binary(BinaryOp::FloorDiv, rounded, wide(factor))});
    } else {
      const Expr* negated = binary(BinaryOp::Sub, wide(0), limit);
      const Expr* below = binary(BinaryOp::FloorDiv, negated, wide(-factor));
      limits_.push_back({false, binary(BinaryOp::Add, below, wide(1))});
    }
    return true;
  }

  // One turn.
  bool take_equality(const Affine& a, const Affine& b) {
    const std::int64_t factor = a.factor - b.factor;
    if (factor != 1 && factor != -1) return false;
    const Expr* turn =
        factor == 1 ? binary(BinaryOp::Sub, b.rest, a.rest) : binary(BinaryOp::Sub, a.rest, b.rest);
    limits_.push_back({false, turn});
    limits_.push_back({true, binary(BinaryOp::Add, turn, wide(1))});
    return true;
  }

  // `expr` as a mathematical integer; nothing if it may wrap or does not grow evenly. Values stay
  // far enough inside 64 bits that the arithmetic on limits cannot wrap.
  std::optional<Affine> affine(const Expr& expr) {
    constexpr std::int64_t kReach = std::int64_t{1} << 60;
    const ir::Range range = ranges_.of(expr);
    if (!expr.dtype.is_int() || range.low < -kReach || range.high > kReach) return std::nullopt;
    if (const auto* ref = ir::as<ir::VarRef>(&expr)) return affine_var(*ref);
    const auto* cast = ir::as<ir::Cast>(&expr);
    if (cast != nullptr && !cast->is_bits && cast->a->dtype.is_int() &&
        ranges_.of(*cast->a).fits(expr.dtype)) {
      return affine(*cast->a);
    }
    const auto* node = ir::as<ir::Binary>(&expr);
    if (node != nullptr && ranges_.cannot_wrap(*node)) return affine_binary(*node);
    if (!is_fixed(expr)) return std::nullopt;
    return Affine{0, build_.fold_cast(kInt64, &expr, expr.span)};
  }

  std::optional<Affine> affine_var(const ir::VarRef& ref) {
    if (ref.var == loop_.var) return Affine{1, wide(0)};
    const auto found = lets_.find(ref.var);
    if (found == lets_.end()) return Affine{0, build_.fold_cast(kInt64, &ref, ref.span)};
    const Expr* value = found->second->value;
    const auto known = affine_lets_.find(ref.var);
    if (known != affine_lets_.end()) return known->second;
    // thread_x = int32(tx): the pass vouches that the cast keeps the value.
    const auto* cast = ir::as<ir::Cast>(value);
    const bool is_plain = ranges_.is_given(ref.var) && cast != nullptr && cast->a->dtype == kInt64;
    const std::optional<Affine> result = affine(is_plain ? *cast->a : *value);
    affine_lets_[ref.var] = result;
    return result;
  }

  std::optional<Affine> affine_binary(const ir::Binary& node) {
    const std::optional<Affine> a = affine(*node.a);
    const std::optional<Affine> b = affine(*node.b);
    if (!a || !b) return std::nullopt;
    const int size = a->size + b->size + 1;
    if (size > kMostNodes) return std::nullopt;
    if (node.op == BinaryOp::Add) {
      return Affine{a->factor + b->factor, binary(BinaryOp::Add, a->rest, b->rest), size};
    }
    if (node.op == BinaryOp::Sub) {
      return Affine{a->factor - b->factor, binary(BinaryOp::Sub, a->rest, b->rest), size};
    }
    if (a->factor == 0 && b->factor == 0) {
      return Affine{0, binary(BinaryOp::Mul, a->rest, b->rest), size};
    }
    const Affine& growing = a->factor != 0 ? *a : *b;
    const Affine& other = a->factor != 0 ? *b : *a;
    const ir::IntImm* factor = ir::as_int(other.rest);
    constexpr std::int64_t kMostFactor = std::int64_t{1} << 31;
    if (factor == nullptr || other.factor != 0 || factor->value > kMostFactor ||
        factor->value < -kMostFactor || growing.factor > kMostFactor ||
        growing.factor < -kMostFactor) {
      return std::nullopt;
    }
    return Affine{growing.factor * factor->value, binary(BinaryOp::Mul, growing.rest, other.rest)};
  }

  // Whether the expression is the same in all turns and can be evaluated before the first.
  bool is_fixed(const Expr& expr) const {
    return !ir::any_expr(expr, [&](const Expr& e) {
      if (const auto* ref = ir::as<ir::VarRef>(&e)) {
        return ref->var == loop_.var || lets_.contains(ref->var);
      }
      if (const auto* read = ir::as<ir::LocalRead>(&e)) return changed_.contains(read->local);
      return ir::is<ir::Load>(&e) || ir::is<ir::VectorLoad>(&e) || ir::is<ir::LaneRead>(&e) ||
             ir::is<ir::Call>(&e);
    });
  }

  // `value` as a name before the loop.
  const Expr* named(const char* suffix, const Expr* value, std::vector<const Stmt*>& before) {
    const std::string text = std::string(loop_.var->name) + suffix;
    const auto* var =
        arena_.make<ir::Var>(arena_.copy_string(text), kInt64, loop_.span, ir::VarKind::Let);
    before.push_back(build_.stmt<ir::Let>(loop_.span, var, value));
    return build_.var(var, loop_.span);
  }

  // The loop's bound becomes the tighter of what it was and `limit`. What is mentioned twice has a
  // name: a chain of many guards stays linear.
  void apply(const Limit& limit, ir::For& loop, std::vector<const Stmt*>& before) {
    const Expr*& bound = limit.is_end ? loop.end : loop.begin;
    const bool is_choice = ir::is<ir::Select>(bound);
    if (is_choice) bound = named(limit.is_end ? "_end_before" : "_begin_before", bound, before);
    const Expr* value = named(limit.is_end ? "_end" : "_begin", limit.value, before);
    const Expr* is_tighter =
        limit.is_end ? binary(BinaryOp::Lt, value, bound) : binary(BinaryOp::Lt, bound, value);
    bound = build_.make_select(is_tighter, value, bound, loop_.span);
  }

  const ir::For& loop_;
  ir::Ranges& ranges_;
  Arena& arena_;
  ir::Builder build_;
  CpuFacts* facts_;
  std::unordered_map<const ir::Var*, const ir::Let*> lets_;  // of the loop's body
  std::unordered_map<const ir::Var*, std::optional<Affine>> affine_lets_;
  std::unordered_set<const ir::Local*> changed_;  // in the loop's body
  std::vector<Limit> limits_;
  std::vector<const Expr*> invariant_;
};

// Walks down to the thread loops, names in sight bound on the way, and rewrites on the way up.
class GuardsToBounds : public ir::Rewriter<GuardsToBounds> {
 public:
  using Rewriter::on_expr;
  using Rewriter::on_stmt;
  GuardsToBounds(const ir::CpuKernel& kernel, PassContext& context)
      : Rewriter(context.arena),
        context_(context),
        threads_(kernel.thread_loops.begin(), kernel.thread_loops.end()),
        innermost_(kernel.innermost_loops.begin(), kernel.innermost_loops.end()),
        ranges_(kernel) {}

  template <typename T>
  const Expr* on_expr(const T& node) {
    return &node;  // conditions stay as they are
  }
  void on_stmt(const ir::Let& let) {
    ranges_.bind(let);
    emit(&let);
  }
  void on_stmt(const ir::For& loop) {
    ranges_.bind(loop);
    const bool is_thread = threads_.contains(loop.var);
    const ir::For& inner = innermost_.contains(loop.var) ? loop : *rebuild(loop);
    if (!is_thread) return emit(&inner);
    for (const Stmt* stmt : LoopGuards(inner, ranges_, context_).run())
      emit(stmt);
  }

 private:
  PassContext& context_;
  std::unordered_set<const ir::Var*> threads_;
  std::unordered_set<const ir::Var*> innermost_;
  ir::Ranges ranges_;
};

}  // namespace

const ir::CpuKernel& guards_to_bounds(const ir::CpuKernel& kernel, PassContext& context) {
  if (kernel.thread_loops.empty()) return kernel;
  ir::CpuKernel made = kernel;
  const StmtList body = GuardsToBounds(kernel, context).rewrite(kernel.kernel->body);
  made.kernel = &ir::with_body(context.arena, *kernel.kernel, body);
  return *context.arena.make<ir::CpuKernel>(made);
}

}  // namespace tirxcc::passes
