// SPDX-License-Identifier: Apache-2.0
//
// See grid_stride_loops.h. A thread loop's body is taken apart into what comes before its first
// loop, that loop, and what comes behind; each becomes a loop over the threads of its own, with its
// own copies of the names before the loop.
#include "passes/grid_stride_loops.h"

#include <algorithm>
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
#include "passes/vectorize_threads.h"

namespace tirxcc::passes {
namespace {

using ir::BinaryOp;
using ir::Expr;
using ir::Stmt;
using ir::StmtList;
using Stmts = std::vector<const Stmt*>;

constexpr std::int64_t kLeastStep = 32;
constexpr std::int64_t kMostThreads = 1024;
constexpr std::int64_t kMostDistance = std::int64_t{1} << 33;

// The parts of a thread loop's body.
struct Parts {
  StmtList before;
  const Stmt* loop = nullptr;
  StmtList body;  // of a turn, without the counter's step
  StmtList behind;
  const ir::Local* counter = nullptr;  // of a while
  const ir::Var* var = nullptr;        // of a for
  const Expr* first = nullptr;
  const Expr* bound = nullptr;
  const Expr* step = nullptr;
  BinaryOp op = BinaryOp::Lt;
  const ir::Span& span() const { return loop->span; }
  DType type() const { return first->dtype; }
};

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

// What the new loops over threads add to the kernel.
struct Additions {
  std::vector<const ir::Var*> counters;
  std::vector<ir::VarRange> ranges;
};

// The statements of one of the new loops: names from before the loop are its own, what threads
// keep is in arrays, the counter is a name.
class Stage : public ir::Rewriter<Stage> {
 public:
  using Rewriter::map;
  using Rewriter::on_expr;
  using Rewriter::on_stmt;
  using Arrays = std::unordered_map<const ir::Local*, const ir::Tensor*>;
  Stage(Arena& arena, const Arrays& arrays, const ir::For& threads, const ir::Local* counter)
      : Rewriter(arena), arrays_(arrays), begin_(threads.begin), counter_(counter) {
    thread_ = arena.make<ir::Var>(*threads.var);
    names_[threads.var] = thread_;
  }

  const ir::Var* thread() const { return thread_; }
  void rename(const ir::Var* from, const ir::Var* to) { names_[from] = to; }
  void set_turn(const ir::Var* turn) { turn_ = turn; }

  const ir::Var* map(const ir::Var* var) {
    const auto found = names_.find(var);
    return found == names_.end() ? var : found->second;
  }
  void on_stmt(const ir::DeclareLocal& declare) {
    if (declare.local == counter_) return;
    const auto found = arrays_.find(declare.local);
    if (found == arrays_.end()) return emit(&declare);
    const DType type = declare.local->dtype;
    const Expr* zero = type.is_float() ? build().float_imm(type, 0, declare.span)
                                       : build().int_imm(type, 0, declare.span);
    emit(set(found->second, zero, declare.span));
  }
  void on_stmt(const ir::Assign& assign) {
    if (assign.local == counter_) return;
    const auto found = arrays_.find(assign.local);
    if (found == arrays_.end()) return emit(rebuild(assign));
    emit(set(found->second, rewrite(assign.value), assign.span));
  }
  const Expr* on_expr(const ir::LocalRead& read) {
    if (read.local == counter_) return build().var(turn_, read.span);
    const auto found = arrays_.find(read.local);
    if (found == arrays_.end()) return &read;
    return build().load(found->second, arena().copy({place(read.span)}), read.span);
  }

 private:
  const Expr* place(ir::Span span) {
    return build().fold_binary(BinaryOp::Sub, build().var(thread_, span), begin_, span);
  }
  const Stmt* set(const ir::Tensor* array, const Expr* value, ir::Span span) {
    return build().stmt<ir::Store>(span, array, ir::ExprList(arena().copy({place(span)})), value);
  }

