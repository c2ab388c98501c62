// SPDX-License-Identifier: Apache-2.0
//
// See grid_stride_loops.h. What comes before the loop, the loop, and what comes behind
// (grid_stride_parts.h) each become a loop over the threads of their own, with their own copies of
// the names before the loop.
#include "passes/grid_stride_loops.h"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/builder.h"
#include "ir/rewriter.h"
#include "ir/traverse.h"
#include "ir/value_ranges.h"
#include "passes/cpu_facts.h"
#include "passes/grid_stride_parts.h"

namespace tirxcc::passes {
namespace {

using ir::BinaryOp;
using ir::Expr;
using ir::Stmt;
using ir::StmtList;
using Stmts = std::vector<const Stmt*>;

constexpr std::int64_t kMostDistance = std::int64_t{1} << 33;

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
  using Lets = GridStrideParts::Lets;
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
    const std::optional<GridStrideParts> parts = take_apart_grid_stride(threads_, ranges_, build_);
    if (!parts) return false;
    parts_ = *parts;
    if (facts_ != nullptr) facts_->turned.push_back(parts_.span());
    emit_parts(made);
    return true;
  }

 private:
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
      if (let == nullptr || !parts_.lets.contains(let->var)) continue;
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
    for (const ir::Local* local : parts_.kept) {
      arrays[local] = array_for(local);
      if (facts_ != nullptr) facts_->kept.push_back({local->name, local->span, arrays[local]});
      made.push_back(build_.stmt<ir::Alloc>(local->span, arrays[local]));
    }
    for (const ir::Let* let : parts_.even)
      made.push_back(let);
    if (!parts_.kept.empty()) {
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
    ForFirst for_first(arena_, threads_, parts_.lets);
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
  GridStrideParts parts_;
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
