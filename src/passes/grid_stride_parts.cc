// SPDX-License-Identifier: Apache-2.0
//
// See grid_stride_parts.h. The first statement of the body that is more than a name or a scalar's
// start has to be the loop.
#include "passes/grid_stride_parts.h"

#include <algorithm>
#include <unordered_set>

#include "intrinsics/intrinsics.h"
#include "ir/traverse.h"
#include "passes/vectorize_threads.h"

namespace tirxcc::passes {
namespace {

using ir::BinaryOp;
using ir::Expr;
using ir::Stmt;
using ir::StmtList;

constexpr std::int64_t kLeastStep = 32;
constexpr std::int64_t kMostThreads = 1024;

// Whether a body may run for all threads turn by turn, as far as its statements go.
bool has_order(StmtList body) {
  bool has = false;
  int loops = 0;
  const auto is_loop = [](const Stmt& stmt) {
    return ir::is<ir::For>(&stmt) || ir::is<ir::CountedFor>(&stmt) || ir::is<ir::While>(&stmt);
  };
  ir::walk_stmts(
      body,
      [&](const Stmt& stmt) {
        if (is_loop(stmt)) ++loops;
        const bool is_exit = ir::is<ir::Break>(&stmt) || ir::is<ir::Continue>(&stmt);
        has |= (is_exit && loops == 0) || ir::is<ir::Leave>(&stmt) || ir::is<ir::Return>(&stmt) ||
               ir::is<ir::ThreadReturn>(&stmt) || ir::is<ir::Assert>(&stmt) ||
               ir::is<ir::Alloc>(&stmt);
        const auto* evaluate = ir::as<ir::Evaluate>(&stmt);
        const auto* call = evaluate != nullptr ? ir::as<ir::Call>(evaluate->value) : nullptr;
        const bool is_atomic = call != nullptr && commutes(*call);
        ir::for_each_operand(stmt, [&](const Expr& expr) {
          ir::walk_exprs(expr, [&](const Expr& e) {
            const auto* inner = ir::as<ir::Call>(&e);
            has |= inner != nullptr && inner->callee->effect != intrinsics::Effect::Pure &&
                   !(is_atomic && inner == call);
          });
        });
      },
      [&](const Stmt& stmt) {
        if (is_loop(stmt)) --loops;
      });
  return has;
}

class Recognizer {
 public:
  Recognizer(const ir::For& threads, ir::Ranges& ranges, ir::Builder& build)
      : threads_(threads), ranges_(ranges), build_(build) {}

  std::optional<GridStrideParts> run() {
    ranges_.bind(threads_);
    if (!take_apart() || !find_kept()) return std::nullopt;
    return std::move(parts_);
  }

 private:
  bool take_apart() {
    const StmtList body = threads_.body;
    std::size_t at = 0;
    for (; at < body.size() && can_precede(*body[at]); ++at)
      note(*body[at]);
    if (at == body.size()) return false;
    parts_.before = body.first(at);
    parts_.loop = body[at];
    parts_.behind = body.subspan(at + 1);
    const bool is_known = take_while() || take_for();
    if (!is_known || !parts_.type().is_signed_int() || parts_.type().bits < 32) return false;
    if (!is_even(*parts_.bound) || !is_even(*parts_.step)) return false;
    if (ranges_.of(*parts_.step).low < 1 || !steps_by_one(*parts_.first)) return false;
    const ir::IntImm* step = ir::as_int(parts_.step);
    if (step != nullptr && step->value < kLeastStep) return false;
    return !has_order(parts_.body) && !has_order(parts_.behind);
  }

  // Names and scalars, made without reading memory or acting on it (a scalar may start from it).
  static bool can_precede(const Stmt& stmt) {
    if (const auto* let = ir::as<ir::Let>(&stmt)) {
      return ir::has_no_effect(let->value) && !has_load(*let->value);
    }
    if (const auto* assign = ir::as<ir::Assign>(&stmt)) return ir::has_no_effect(assign->value);
    return ir::is<ir::DeclareLocal>(&stmt);
  }
  static bool has_load(const Expr& expr) {
    return ir::any_expr(
        expr, [](const Expr& e) { return ir::is<ir::Load>(&e) || ir::is<ir::LocalRead>(&e); });
  }
  void note(const Stmt& stmt) {
    if (const auto* declare = ir::as<ir::DeclareLocal>(&stmt)) declared_.insert(declare->local);
    if (const auto* assign = ir::as<ir::Assign>(&stmt)) starts_[assign->local].push_back(assign);
    const auto* let = ir::as<ir::Let>(&stmt);
    if (let == nullptr) return;
    ranges_.bind(*let);
    if (is_even(*let->value)) {
      parts_.even.push_back(let);
    } else {
      parts_.lets[let->var] = let;
    }
  }

