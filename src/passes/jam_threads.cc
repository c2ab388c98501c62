// SPDX-License-Identifier: Apache-2.0
//
// See jam_threads.h.
#include "passes/jam_threads.h"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "intrinsics/intrinsics.h"
#include "ir/rewriter.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
namespace {

using ir::BinaryOp;
using ir::Expr;
using ir::Stmt;
using ir::StmtList;

constexpr int kLanes = 8;
// Statements and expressions of a body that is worth eight copies.
constexpr int kMostNodes = 160;

// Whether a body can run for several threads side by side, and whether that is worth it.
class Candidate {
 public:
  explicit Candidate(const ir::For& loop) {
    own_.insert(loop.var);
    check(loop.body);
  }
  bool is_good() const { return is_possible_ && has_loop_ && nodes_ <= kMostNodes; }

 private:
  void check(StmtList list) {
    for (const Stmt* stmt : list) {
      if (!is_possible_ || nodes_ > kMostNodes) return;
      ++nodes_;
      check_one(*stmt);
      ir::for_each_operand(*stmt, [&](const Expr& expr) { count(expr); });
    }
  }
  void check_one(const Stmt& stmt) {
    if (const auto* loop = ir::as<ir::For>(&stmt)) {
      is_possible_ = is_possible_ && is_common(*loop->begin) && is_common(*loop->end);
      has_loop_ = true;
      ++depth_;
      check(loop->body);
      --depth_;
      return;
    }
    if (const auto* let = ir::as<ir::Let>(&stmt)) own_.insert(let->var);
    const auto* block = ir::as<ir::Block>(&stmt);
    if (block != nullptr && block->label == nullptr) return check(block->body);
    is_possible_ = is_possible_ && (ir::is<ir::Let>(&stmt) || ir::is<ir::DeclareLocal>(&stmt) ||
                                    ir::is<ir::Assign>(&stmt) || ir::is<ir::Store>(&stmt));
  }
  // The bounds of an inner loop must be those of all threads.
  bool is_common(const Expr& expr) const {
    return !ir::any_expr(expr, [&](const Expr& e) {
      const auto* ref = ir::as<ir::VarRef>(&e);
      if (ref != nullptr) return own_.contains(ref->var);
      return !ir::is<ir::IntImm>(&e) && !ir::is<ir::Binary>(&e) && !ir::is<ir::Unary>(&e) &&
             !ir::is<ir::Cast>(&e);
    });
  }
  void count(const Expr& expr) {
    ir::walk_exprs(expr, [&](const Expr& e) {
      ++nodes_;
      const auto* call = ir::as<ir::Call>(&e);
      const bool is_calm = call == nullptr || call->callee->effect == intrinsics::Effect::Pure;
      is_possible_ = is_possible_ && is_calm && !ir::is<ir::VectorLoad>(&e);
    });
  }

  std::unordered_set<const ir::Var*> own_;  // of one thread
  bool is_possible_ = true;
  bool has_loop_ = false;
  int depth_ = 0;
  int nodes_ = 0;
};

// One thread's copy of names and scalars.
class Lane : public ir::Rewriter<Lane> {
 public:
  using Rewriter::map;
  using Rewriter::on_expr;
  using Rewriter::on_stmt;
  Lane(Arena& arena, const std::string& suffix) : Rewriter(arena), suffix_(suffix) {}

  void replace(const ir::Var* var, const Expr* value) { values_[var] = value; }
  const Stmt* copy(const Stmt& stmt) {
    const Stmt* one[] = {&stmt};
    return rewrite(StmtList(one))[0];
  }

  const Expr* on_expr(const ir::VarRef& ref) {
    if (const auto found = values_.find(ref.var); found != values_.end()) return found->second;
    const ir::Var* mapped = map(ref.var);
    return mapped == ref.var ? &ref : build().var(mapped, ref.span);
  }
  void on_stmt(const ir::Let& let) {
    auto* made = arena().make<ir::Var>(*let.var);
    const std::string name = std::string(let.var->name) + suffix_;
    made->name = arena().copy_string(name);
    const Expr* value = rewrite(let.value);
    vars_[let.var] = made;
    emit(build().stmt<ir::Let>(let.span, static_cast<const ir::Var*>(made), value));
  }
  void on_stmt(const ir::DeclareLocal& declare) {
    auto* made = arena().make<ir::Local>(*declare.local);
    const std::string name = std::string(declare.local->name) + suffix_;
    made->name = arena().copy_string(name);
    locals_[declare.local] = made;
    emit(build().stmt<ir::DeclareLocal>(declare.span, static_cast<const ir::Local*>(made)));
  }

  const ir::Var* map(const ir::Var* var) {
    const auto found = vars_.find(var);
    return found == vars_.end() ? var : found->second;
  }
  const ir::Local* map(const ir::Local* local) {
    const auto found = locals_.find(local);
    return found == locals_.end() ? local : found->second;
  }
  const ir::Tensor* map(const ir::Tensor* tensor) { return rewrite_tensor(tensor); }
  const std::unordered_map<const ir::Var*, const ir::Var*>& vars() const { return vars_; }