  const Arrays& arrays_;
  const Expr* begin_;
  const ir::Local* counter_;
  const ir::Var* thread_ = nullptr;
  const ir::Var* turn_ = nullptr;
  std::unordered_map<const ir::Var*, const ir::Var*> names_;
};

// An expression for the first thread of the loop.
class ForFirst : public ir::Rewriter<ForFirst> {
 public:
  using Rewriter::on_expr;
  using Lets = std::unordered_map<const ir::Var*, const ir::Let*>;
  ForFirst(Arena& arena, const ir::For& threads, const Lets& lets)
      : Rewriter(arena), threads_(threads), lets_(lets) {}
  const Expr* on_expr(const ir::VarRef& ref) {
    if (ref.var == threads_.var) return threads_.begin;
    const auto found = lets_.find(ref.var);
    return found == lets_.end() ? &ref : rewrite(found->second->value);
  }
  const Expr* on_expr(const ir::Cast& cast) {
    if (cast.is_bits) return rebuild(cast);
    return build().fold_cast(cast.dtype, rewrite(cast.a), cast.span);
  }
  const Expr* on_expr(const ir::Binary& node) {
    return build().fold_binary(node.op, rewrite(node.a), rewrite(node.b), node.span);
  }

 private:
  const ir::For& threads_;
  const Lets& lets_;
};

class Interchange {
 public:
  Interchange(const ir::For& threads, ir::Ranges& ranges, PassContext& context, Additions& added)
      : threads_(threads),
        ranges_(ranges),
        arena_(context.arena),
        build_(context.arena),
        facts_(context.facts),
        added_(added) {}

  // Whether the loop has become the statements in `made`.
  bool run(Stmts& made) {
    ranges_.bind(threads_);
    if (!take_apart() || !find_kept()) return false;
    if (facts_ != nullptr) facts_->turned.push_back(parts_.span());
    emit_parts(made);
    return true;
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
      even_.push_back(let);
    } else {
      lets_[let->var] = let;
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
        return ref->var == threads_.var || lets_.contains(ref->var);
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
      const auto found = lets_.find(ref->var);
      if (found == lets_.end()) return false;
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
      if (std::find(kept_.begin(), kept_.end(), local) == kept_.end()) kept_.push_back(local);
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
    if (kept_.empty()) return true;
    const ir::IntImm* begin = ir::as_int(threads_.begin);
    const ir::IntImm* end = ir::as_int(threads_.end);
    return can && begin != nullptr && end != nullptr && end->value > begin->value &&
           end->value - begin->value <= kMostThreads;
  }

  const ir::Tensor* array_for(const ir::Local* local) const {
    const std::int64_t count = ir::as_int(threads_.end)->value - ir::as_int(threads_.begin)->value;
    ir::Tensor tensor;
    tensor.name = arena_.copy_string(std::string(local->name) + "_of");
    tensor.dtype = local->dtype;
    tensor.shape = arena_.copy({build_.int_imm(kInt32, count, local->span)});
    tensor.scope = ir::Scope::Shared;
    tensor.span = local->span;
    tensor.align = 64;
    return arena_.make<ir::Tensor>(tensor);
  }

  const Expr* wide(const Expr* expr) const { return build_.fold_cast(kInt64, expr, expr->span); }

  // A loop over the threads with the names from before, and then these statements.
  const Stmt* stage(Stage& rewriter, StmtList body, Stmts first) {
    ir::For loop = threads_;
    loop.var = rewriter.thread();
    added_.counters.push_back(loop.var);
    Stmts all;
    for (const Stmt* stmt : parts_.before) {
      const auto* let = ir::as<ir::Let>(stmt);
      if (let == nullptr || !lets_.contains(let->var)) continue;
      const auto* var = arena_.make<ir::Var>(*let->var);
      all.push_back(build_.stmt<ir::Let>(let->span, var, rewriter.rewrite(let->value)));
      rewriter.rename(let->var, var);
      if (!ranges_.is_given(let->var)) continue;
      const ir::Range range = ranges_.of(*build_.var(let->var, let->span));
      added_.ranges.push_back(
          {var, static_cast<std::int64_t>(range.low), static_cast<std::int64_t>(range.high)});
    }
    for (const Stmt* stmt : first)
      all.push_back(stmt);
    for (const Stmt* stmt : rewriter.rewrite(body))
      all.push_back(stmt);
    loop.body = arena_.copy(all);
    return arena_.make<ir::For>(loop);
  }

