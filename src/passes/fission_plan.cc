// SPDX-License-Identifier: Apache-2.0
//
// See fission_plan.h.
#include "passes/fission_plan.h"

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
namespace {

using ir::Uniformity;

bool is_loop(const ir::Stmt* stmt) {
  return ir::is<ir::For>(stmt) || ir::is<ir::CountedFor>(stmt) || ir::is<ir::While>(stmt);
}

// The variable that counts the loop's turns; null if the statement has none.
const ir::Var* turn_of(const ir::Stmt& stmt) {
  if (const auto* loop = ir::as<ir::For>(&stmt)) return loop->var;
  const auto* counted = ir::as<ir::CountedFor>(&stmt);
  return counted != nullptr ? counted->var : nullptr;
}

bool is_elect(const ir::Call& call) {
  return call.callee->special == intrinsics::Special::ElectSync;
}

bool is_sync(const ir::Call& call) {
  return call.callee->convergence != intrinsics::Convergence::Thread;
}

// Kernels whose only meeting of threads is elect_sync need no fission: lanes run in their order.
bool needs_fission(const ir::Kernel& kernel) {
  bool needs = false;
  ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) {
    const auto* alloc = ir::as<ir::Alloc>(&stmt);
    needs |= alloc != nullptr && alloc->tensor->scope != ir::Scope::Local;
  });
  ir::walk_exprs(kernel.body, [&](const ir::Expr& expr) {
    const auto* call = ir::as<ir::Call>(&expr);
    needs |= call != nullptr && is_sync(*call) && !is_elect(*call);
  });
  return needs;
}

}  // namespace

bool FissionPlan::has_sync(const ir::Expr& expr) {
  return ir::any_expr(expr, [](const ir::Expr& e) {
    const auto* call = ir::as<ir::Call>(&e);
    return call != nullptr && is_sync(*call);
  });
}

FissionPlan::FissionPlan(const ir::Kernel& kernel) : uniformity_(kernel) {
  is_needed_ = kernel.kind == ir::KernelKind::Device && needs_fission(kernel);
  if (!is_needed_) return;
  find_sync(kernel.body);
  // What is raised makes more places the block's, and jumps to these matter too.
  for (std::size_t before = 0; before != block_level_.size();) {
    before = block_level_.size();
    jumps_.clear();
    jump_order_.clear();
    find_jumps(kernel.body);
    raise_uniform_jumps();
  }
  find_candidates(kernel);
  has_uneven_jumps_ = !jumps_.empty();  // until it is known
  // Taking one scalar out of the block's may make others uneven.
  while (!settle(kernel.body)) {
  }
  find_native_jumps();
  if (!has_uneven_jumps_) {
    std::erase_if(uneven_, [](const auto& entry) {
      return entry.second.kind == UnevenCause::Kind::Name ||
             entry.second.kind == UnevenCause::Kind::Turn;
    });
    while (!settle(kernel.body)) {
    }
  }
}

// Marks what has a barrier or warp operation inside; returns whether the list has.
bool FissionPlan::find_sync(ir::StmtList list) {
  bool any = false;
  for (const ir::Stmt* stmt : list) {
    if (!open_.empty()) parents_[stmt] = open_.back();
    bool has = false;
    ir::for_each_operand(*stmt, [&](const ir::Expr& expr) { has = has || has_sync(expr); });
    open_.push_back(stmt);
    ir::for_each_body(*stmt, [&](ir::StmtList body) { has |= find_sync(body); });
    open_.pop_back();
    if (has) block_level_.insert(stmt);
    any |= has;
  }
  return any;
}

void FissionPlan::find_jumps(ir::StmtList list) {
  for (const ir::Stmt* stmt : list) {
    if (const auto* leave = ir::as<ir::Leave>(stmt)) {
      note_jump(stmt, {leave->label, false});
    } else if (ir::is<ir::ThreadReturn>(stmt)) {
      note_jump(stmt, {nullptr, false});
    } else if (ir::is<ir::Break>(stmt) || ir::is<ir::Continue>(stmt)) {
      for (std::size_t i = open_.size(); i-- > 0;) {
        if (!is_loop(open_[i])) continue;
        note_jump(stmt, {open_[i], ir::is<ir::Continue>(stmt)});
        break;
      }
    }
    open_.push_back(stmt);
    ir::for_each_body(*stmt, [&](ir::StmtList body) { find_jumps(body); });
    open_.pop_back();
  }
}

