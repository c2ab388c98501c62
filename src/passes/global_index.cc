// SPDX-License-Identifier: Apache-2.0
//
// See global_index.h.
#include "passes/global_index.h"

#include <algorithm>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
using ir::LaunchIndexKind;

std::int64_t constant_extent(const ir::Expr* extent) {
  const ir::IntImm* imm = extent == nullptr ? nullptr : ir::as_int(extent);
  if (extent == nullptr) return 1;
  return imm == nullptr ? 0 : imm->value;
}

std::array<std::int64_t, 3> block_strides(const ir::Kernel& kernel) {
  constexpr std::int64_t kLargest = 1 << 20;
  std::array<std::int64_t, 3> strides = {1, 1, 1};
  const auto note = [&](const ir::Expr* index, const ir::Expr* factor) {
    const auto* block = ir::as<ir::LaunchIndex>(index);
    const ir::IntImm* imm = ir::as_int(factor);
    if (block == nullptr || block->index != LaunchIndexKind::BlockIdx || imm == nullptr) return;
    if (imm->value > 0) {
      strides[block->axis] = std::max(strides[block->axis], std::min(kLargest, imm->value));
    }
  };
  ir::walk_exprs(kernel.body, [&](const ir::Expr& expr) {
    const auto* product = ir::as<ir::Binary>(&expr);
    if (product == nullptr || product->op != ir::BinaryOp::Mul) return;
    note(product->a, product->b);
    note(product->b, product->a);
  });
  return strides;
}

GlobalIndex::GlobalIndex(const ir::Kernel& kernel, std::int64_t max_grid, Widths widths)
    : widths_(widths) {
  has_shape_ = find_sizes(kernel.launch, max_grid);
  if (!has_shape_) return;
  bool is_only = true;
  bool is_used = false;
  ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) {
    if (!is_only) return;
    const auto* let = ir::as<ir::Let>(&stmt);
    const auto* index = let == nullptr ? nullptr : ir::as<ir::LaunchIndex>(let->value);
    if (index != nullptr && index->axis == 0 && block_size_ > 1) {
      const bool is_block = index->index == LaunchIndexKind::BlockIdx;
      if (!is_block && index->index != LaunchIndexKind::ThreadIdx) is_only = false;
      parts_.insert(let->var);
      if (is_block) block_parts_.insert(let->var);
      return;
    }
    if (const auto* store = ir::as<ir::Store>(&stmt)) is_only &= is_fixed_shape(store->tensor);
    ir::for_each_operand(stmt, [&](const ir::Expr& expr) {
      if (blocker_ == nullptr) blocker_ = other_demand(expr);
      is_only = is_only && blocker_ == nullptr;
      is_used = is_used || ir::any_expr(expr, [&](const ir::Expr& e) { return matches(e); });
    });
  });
  is_only_ = is_only && is_used;
}

bool GlobalIndex::find_sizes(const ir::LaunchConfig& launch, std::int64_t max_grid) {
  for (int axis = 1; axis < 3; ++axis) {
    is_flat_ = is_flat_ && constant_extent(launch.grid[axis]) == 1 &&
               constant_extent(launch.block[axis]) == 1;
  }
  block_size_ = constant_extent(launch.block[0]);
  return block_size_ > 0 && max_grid <= INT32_MAX / block_size_;
}

bool GlobalIndex::is_part(const ir::Expr* expr, LaunchIndexKind kind) const {
  const auto* cast = ir::as<ir::Cast>(expr);
  if (cast != nullptr && widths_ == Widths::Any && cast->dtype == kInt64) {
    return cast->a->dtype == kInt32 && is_part(cast->a, kind);
  }
  if (const auto* index = ir::as<ir::LaunchIndex>(expr)) {
    return index->index == kind && index->axis == 0;
  }
  const auto* ref = ir::as<ir::VarRef>(expr);
  if (ref == nullptr || !parts_.contains(ref->var)) return false;
  return block_parts_.contains(ref->var) == (kind == LaunchIndexKind::BlockIdx);
}

bool GlobalIndex::matches(const ir::Expr& expr) const {
  if (block_size_ == 1) return expr.dtype == kInt32 && is_part(&expr, LaunchIndexKind::BlockIdx);
  const auto* sum = ir::as<ir::Binary>(&expr);
  if (sum == nullptr || sum->op != ir::BinaryOp::Add) return false;
  const auto is_start = [&](const ir::Expr* side) {
    const auto* product = ir::as<ir::Binary>(side);
    if (product == nullptr || product->op != ir::BinaryOp::Mul) return false;
    const bool is_forward = ir::is_int_value(product->b, block_size_);
    const ir::Expr* block = is_forward ? product->a : product->b;
    return is_part(block, LaunchIndexKind::BlockIdx) &&
           (is_forward || ir::is_int_value(product->a, block_size_));
  };
  return (is_start(sum->a) && is_part(sum->b, LaunchIndexKind::ThreadIdx)) ||
         (is_start(sum->b) && is_part(sum->a, LaunchIndexKind::ThreadIdx));
}

// Whatever of the launch occurs in the expression outside of the number. Calls that need the
// threads of a warp or block together ask for them.
const ir::Expr* GlobalIndex::other_demand(const ir::Expr& expr) const {
  if (matches(expr)) return nullptr;
  const auto* ref = ir::as<ir::VarRef>(&expr);
  const auto* call = ir::as<ir::Call>(&expr);
  const auto* load = ir::as<ir::Load>(&expr);
  const auto* address = ir::as<ir::AddressOf>(&expr);
  const auto* index = ir::as<ir::LaunchIndex>(&expr);
  const bool is_other_axis =
      index != nullptr && index->axis != 0 && index->index != LaunchIndexKind::WarpId;
  const bool asks =
      (index != nullptr && !is_other_axis) || (ref != nullptr && parts_.contains(ref->var)) ||
      (call != nullptr && call->callee->convergence != intrinsics::Convergence::Thread) ||
      (load != nullptr && !is_fixed_shape(load->tensor)) ||
      (address != nullptr && !is_fixed_shape(address->tensor));
  if (asks) return &expr;
  const ir::Expr* found = nullptr;
  ir::for_each_child(expr, [&](const ir::Expr& child) {
    if (found == nullptr) found = other_demand(child);
  });
  return found;
}

// Whether the tensor's layout does not depend on names of the launch.
bool GlobalIndex::is_fixed_shape(const ir::Tensor* tensor) const {
  const auto is_fixed = [&](const ir::Expr* expr) {
    return expr == nullptr || !ir::any_expr(*expr, [&](const ir::Expr& e) {
             const auto* ref = ir::as<ir::VarRef>(&e);
             return ir::is<ir::LaunchIndex>(&e) || (ref != nullptr && parts_.contains(ref->var));
           });
  };
  bool all = is_fixed(tensor->elem_offset);
  for (const ir::Expr* extent : tensor->shape)
    all = all && is_fixed(extent);
  for (const ir::Expr* stride : tensor->strides)
    all = all && is_fixed(stride);
  return all && tensor->scope != ir::Scope::Shared && tensor->scope != ir::Scope::SharedDyn;
}

}  // namespace tirxcc::passes