  void emit_parts(Stmts& made) {
    Stage::Arrays arrays;
    for (const ir::Local* local : kept_) {
      arrays[local] = array_for(local);
      if (facts_ != nullptr) facts_->kept.push_back({local->name, local->span, arrays[local]});
      made.push_back(build_.stmt<ir::Alloc>(local->span, arrays[local]));
    }
    for (const ir::Let* let : even_)
      made.push_back(let);
    if (!kept_.empty()) {
      Stmts starts;
      for (const Stmt* stmt : parts_.before) {
        if (!ir::is<ir::Let>(stmt)) starts.push_back(stmt);
      }
      Stage before(arena_, arrays, threads_, parts_.counter);
      made.push_back(stage(before, arena_.copy(starts), {}));
    }
    emit_turns(arrays, made);
    if (parts_.behind.empty()) return;
    Stage behind(arena_, arrays, threads_, parts_.counter);
    made.push_back(stage(behind, parts_.behind, {}));
  }

  void emit_turns(const Stage::Arrays& arrays, Stmts& made) {
    const ir::Span span = parts_.span();
    const auto* so_far = arena_.make<ir::Local>("stepped", kInt64, span);
    const auto* distance = arena_.make<ir::Var>("distance", kInt64, span, ir::VarKind::Let);
    added_.ranges.push_back({distance, 0, kMostDistance});
    Stage turn(arena_, arrays, threads_, parts_.counter);
    ForFirst for_first(arena_, threads_, lets_);
    const Expr* first = wide(for_first.rewrite(parts_.first));
    const Expr* now = build_.local(so_far, span);
    const Expr* goes_on = build_.make_binary(
        parts_.op, build_.fold_binary(BinaryOp::Add, first, now, span), wide(parts_.bound), span);
    if (ir::as_int(threads_.begin) == nullptr || ir::as_int(threads_.end) == nullptr) {
      const Expr* is_any =
          build_.make_binary(BinaryOp::Lt, threads_.begin, threads_.end, threads_.span);
      goes_on = build_.make_binary(BinaryOp::And, is_any, goes_on, span);
    }
    const Stmts body = {
        build_.stmt<ir::Let>(span, distance, now), turn_of(turn, distance),
        build_.stmt<ir::Assign>(span, so_far,
                                build_.fold_binary(BinaryOp::Add, now, wide(parts_.step), span))};
    made.push_back(build_.stmt<ir::DeclareLocal>(span, so_far));
    made.push_back(build_.stmt<ir::Assign>(span, so_far, build_.int_imm(kInt64, 0, span)));
    made.push_back(build_.stmt<ir::While>(span, goes_on, StmtList(arena_.copy(body))));
  }

  // One turn of all threads: those that are still under way.
  const Stmt* turn_of(Stage& turn, const ir::Var* distance) {
    const ir::Span span = parts_.span();
    const DType type = parts_.type();
    const std::string_view name = parts_.var != nullptr ? parts_.var->name : parts_.counter->name;
    const auto* var = arena_.make<ir::Var>(name, type, span, ir::VarKind::Let);
    const auto low = static_cast<std::int64_t>(type.min_int());
    const auto high = static_cast<std::int64_t>(type.max_int());
    if (type.bits == 32) added_.ranges.push_back({var, low, high});
    turn.set_turn(var);
    if (parts_.var != nullptr) turn.rename(parts_.var, var);
    // The guard has the counter in place of what it started from.
    const Expr* value =
        build_.fold_binary(BinaryOp::Add, wide(parts_.first), build_.var(distance, span), span);
    const Stmt* named = build_.stmt<ir::Let>(span, var, build_.fold_cast(type, value, span));
    const Expr* is_here = build_.make_binary(parts_.op, build_.var(var, span), parts_.bound, span);
    const ir::IfClause clause{is_here, parts_.body, span};
    const Stmt* guard = build_.stmt<ir::If>(span, arena_.copy({clause}), StmtList{});
    return stage(turn, arena_.copy({named, guard}), {});
  }

