// SPDX-License-Identifier: Apache-2.0
//
// Kernels that know their place along x by one number only: `block_idx.x * 256 + thread_idx.x` with
// blocks of 256 along x, or `block_idx.x` with blocks of one. For them all blocks of a row are one
// loop along x, whose turns are long runs of consecutive elements; in a launch of one dimension
// that is all of grid and block.
#pragma once

#include <array>
#include <unordered_set>

#include "ir/ir.h"

namespace tirxcc::passes {

// A size of a launch: 1 if it is not given, 0 if it is known at the launch only.
std::int64_t constant_extent(const ir::Expr* extent);

// The largest constant that a block index is multiplied by, for each axis: blocks cover that many
// elements.
std::array<std::int64_t, 3> block_strides(const ir::Kernel& kernel);

class GlobalIndex {
 public:
  GlobalIndex() = default;
  enum class Widths : std::uint8_t { Int32, Any };
  // Looks whether the kernel's body asks for nothing of the launch but that number, which must stay
  // within int32 for grids of up to `max_grid` blocks. Widths::Any: kernels may also compute it in
  // int64 (`T.int64(block_idx.x) * 256 + thread_idx.x`), since no launch is larger than that.
  GlobalIndex(const ir::Kernel& kernel, std::int64_t max_grid, Widths widths);

  bool is_only_index() const { return is_only_; }
  // Whether the launch has one dimension.
  bool is_flat() const { return is_flat_; }
  // Whether the launch has the shape for it, and the first part of the body that asks for more.
  bool has_shape() const { return has_shape_; }
  const ir::Expr* blocker() const { return blocker_; }
  std::int64_t block_size() const { return block_size_; }
  // Whether the expression is the number.
  bool matches(const ir::Expr& expr) const;
  // Whether the statement names a part of it (`tx = thread_idx.x`) and nothing else uses the name.
  bool names_part(const ir::Let& let) const { return is_only_ && parts_.contains(let.var); }

 private:
  bool find_sizes(const ir::LaunchConfig& launch, std::int64_t max_grid);
  // The first part of the expression that asks for more than the number; null: none does.
  const ir::Expr* other_demand(const ir::Expr& expr) const;
  bool is_part(const ir::Expr* expr, ir::LaunchIndexKind kind) const;
  bool is_fixed_shape(const ir::Tensor* tensor) const;

  Widths widths_ = Widths::Int32;
  std::int64_t block_size_ = 0;
  bool is_flat_ = true;
  bool is_only_ = false;
  bool has_shape_ = false;
  const ir::Expr* blocker_ = nullptr;
  std::unordered_set<const ir::Var*> parts_;
  std::unordered_set<const ir::Var*> block_parts_;  // those of them that are block_idx.x
};

}  // namespace tirxcc::passes