// Only jumps to places of the block matter: others stay inside a thread's own statements.
void FissionPlan::note_jump(const ir::Stmt* jump, JumpTarget target) {
  Jump noted{target, {}};
  for (std::size_t i = open_.size(); i-- > 0;) {
    const ir::Stmt* around = open_[i];
    if (is_loop(around) && block_level_.contains(around)) noted.loops.push_back(around);
    const auto* block = ir::as<ir::Block>(around);
    const bool is_label = block != nullptr && block->label != nullptr;
    if (around == target.place || (is_label && block->label == target.place)) {
      if (!block_level_.contains(around)) return;
      if (target.to_next_turn) noted.loops.pop_back();
      break;
    }
  }
  jumps_[jump] = noted;
  jump_order_.push_back(jump);
}

// An if that decides for all threads alike about such a jump is the block's own.
void FissionPlan::raise_uniform_jumps() {
  for (const ir::Stmt* jump : jump_order_) {
    if (uniformity_.control(jump) > Uniformity::Block) continue;
    std::vector<const ir::Stmt*> between;
    bool can_raise = true;
    for (auto at = parents_.find(jump); at != parents_.end(); at = parents_.find(at->second)) {
      const ir::Stmt* around = at->second;
      if (block_level_.contains(around)) break;
      can_raise = can_raise && !is_loop(around);
      between.push_back(around);
    }
    if (can_raise) block_level_.insert(between.begin(), between.end());
  }
}

bool FissionPlan::is_in_block_list(const ir::Stmt* stmt) const {
  const auto parent = parents_.find(stmt);
  return parent == parents_.end() || block_level_.contains(parent->second);
}

void FissionPlan::find_candidates(const ir::Kernel& kernel) {
  std::unordered_set<const ir::Local*> refused;
  ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) {
    const auto* declare = ir::as<ir::DeclareLocal>(&stmt);
    const auto* assign = ir::as<ir::Assign>(&stmt);
    const auto* lane = ir::as<ir::LaneStore>(&stmt);
    if (lane != nullptr) {
      refused.insert(lane->vector);
      refuse(lane->vector, UnevenCause::Kind::Differs, stmt.span);
    }
    if (declare == nullptr && assign == nullptr) return;
    const ir::Local* local = declare != nullptr ? declare->local : assign->local;
    ir::LocalRead read;
    read.kind = ir::ExprKind::LocalRead;
    read.dtype = local->dtype;
    read.local = local;
    const bool is_candidate = !local->address_taken && local->dtype.is_scalar() &&
                              is_in_block_list(&stmt) &&
                              uniformity_.of(&read) <= Uniformity::Block &&
                              uniformity_.control(&stmt) <= Uniformity::Block;
    if (is_candidate) {
      block_locals_.insert(local);
    } else {
      refused.insert(local);
      refuse(local,
             local->address_taken ? UnevenCause::Kind::AddressTaken : UnevenCause::Kind::Differs,
             stmt.span);
    }
  });
  for (const ir::Local* local : refused)
    block_locals_.erase(local);
}

void FissionPlan::refuse(const ir::Local* local, UnevenCause::Kind why, ir::Span span) {
  uneven_.try_emplace(local, Uneven{why, span});
}

// Finds the even names and native statements of the block's lists, in program order. False if a
// mutable scalar had to be given up.
bool FissionPlan::settle(ir::StmtList list) {
  bool is_settled = true;
  for (const ir::Stmt* stmt : list) {
    is_settled &= settle_one(*stmt);
    if (!block_level_.contains(stmt)) continue;
    ir::for_each_body(*stmt, [&](ir::StmtList body) { is_settled &= settle(body); });
  }
  return is_settled;
}