  const ir::For& threads_;
  ir::Ranges& ranges_;
  Arena& arena_;
  ir::Builder build_;
  CpuFacts* facts_;
  Additions& added_;
  Parts parts_;
  std::unordered_set<const ir::Local*> declared_;  // before the loop
  std::unordered_map<const ir::Local*, std::vector<const ir::Assign*>> starts_;
  ForFirst::Lets lets_;  // names from before the loop that threads have each
  std::vector<const ir::Let*> even_;
  std::vector<const ir::Local*> kept_;
};

// Walks down to the innermost thread loops, names in sight bound on the way.
class GridStrideLoops : public ir::Rewriter<GridStrideLoops> {
 public:
  using Rewriter::on_expr;
  using Rewriter::on_stmt;
  GridStrideLoops(const ir::CpuKernel& kernel, PassContext& context)
      : Rewriter(context.arena),
        context_(context),
        innermost_(kernel.innermost_loops.begin(), kernel.innermost_loops.end()),
        ranges_(kernel) {}

  template <typename T>
  const Expr* on_expr(const T& node) {
    return &node;
  }
  void on_stmt(const ir::Let& let) {
    ranges_.bind(let);
    emit(&let);
  }
  void on_stmt(const ir::For& loop) {
    ranges_.bind(loop);
    if (!innermost_.contains(loop.var)) return emit(rebuild(loop));
    Stmts made;
    Additions added;
    if (!Interchange(loop, ranges_, context_, added).run(made)) return emit(&loop);
    replaced_.insert(loop.var);
    added_.counters.insert(added_.counters.end(), added.counters.begin(), added.counters.end());
    added_.ranges.insert(added_.ranges.end(), added.ranges.begin(), added.ranges.end());
    for (const Stmt* stmt : made)
      emit(stmt);
  }

  ir::CpuKernel updated(const ir::CpuKernel& kernel, Arena& arena) const {
    ir::CpuKernel made = kernel;
    const auto with_new = [&](std::span<const ir::Var* const> old) {
      std::vector<const ir::Var*> all;
      for (const ir::Var* var : old) {
        if (!replaced_.contains(var)) all.push_back(var);
      }
      all.insert(all.end(), added_.counters.begin(), added_.counters.end());
      return arena.copy(all);
    };
    made.thread_loops = with_new(kernel.thread_loops);
    made.innermost_loops = with_new(kernel.innermost_loops);
    std::vector<ir::VarRange> ranges(kernel.ranges.begin(), kernel.ranges.end());
    ranges.insert(ranges.end(), added_.ranges.begin(), added_.ranges.end());
    made.ranges = arena.copy(ranges);
    return made;
  }
  bool has_changed() const { return !replaced_.empty(); }

 private:
  PassContext& context_;
  std::unordered_set<const ir::Var*> innermost_;
  std::unordered_set<const ir::Var*> replaced_;
  Additions added_;
  ir::Ranges ranges_;
};

}  // namespace

const ir::CpuKernel& grid_stride_loops(const ir::CpuKernel& kernel, PassContext& context) {
  if (kernel.innermost_loops.empty()) return kernel;
  GridStrideLoops pass(kernel, context);
  const StmtList body = pass.rewrite(kernel.kernel->body);
  if (!pass.has_changed()) return kernel;
  ir::CpuKernel made = pass.updated(kernel, context.arena);
  made.kernel = &ir::with_body(context.arena, *kernel.kernel, body);
  return *context.arena.make<ir::CpuKernel>(made);
}

}  // namespace tirxcc::passes
