// SPDX-License-Identifier: Apache-2.0
//
// See warp_groups.h.
#include "passes/warp_groups.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "intrinsics/intrinsics.h"
#include "ir/rewriter.h"
#include "ir/traverse.h"
#include "ir/warp.h"

namespace tirxcc::passes {
namespace {

using ir::BinaryOp;
using ir::Expr;
using ir::kWarpSize;
using ir::Stmt;
using ir::StmtList;

// A warp's part of a loop over warps: another name for its number.
class Renamed : public ir::Rewriter<Renamed> {
 public:
  using Rewriter::map;
  Renamed(Arena& arena, const ir::Var* from, const ir::Var* to)
      : Rewriter(arena), from_(from), to_(to) {}
  const ir::Var* map(const ir::Var* var) { return var == from_ ? to_ : var; }

 private:
  const ir::Var* from_;
  const ir::Var* to_;
};

// Places in a warp and numbers of warps, where a region computes them from the thread's number; and
// arrays of one group, which have no row for each warp any more.
class Places : public ir::Rewriter<Places> {
 public:
  using Rewriter::on_expr;
  using Rewriter::on_stmt;
  using Arrays = std::unordered_map<const ir::Tensor*, const ir::Tensor*>;
  Places(Arena& arena, const BlockArrays& arrays, std::span<const ir::WarpRegion> regions,
         const Arrays& shrunk)
      : Rewriter(arena), arrays_(arrays), regions_(regions), shrunk_(shrunk) {}

  void on_stmt(const ir::Block& block) {
    const auto found = std::find_if(regions_.begin(), regions_.end(),
                                    [&](const auto& known) { return known.region == block.label; });
    if (found == regions_.end()) return emit(rebuild(block));
    region_ = &*found;
    const StmtList body = rewrite(block.body);
    region_ = nullptr;
    // Pass thread_loops has the lane's number at hand.
    std::vector<const Stmt*> made = {
        build().stmt<ir::Let>(block.span, found->lane, arrays_.lane(block.span))};
    made.insert(made.end(), body.begin(), body.end());
    emit(build().stmt<ir::Block>(block.span, block.label, StmtList(arena().copy(made))));
  }
  void on_stmt(const ir::Let& let) {
    if (region_ != nullptr && is_thread(*let.value)) threads_.insert(let.var);
    emit(rebuild(let));
  }
  void on_stmt(const ir::Store& store) {
    const auto found = shrunk_.find(store.tensor);
    if (found == shrunk_.end()) return emit(rebuild(store));
    ir::Store made = store;
    made.tensor = found->second;
    made.indices = rewrite_exprs(store.indices).subspan(1);
    made.value = rewrite(store.value);
    emit(arena().make<ir::Store>(made));
  }
  const Expr* on_expr(const ir::Load& load) {
    const auto found = shrunk_.find(load.tensor);
    if (found == shrunk_.end()) return rebuild(load);
    ir::Load made = load;
    made.tensor = found->second;
    made.indices = rewrite_exprs(load.indices).subspan(1);
    return arena().make<ir::Load>(made);
  }
  const Expr* on_expr(const ir::LaunchIndex& index) {
    if (region_ == nullptr || index.index != ir::LaunchIndexKind::WarpId) return &index;
    return build().var(region_->warp, index.span);
  }
  const Expr* on_expr(const ir::Binary& node) {
    const ir::IntImm* imm = region_ != nullptr ? ir::as_int(node.b) : nullptr;
    const bool is_place =
        imm != nullptr && node.op == BinaryOp::BitAnd && imm->value >= 0 && imm->value < kWarpSize;
    const bool is_warp = imm != nullptr && node.op == BinaryOp::ShiftRight && imm->value >= 5;
    if ((!is_place && !is_warp) || !is_thread(*node.a)) return rebuild(node);
    if (is_warp) {
      return build().fold_binary(BinaryOp::ShiftRight, build().var(region_->warp, node.span),
                                 build().int_imm(kInt32, imm->value - 5, node.span), node.span);
    }
    const Expr* lane = build().var(region_->lane, node.span);
    if (imm->value == kWarpSize - 1) return lane;
    return build().make_binary(BinaryOp::BitAnd, lane, node.b, node.span);
  }