bool FissionPlan::settle_one(const ir::Stmt& stmt) {
  const bool loads = may_load(stmt);
  if (const auto* let = ir::as<ir::Let>(&stmt)) {
    const ir::Expr* part = uneven_part(*let->value, false);
    if (part == nullptr) {
      even_vars_.insert(let->var);
    } else {
      even_vars_.erase(let->var);
      uneven_.try_emplace(let->var, Uneven{UnevenCause::Kind::Name, stmt.span, part});
    }
    return true;
  }
  if (const auto* assign = ir::as<ir::Assign>(&stmt)) {
    if (!block_locals_.contains(assign->local)) return true;
    const ir::Expr* part = uneven_part(*assign->value, false);
    if (part == nullptr) return true;
    block_locals_.erase(assign->local);
    uneven_.insert_or_assign(assign->local, Uneven{UnevenCause::Kind::Scalar, stmt.span, part});
    return false;
  }
  if (!block_level_.contains(&stmt)) return true;
  const ir::Expr* part = nullptr;
  ir::for_each_operand(stmt, [&](const ir::Expr& expr) {
    if (part == nullptr) part = uneven_part(expr, loads);
  });
  const ir::Var* turn = turn_of(stmt);
  if (part == nullptr && (ir::is<ir::If>(&stmt) || is_loop(&stmt))) {
    native_.insert(&stmt);
    uneven_.erase(&stmt);
    if (turn != nullptr) even_vars_.insert(turn);
  } else {
    native_.erase(&stmt);
    uneven_.insert_or_assign(&stmt, Uneven{UnevenCause::Kind::ByTurns, stmt.span, part});
    if (turn != nullptr) {
      even_vars_.erase(turn);
      uneven_.try_emplace(turn, Uneven{UnevenCause::Kind::Turn, stmt.span, part});
    }
  }
  return true;
}

bool FissionPlan::is_native(const ir::Stmt* stmt) const {
  return native_.contains(stmt);
}

void FissionPlan::find_native_jumps() {
  has_uneven_jumps_ = false;
  for (const ir::Stmt* jump : jump_order_) {
    const Jump& noted = jumps_.at(jump);
    bool is_native = uniformity_.control(jump) <= Uniformity::Block;
    for (auto at = parents_.find(jump); at != parents_.end(); at = parents_.find(at->second)) {
      const ir::Stmt* around = at->second;
      is_native = is_native && block_level_.contains(around) &&
                  (ir::is<ir::Block>(around) || native_.contains(around));
      const auto* block = ir::as<ir::Block>(around);
      const bool is_label = block != nullptr && block->label != nullptr;
      if (around == noted.target.place || (is_label && block->label == noted.target.place)) break;
    }
    if (is_native) {
      native_jumps_.insert(jump);
      continue;
    }
    has_uneven_jumps_ = true;
    for (const ir::Stmt* left : noted.loops)
      uneven_exits_[left].push_back(noted.target);
  }
}

std::vector<JumpTarget> FissionPlan::uneven_exits(const ir::Stmt* loop) const {
  const auto found = uneven_exits_.find(loop);
  return found == uneven_exits_.end() ? std::vector<JumpTarget>() : found->second;
}

// Memory may be read for the block where all threads certainly come by together.
bool FissionPlan::may_load(const ir::Stmt& stmt) const {
  return !has_uneven_jumps_ && uniformity_.control(&stmt) <= Uniformity::Block;
}