 private:
  std::string suffix_;
  std::unordered_map<const ir::Var*, const Expr*> values_;
  std::unordered_map<const ir::Var*, const ir::Var*> vars_;
  std::unordered_map<const ir::Local*, const ir::Local*> locals_;
};

class JamThreads : public ir::Rewriter<JamThreads> {
 public:
  using Rewriter::on_expr;
  using Rewriter::on_stmt;
  JamThreads(const ir::CpuKernel& kernel, Arena& arena)
      : Rewriter(arena), innermost_(kernel.innermost_loops.begin(), kernel.innermost_loops.end()) {
    for (const ir::VarRange& range : kernel.ranges)
      ranges_[range.var] = range;
  }

  template <typename T>
  const Expr* on_expr(const T& node) {
    return &node;
  }
  void on_stmt(const ir::For& loop) {
    if (!innermost_.contains(loop.var)) return emit(rebuild(loop));
    if (!Candidate(loop).is_good()) return emit(&loop);
    jam(loop);
  }
  const std::vector<ir::VarRange>& new_ranges() const { return new_ranges_; }
  bool has_jammed() const { return has_jammed_; }

 private:
  void jam(const ir::For& loop) {
    const ir::Span span = loop.span;
    has_jammed_ = true;
    const auto name = [&](const char* suffix) {
      const std::string text = std::string(loop.var->name) + suffix;
      return arena().make<ir::Var>(arena().copy_string(text), kInt64, span, ir::VarKind::Let);
    };
    const auto wide = [&](std::int64_t value) { return build().int_imm(kInt64, value, span); };
    const ir::Var* first = name("_first");
    const ir::Var* last = name("_last");
    const ir::Var* rest = name("_rest");
    emit(build().stmt<ir::Let>(span, first, loop.begin));
    emit(build().stmt<ir::Let>(span, last, loop.end));
    // first + max(last - first, 0) / 8 * 8
    const Expr* begin = build().var(first, span);
    const Expr* distance = build().make_binary(BinaryOp::Sub, build().var(last, span), begin, span);
    const Expr* whole = build().make_binary(BinaryOp::BitAnd, distance, wide(-kLanes), span);
    const Expr* is_any = build().make_binary(BinaryOp::Gt, distance, wide(0), span);
    whole = build().make_select(is_any, whole, wide(0), span);
    emit(build().stmt<ir::Let>(span, rest, build().make_binary(BinaryOp::Add, begin, whole, span)));
    ir::For wide_loop = loop;
    auto* counter = arena().make<ir::Var>(*loop.var);
    counter->name = arena().copy_string(std::string(loop.var->name) + "_0");
    wide_loop.var = counter;
    wide_loop.begin = begin;
    wide_loop.end = build().var(rest, span);
    wide_loop.step = kLanes;
    std::vector<Lane> lanes;
    for (int k = 0; k < kLanes; ++k) {
      lanes.emplace_back(arena(), "_" + std::to_string(k));
      lanes.back().replace(
          loop.var, build().fold_binary(BinaryOp::Add, build().var(counter, span), wide(k), span));
    }
    wide_loop.body = side_by_side(loop.body, lanes);
    emit(arena().make<ir::For>(wide_loop));
    for (const Lane& lane : lanes) {
      for (const auto& [old, made] : lane.vars()) {
        const auto range = ranges_.find(old);
        if (range != ranges_.end()) {
          new_ranges_.push_back({made, range->second.low, range->second.high});
        }
      }
    }
    ir::For left = loop;
    left.begin = build().var(rest, span);
    left.end = build().var(last, span);
    emit(arena().make<ir::For>(left));
  }

  // Inner loops run once for all lanes; every other statement, once for each.
  StmtList side_by_side(StmtList list, std::vector<Lane>& lanes) {
    std::vector<const Stmt*> made;
    for (const Stmt* stmt : list) {
      if (const auto* loop = ir::as<ir::For>(stmt)) {
        ir::For inner = *loop;
        auto* var = arena().make<ir::Var>(*loop->var);
        for (Lane& lane : lanes)
          lane.replace(loop->var, build().var(var, loop->span));
        inner.var = var;
        inner.begin = lanes[0].rewrite(loop->begin);
        inner.end = lanes[0].rewrite(loop->end);
        inner.body = side_by_side(loop->body, lanes);
        made.push_back(arena().make<ir::For>(inner));
        continue;
      }
      if (const auto* block = ir::as<ir::Block>(stmt)) {
        made.push_back(
            build().stmt<ir::Block>(block->span, block->label, side_by_side(block->body, lanes)));
        continue;
      }
      for (Lane& lane : lanes)
        made.push_back(lane.copy(*stmt));
    }
    return arena().copy(made);
  }

  std::unordered_set<const ir::Var*> innermost_;
  std::unordered_map<const ir::Var*, ir::VarRange> ranges_;
  std::vector<ir::VarRange> new_ranges_;
  bool has_jammed_ = false;
};

}  // namespace

const ir::CpuKernel& jam_threads(const ir::CpuKernel& kernel, PassContext& context) {
  if (kernel.innermost_loops.empty()) return kernel;
  JamThreads jam(kernel, context.arena);
  const StmtList body = jam.rewrite(kernel.kernel->body);
  if (!jam.has_jammed()) return kernel;
  ir::CpuKernel made = kernel;
  made.kernel = &ir::with_body(context.arena, *kernel.kernel, body);
  std::vector<ir::VarRange> ranges(kernel.ranges.begin(), kernel.ranges.end());
  ranges.insert(ranges.end(), jam.new_ranges().begin(), jam.new_ranges().end());
  made.ranges = context.arena.copy(ranges);
  made.has_jammed = true;
  return *context.arena.make<ir::CpuKernel>(made);
}

}  // namespace tirxcc::passes