 private:
  bool is_thread(const Expr& expr) const {
    if (const auto* ref = ir::as<ir::VarRef>(&expr)) return threads_.contains(ref->var);
    return ir::equal(&expr, arrays_.thread(expr.span));
  }

  const BlockArrays& arrays_;
  std::span<const ir::WarpRegion> regions_;
  const Arrays& shrunk_;
  const ir::WarpRegion* region_ = nullptr;
  std::unordered_set<const ir::Var*> threads_;
};

bool has_load(const Expr& expr) {
  return ir::any_expr(expr, [](const Expr& e) { return ir::is<ir::Load>(&e); });
}

}  // namespace

WarpGroups::WarpGroups(const Fission& fission, BlockArrays& arrays, PassContext& context)
    : fission_(fission), arrays_(arrays), context_(context), build_(context.arena) {}

// A statement of the block's with other bodies.
template <typename F>
const Stmt* WarpGroups::with_bodies(const Stmt& stmt, F&& body) {
  const auto loop = [&](auto made) -> const Stmt* {
    made.body = body(made.body);
    return context_.arena.make<decltype(made)>(made);
  };
  if (const auto* node = ir::as<ir::For>(&stmt)) return loop(*node);
  if (const auto* node = ir::as<ir::CountedFor>(&stmt)) return loop(*node);
  if (const auto* node = ir::as<ir::While>(&stmt)) return loop(*node);
  if (const auto* node = ir::as<ir::Block>(&stmt)) return loop(*node);
  const auto* branch = ir::as<ir::If>(&stmt);
  if (branch == nullptr) return &stmt;
  ir::If made = *branch;
  std::vector<ir::IfClause> clauses(branch->clauses.begin(), branch->clauses.end());
  for (ir::IfClause& clause : clauses)
    clause.body = body(clause.body);
  made.clauses = context_.arena.copy(clauses);
  made.else_body = body(branch->else_body);
  return context_.arena.make<ir::If>(made);
}

StmtList WarpGroups::group(StmtList program) {
  if (!arrays_.has_whole_warps()) return program;
  Stmts made;
  Stmts group;
  for (const Stmt* stmt : program) {
    const auto* block = ir::as<ir::Block>(stmt);
    const auto* let = ir::as<ir::Let>(stmt);
    if (block != nullptr && fission_.is_region(block->label)) {
      if (fission_.is_behind_barrier(block->label)) close(group, made);
      group.push_back(stmt);
    } else if (fission_.is_warp_loop(stmt)) {
      group.push_back(stmt);
    } else if (const ir::Var* warp = fission_.warp_of(stmt)) {
      close(group, made);
      made.push_back(with_bodies(*stmt, [&](StmtList body) { return in_warp(body, warp); }));
    } else if (let != nullptr && !has_load(*let->value)) {
      made.push_back(stmt);  // the same before the regions
    } else {
      close(group, made);
      made.push_back(with_bodies(*stmt, [&](StmtList body) { return this->group(body); }));
    }
  }
  close(group, made);
  return context_.arena.copy(made);
}

// What the warp runs by itself already.
StmtList WarpGroups::in_warp(StmtList list, const ir::Var* warp) {
  Stmts made;
  for (const Stmt* stmt : list) {
    const auto* block = ir::as<ir::Block>(stmt);
    if (block != nullptr && fission_.is_region(block->label)) {
      add_region(*block, warp);
      made.push_back(stmt);
    } else if (fission_.is_warp_loop(stmt)) {
      append_turn(*ir::as<ir::For>(stmt), warp, made);
    } else {
      made.push_back(with_bodies(*stmt, [&](StmtList body) { return in_warp(body, warp); }));
    }
  }
  return context_.arena.copy(made);
}

void WarpGroups::add_region(const ir::Block& region, const ir::Var* warp) {
  regions_.push_back({region.label, warp, make_var("lane", ir::VarKind::Let, region.span)});
}

// The warp's turn of a loop over warps.
void WarpGroups::append_turn(const ir::For& loop, const ir::Var* warp, Stmts& made) {
  for (const Stmt* stmt : Renamed(context_.arena, loop.var, warp).rewrite(loop.body))
    made.push_back(stmt);
}

const ir::Var* WarpGroups::make_var(const char* name, ir::VarKind kind, ir::Span span) {
  return context_.arena.make<ir::Var>(std::string_view(name), kInt32, span, kind);
}

// Of one region alone its loop over all threads is the better form.
void WarpGroups::close(Stmts& group, Stmts& made) {
  const auto regions = std::count_if(
      group.begin(), group.end(), [&](const Stmt* stmt) { return !fission_.is_warp_loop(stmt); });
  if (regions < 2) {
    made.insert(made.end(), group.begin(), group.end());
    return group.clear();
  }
  ir::For loop{{ir::StmtKind::For, group[0]->span}};
  loop.var = make_var("warp", ir::VarKind::Loop, loop.span);
  loop.begin = build_.int_imm(kInt32, 0, loop.span);
  loop.end = build_.int_imm(kInt32, arrays_.most_threads() / kWarpSize, loop.span);
  Stmts body;
  for (const Stmt* stmt : group) {
    if (const auto* region = ir::as<ir::Block>(stmt)) {
      add_region(*region, loop.var);
      body.push_back(stmt);
    } else {
      append_turn(*ir::as<ir::For>(stmt), loop.var, body);
    }
  }
  loop.body = context_.arena.copy(body);
  made.push_back(context_.arena.make<ir::For>(loop));
  group.clear();
}

StmtList WarpGroups::finish(StmtList program) {
  if (regions_.empty()) return program;
  std::unordered_set<const ir::Var*> warps;
  for (const ir::WarpRegion& region : regions_)
    warps.insert(region.warp);
  // A loop over warps, or a list that begins with the number of one.
  const auto warp_of = [&](const Stmt& stmt) -> const ir::Var* {
    const auto* loop = ir::as<ir::For>(&stmt);
    const auto* block = ir::as<ir::Block>(&stmt);
    const auto* let =
        block != nullptr && !block->body.empty() ? ir::as<ir::Let>(block->body[0]) : nullptr;
    const ir::Var* var = loop != nullptr ? loop->var : let != nullptr ? let->var : nullptr;
    return warps.contains(var) ? var : nullptr;
  };
  // Of an array with a row for each warp: the group that uses it; null: several.
  std::unordered_map<const ir::Tensor*, const ir::Var*> users;
  const ir::Var* group = nullptr;
  const auto use = [&](const ir::Tensor* tensor) {
    const auto [found, is_new] = users.try_emplace(tensor, group);
    if (!is_new && found->second != group) found->second = nullptr;
  };
  const auto enter = [&](const Stmt& stmt) {
    if (const ir::Var* warp = warp_of(stmt)) group = warp;
    if (const auto* store = ir::as<ir::Store>(&stmt)) use(store->tensor);
    ir::for_each_operand(stmt, [&](const Expr& expr) {
      ir::walk_exprs(expr, [&](const Expr& e) {
        if (const auto* load = ir::as<ir::Load>(&e)) use(load->tensor);
      });
    });
  };
  const auto leave = [&](const Stmt& stmt) {
    if (group != nullptr && warp_of(stmt) == group) group = nullptr;
  };
  ir::walk_stmts(program, enter, leave);
  Places::Arrays shrunk;
  for (const ir::Tensor* tensor : arrays_.warp_rows()) {
    const auto found = users.find(tensor);
    if (found != users.end() && found->second != nullptr) {
      shrunk[tensor] = arrays_.without_rows(tensor);
    }
  }
  return Places(context_.arena, arrays_, regions_, shrunk).rewrite(program);
}

}  // namespace tirxcc::passes