// What cannot be even whatever it is made of.
bool FissionPlan::is_uneven_leaf(const ir::Expr& expr, bool loads) const {
  if (ir::is<ir::IntImm>(&expr) || ir::is<ir::FloatImm>(&expr)) return false;
  if (const auto* ref = ir::as<ir::VarRef>(&expr)) {
    const bool is_given =
        ref->var->kind == ir::VarKind::Param || ref->var->kind == ir::VarKind::Symbol;
    return !is_given && !even_vars_.contains(ref->var);
  }
  if (const auto* read = ir::as<ir::LocalRead>(&expr)) return !block_locals_.contains(read->local);
  if (const auto* index = ir::as<ir::LaunchIndex>(&expr)) {
    return index->index != ir::LaunchIndexKind::BlockIdx &&
           index->index != ir::LaunchIndexKind::BlockDim &&
           index->index != ir::LaunchIndexKind::GridDim;
  }
  if (ir::is<ir::Load>(&expr)) return !loads || uniformity_.of(&expr) > Uniformity::Block;
  if (const auto* binary = ir::as<ir::Binary>(&expr)) {
    using Op = ir::BinaryOp;
    const bool can_trap =
        binary->dtype.is_int() && (binary->op == Op::FloorDiv || binary->op == Op::FloorMod ||
                                   binary->op == Op::TruncDiv || binary->op == Op::TruncMod);
    const ir::IntImm* divisor = ir::as_int(binary->b);
    return can_trap && !loads && (divisor == nullptr || divisor->value == 0);
  }
  if (const auto* call = ir::as<ir::Call>(&expr)) {
    return call->callee->effect != intrinsics::Effect::Pure || is_sync(*call);
  }
  return !ir::is<ir::Unary>(&expr) && !ir::is<ir::Select>(&expr) && !ir::is<ir::Cast>(&expr);
}

const ir::Expr* FissionPlan::uneven_part(const ir::Expr& expr, bool loads) const {
  if (is_uneven_leaf(expr, loads)) return &expr;
  const ir::Expr* part = nullptr;
  ir::for_each_child(expr, [&](const ir::Expr& child) {
    if (part == nullptr) part = uneven_part(child, loads);
  });
  return part;
}

std::vector<UnevenCause> FissionPlan::why_uneven(const ir::Stmt& stmt) const {
  constexpr std::size_t kLongest = 6;
  using Kind = UnevenCause::Kind;
  std::vector<UnevenCause> chain;
  const Uneven* step = &uneven_.at(&stmt);
  if (step->part == nullptr) return {{Kind::ByTurns, {}, stmt.span}};
  while (chain.size() < kLongest) {
    const ir::Expr& part = *step->part;
    const auto* ref = ir::as<ir::VarRef>(&part);
    const auto* read = ir::as<ir::LocalRead>(&part);
    if (ref == nullptr && read == nullptr) {
      const auto* call = ir::as<ir::Call>(&part);
      const auto* load = ir::as<ir::Load>(&part);
      const Kind kind = ir::is<ir::LaunchIndex>(&part) ? Kind::ThreadIndex
                        : load != nullptr              ? Kind::Memory
                        : ir::is<ir::Binary>(&part)    ? Kind::Division
                                                       : Kind::Operation;
      chain.push_back({kind,
                       call != nullptr   ? call->callee->name
                       : load != nullptr ? load->tensor->name
                                         : std::string_view(),
                       part.span});
      break;
    }
    const void* thing = ref != nullptr ? static_cast<const void*>(ref->var) : read->local;
    const std::string_view name = ref != nullptr ? ref->var->name : read->local->name;
    const auto found = uneven_.find(thing);
    if (found == uneven_.end()) break;
    step = &found->second;
    chain.push_back({step->kind, name, step->span});
    if (step->part == nullptr) break;
  }
  return chain;
}

void FissionPlan::describe(const ir::Kernel& kernel, CpuFacts& facts) const {
  ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) {
    if (const auto* declare = ir::as<ir::DeclareLocal>(&stmt)) {
      if (is_block_local(declare->local)) facts.block_scalars.push_back(declare->local);
    }
    const bool is_control = ir::is<ir::If>(&stmt) || is_loop(&stmt);
    if (!is_control || !is_block_level(&stmt)) return;
    facts.controls.push_back(
        {&stmt, is_native(&stmt) ? std::vector<UnevenCause>() : why_uneven(stmt)});
  });
  for (const ir::Stmt* jump : jump_order_) {
    if (!is_native_jump(jump)) facts.jumps.push_back({jump->span, jump->kind});
  }
}

}  // namespace tirxcc::passes