  //   while i < bound: ...; i = i + step
  bool take_while() {
    const auto* loop = ir::as<ir::While>(parts_.loop);
    const auto* condition = loop != nullptr ? ir::as<ir::Binary>(loop->condition) : nullptr;
    if (condition == nullptr || loop->body.empty()) return false;
    const bool is_turned = condition->op == BinaryOp::Gt || condition->op == BinaryOp::Ge;
    const auto* read = ir::as<ir::LocalRead>(is_turned ? condition->b : condition->a);
    const bool is_known =
        condition->op == BinaryOp::Lt || condition->op == BinaryOp::Le || is_turned;
    if (read == nullptr || !is_known || !declared_.contains(read->local)) return false;
    const bool is_strict = condition->op == BinaryOp::Lt || condition->op == BinaryOp::Gt;
    parts_.op = is_strict ? BinaryOp::Lt : BinaryOp::Le;
    parts_.bound = is_turned ? condition->a : condition->b;
    parts_.counter = read->local;
    parts_.body = loop->body.first(loop->body.size() - 1);
    const auto* last = ir::as<ir::Assign>(loop->body.back());
    const auto* sum = last != nullptr ? ir::as<ir::Binary>(last->value) : nullptr;
    if (sum == nullptr || last->local != read->local || sum->op != BinaryOp::Add) return false;
    const auto* old = ir::as<ir::LocalRead>(sum->a);
    if (old == nullptr || old->local != read->local) return false;
    parts_.step = sum->b;
    const auto& starts = starts_[read->local];
    if (starts.size() != 1 || read->local->address_taken || assigns(parts_.body, read->local) ||
        reads(parts_.behind, read->local) || reads(parts_.before, read->local)) {
      return false;
    }
    parts_.first = starts[0]->value;
    return true;
  }

  //   for i in range(first, bound, step): ...
  bool take_for() {
    const auto* loop = ir::as<ir::For>(parts_.loop);
    if (loop == nullptr || loop->step < 1) return false;
    parts_.var = loop->var;
    parts_.first = loop->begin;
    parts_.bound = loop->end;
    parts_.step = build_.int_imm(loop->var->dtype, loop->step, loop->span);
    parts_.body = loop->body;
    return true;
  }

  static bool assigns(StmtList body, const ir::Local* local) {
    bool found = false;
    ir::walk_stmts(body, [&](const Stmt& stmt) {
      const auto* assign = ir::as<ir::Assign>(&stmt);
      found |= assign != nullptr && assign->local == local;
    });
    return found;
  }
  static bool reads(StmtList body, const ir::Local* local) {
    bool found = false;
    ir::walk_exprs(body, [&](const Expr& e) {
      const auto* read = ir::as<ir::LocalRead>(&e);
      found |= read != nullptr && read->local == local;
    });
    return found;
  }

  // The same in all threads, whenever it is computed.
  bool is_even(const Expr& expr) const {
    return !ir::any_expr(expr, [&](const Expr& e) {
      if (const auto* ref = ir::as<ir::VarRef>(&e)) {
        return ref->var == threads_.var || parts_.lets.contains(ref->var);
      }
      if (const auto* read = ir::as<ir::LocalRead>(&e)) {
        return declared_.contains(read->local) || assigns(threads_.body, read->local);
      }
      return ir::is<ir::Load>(&e) || ir::is<ir::Call>(&e) || ir::is<ir::VectorLoad>(&e) ||
             ir::is<ir::LaneRead>(&e) || ir::is<ir::AddressOf>(&e);
    });
  }

  // Whether each next thread has a value greater by 1.
  bool steps_by_one(const Expr& expr) {
    if (const auto* ref = ir::as<ir::VarRef>(&expr)) {
      if (ref->var == threads_.var) return true;
      const auto found = parts_.lets.find(ref->var);
      if (found == parts_.lets.end()) return false;
      const auto* cast = ir::as<ir::Cast>(found->second->value);
      const bool is_plain =
          ranges_.is_given(ref->var) && cast != nullptr && cast->a->dtype == kInt64;
      return steps_by_one(is_plain ? *cast->a : *found->second->value);
    }
    if (const auto* cast = ir::as<ir::Cast>(&expr)) {
      return !cast->is_bits && cast->a->dtype.is_int() && ranges_.of(*cast->a).fits(expr.dtype) &&
             steps_by_one(*cast->a);
    }
    const auto* node = ir::as<ir::Binary>(&expr);
    if (node == nullptr || !ranges_.cannot_wrap(*node)) return false;
    if (node->op == BinaryOp::Add && is_even(*node->a)) return steps_by_one(*node->b);
    const bool is_moved = node->op == BinaryOp::Add || node->op == BinaryOp::Sub;
    return is_moved && is_even(*node->b) && steps_by_one(*node->a);
  }

  // Scalars that a thread has from before the loop and that are used in it or behind.
  bool find_kept() {
    bool can = true;
    const auto use = [&](const ir::Local* local) {
      if (local == parts_.counter || !declared_.contains(local)) return;
      if (std::find(parts_.kept.begin(), parts_.kept.end(), local) == parts_.kept.end())
        parts_.kept.push_back(local);
      can = can && !local->address_taken && local->dtype.is_scalar();
    };
    for (const StmtList list : {parts_.body, parts_.behind}) {
      ir::walk_exprs(list, [&](const Expr& e) {
        if (const auto* read = ir::as<ir::LocalRead>(&e)) use(read->local);
      });
      ir::walk_stmts(list, [&](const Stmt& stmt) {
        if (const auto* assign = ir::as<ir::Assign>(&stmt)) use(assign->local);
      });
    }
    if (parts_.kept.empty()) return true;
    const ir::IntImm* begin = ir::as_int(threads_.begin);
    const ir::IntImm* end = ir::as_int(threads_.end);
    return can && begin != nullptr && end != nullptr && end->value > begin->value &&
           end->value - begin->value <= kMostThreads;
  }

  const ir::For& threads_;
  ir::Ranges& ranges_;
  ir::Builder& build_;
  GridStrideParts parts_;
  std::unordered_set<const ir::Local*> declared_;  // before the loop
  std::unordered_map<const ir::Local*, std::vector<const ir::Assign*>> starts_;
};

}  // namespace

std::optional<GridStrideParts> take_apart_grid_stride(const ir::For& threads, ir::Ranges& ranges,
                                                      ir::Builder& build) {
  return Recognizer(threads, ranges, build).run();
}

}  // namespace tirxcc::passes
