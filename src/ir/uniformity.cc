// SPDX-License-Identifier: Apache-2.0
#include "ir/uniformity.h"

#include <algorithm>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/traverse.h"
#include "ir/warp.h"

namespace tirxcc::ir {
namespace {

Uniformity join(Uniformity a, Uniformity b) {
  return std::max(a, b);
}

}  // namespace

UniformityAnalysis::UniformityAnalysis(const Kernel& kernel, bool no_restrict)
    : no_restrict_(no_restrict) {
  find_writes(kernel);
  find_warps(kernel.launch);
  // Levels only rise, and there are four: this ends.
  do {
    changed_ = false;
    walk(kernel.body, Uniformity::Grid);
  } while (changed_);
}

void UniformityAnalysis::find_writes(const Kernel& kernel) {
  auto note = [&](const Tensor* tensor) {
    written_.insert(tensor);
    any_param_written_ = any_param_written_ || tensor->is_param;
  };
  walk_stmts(kernel.body, [&](const Stmt& stmt) {
    if (const auto* store = as<Store>(&stmt)) note(store->tensor);
    if (const auto* store = as<VectorStore>(&stmt)) note(store->tensor);
    for_each_operand(stmt, [&](const Expr& root) {
      walk_exprs(root, [&](const Expr& expr) {  // a pointer into it may be written through
        if (const auto* address = as<AddressOf>(&expr)) note(address->tensor);
      });
    });
  });
}

void UniformityAnalysis::find_warps(const LaunchConfig& launch) {
  for (int axis = 0; axis < 3; ++axis) {
    is_single_[axis] = launch.block[axis] == nullptr || is_int_value(launch.block[axis], 1);
    is_single_grid_[axis] = launch.grid[axis] == nullptr || is_int_value(launch.grid[axis], 1);
  }
  is_linear_ = is_single_[1] && is_single_[2];
  const IntImm* row = as_int(launch.block[0]);
  has_row_warps_ = is_linear_ || (row != nullptr && row->value % kWarpSize == 0);
}

void UniformityAnalysis::raise(const void* thing, Uniformity level) {
  Uniformity& known = levels_.try_emplace(thing, Uniformity::Grid).first->second;
  if (level <= known) return;
  known = level;
  changed_ = true;
}

Uniformity UniformityAnalysis::level_of(const void* thing) const {
  auto found = levels_.find(thing);
  return found == levels_.end() ? Uniformity::Grid : found->second;
}

Uniformity UniformityAnalysis::control(const Stmt* stmt) const {
  auto found = control_.find(stmt);
  return found == control_.end() ? Uniformity::Thread : found->second;
}

// How far memory at one address is the same: what nobody writes is the same for all.
Uniformity UniformityAnalysis::of_tensor(const Tensor* tensor) const {
  if (tensor->scope == Scope::Local) return Uniformity::Thread;
  bool may_change = written_.contains(tensor) || tensor->escapes || !tensor->is_param ||
                    (no_restrict_ && any_param_written_);
  return may_change ? Uniformity::Thread : Uniformity::Grid;
}

Uniformity UniformityAnalysis::of_index(const LaunchIndex& index) const {
  switch (index.index) {
    case LaunchIndexKind::BlockDim:
    case LaunchIndexKind::GridDim: return Uniformity::Grid;
    case LaunchIndexKind::BlockIdx:
      return is_single_grid_[index.axis] ? Uniformity::Grid : Uniformity::Block;
    case LaunchIndexKind::WarpId: return Uniformity::Warp;
    case LaunchIndexKind::ThreadIdx:
      if (is_single_[index.axis]) return Uniformity::Grid;
      return index.axis > 0 && has_row_warps_ ? Uniformity::Warp : Uniformity::Thread;
  }
  return Uniformity::Thread;
}

// `thread_idx("x") // 32` and `thread_idx("x") >> 5`, where a warp lies in one row.
bool UniformityAnalysis::is_warp_number(const Binary& node) const {
  const auto* index = as<LaunchIndex>(node.a);
  const IntImm* literal = as_int(node.b);
  if (!has_row_warps_ || index == nullptr || literal == nullptr) return false;
  if (index->index != LaunchIndexKind::ThreadIdx || index->axis != 0) return false;
  if (node.op == BinaryOp::ShiftRight) return literal->value >= 5;
  bool is_division = node.op == BinaryOp::FloorDiv || node.op == BinaryOp::TruncDiv;
  return is_division && literal->value > 0 && literal->value % kWarpSize == 0;
}

// Votes, and the value of one lane: the same in all threads that arrive together, if they agree on
// the other operands. Where lanes form smaller groups each group has a value of its own.
Uniformity UniformityAnalysis::of_gathered(const Call& call) const {
  const intrinsics::Intrinsic& row = *call.callee;
  bool is_block = row.convergence == intrinsics::Convergence::Block;
  Uniformity level = is_block ? Uniformity::Block : Uniformity::Warp;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    if (static_cast<int>(i) == row.gathers) continue;
    bool is_width = row.params[i] == intrinsics::Shape::Width;
    if (is_width && !is_int_value(call.args[i], kWarpSize)) return Uniformity::Thread;
    level = join(level, of(call.args[i]));
  }
  return level;
}

Uniformity UniformityAnalysis::of_call(const Call& call) const {
  if (call.callee->gathers >= 0) return of_gathered(call);
  bool pure = call.callee->effect == intrinsics::Effect::Pure &&
              call.callee->convergence == intrinsics::Convergence::Thread;
  if (!pure) return Uniformity::Thread;
  Uniformity level = Uniformity::Grid;
  for (const Expr* arg : call.args)
    level = join(level, of(arg));
  return level;
}

Uniformity UniformityAnalysis::of(const Expr* expr) const {
  if (const auto* ref = as<VarRef>(expr)) return level_of(ref->var);
  if (const auto* read = as<LocalRead>(expr)) return level_of(read->local);
  if (const auto* lane = as<LaneRead>(expr)) return level_of(lane->vector);
  if (const auto* index = as<LaunchIndex>(expr)) return of_index(*index);
  if (const auto* call = as<Call>(expr)) return of_call(*call);
  Uniformity level = Uniformity::Grid;
  for_each_child(*expr, [&](const Expr& child) { level = join(level, of(&child)); });
  if (const auto* load = as<Load>(expr)) return join(level, of_tensor(load->tensor));
  if (const auto* load = as<VectorLoad>(expr)) return join(level, of_tensor(load->tensor));
  if (const auto* address = as<AddressOf>(expr)) {
    if (address->tensor->scope == Scope::Local) return Uniformity::Thread;
    return join(level, address->tensor->is_param ? Uniformity::Grid : Uniformity::Block);
  }
  if (const auto* binary = as<Binary>(expr); binary != nullptr && is_warp_number(*binary)) {
    return std::min(level, Uniformity::Warp);
  }
  return level;
}

UniformityAnalysis::Escapes UniformityAnalysis::walk(StmtList list, Uniformity level) {
  Escapes all;
  for (const Stmt* stmt : list) {
    auto [place, is_new] = control_.try_emplace(stmt, level);
    place->second = join(place->second, level);
    Escapes escapes = walk_one(*stmt, place->second);
    for (const Escape& escape : escapes) {
      level = join(level, escape.level);
      bool known = std::any_of(all.begin(), all.end(), [&](const Escape& other) {
        return other.target == escape.target && other.to_next_turn == escape.to_next_turn &&
               other.level >= escape.level;
      });
      if (!known) all.push_back(escape);
    }
  }
  return all;
}

UniformityAnalysis::Escapes UniformityAnalysis::walk_one(const Stmt& stmt, Uniformity level) {
  if (const auto* let = as<Let>(&stmt)) raise(let->var, of(let->value));
  if (const auto* assign = as<Assign>(&stmt)) {
    raise(assign->local, join(level, of(assign->value)));
  }
  if (const auto* lane = as<LaneStore>(&stmt)) raise(lane->vector, join(level, of(lane->value)));
  if (const auto* declare = as<DeclareLocal>(&stmt)) {
    if (declare->local->address_taken) raise(declare->local, Uniformity::Thread);
  }
  if (const auto* branch = as<If>(&stmt)) return walk_if(*branch, level);
  if (const auto* loop = as<For>(&stmt)) {
    raise(loop->var, of(loop->begin));
    return walk_loop(stmt, loop->body, join(join(level, of(loop->begin)), of(loop->end)));
  }
  if (const auto* loop = as<CountedFor>(&stmt)) {
    raise(loop->var, join(of(loop->start), of(loop->step)));
    return walk_loop(stmt, loop->body, join(level, of(loop->turns)));
  }
  if (const auto* loop = as<While>(&stmt)) {
    return walk_loop(stmt, loop->body, join(level, of(loop->condition)));
  }
  if (const auto* block = as<Block>(&stmt)) {
    Escapes escapes = walk(block->body, level);
    std::erase_if(escapes, [&](const Escape& escape) {
      return block->label != nullptr && escape.target == block->label;
    });
    return escapes;
  }
  if (const auto* leave = as<Leave>(&stmt)) return {{leave->label, level}};
  if (is<Break>(&stmt)) return {{loops_.back(), level}};
  if (is<Continue>(&stmt)) return {{loops_.back(), level, true}};
  if (is<ThreadReturn>(&stmt) || is<Return>(&stmt)) return {{nullptr, level}};
  return {};
}

UniformityAnalysis::Escapes UniformityAnalysis::walk_if(const If& branch, Uniformity level) {
  Escapes all;
  for (const IfClause& clause : branch.clauses) {
    level = join(level, of(clause.condition));
    Escapes escapes = walk(clause.body, level);
    all.insert(all.end(), escapes.begin(), escapes.end());
  }
  Escapes escapes = walk(branch.else_body, level);
  all.insert(all.end(), escapes.begin(), escapes.end());
  return all;
}

UniformityAnalysis::Escapes UniformityAnalysis::walk_loop(const Stmt& loop, StmtList body,
                                                          Uniformity level) {
  // Whoever left the loop is missing in its later turns, from the first statement on.
  level = join(level, level_of(&loop));
  loops_.push_back(&loop);
  Escapes escapes = walk(body, level);
  loops_.pop_back();
  for (const Escape& escape : escapes) {
    if (escape.target != &loop || !escape.to_next_turn) raise(&loop, escape.level);
  }
  std::erase_if(escapes, [&](const Escape& escape) { return escape.target == &loop; });
  return escapes;
}

}  // namespace tirxcc::ir
