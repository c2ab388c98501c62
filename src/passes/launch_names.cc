// SPDX-License-Identifier: Apache-2.0
//
// See launch_names.h.
#include "passes/launch_names.h"

#include <algorithm>

#include "abi/plan.h"
#include "passes/global_index.h"

namespace tirxcc::passes {

constexpr std::int64_t kMostThreads = 1024;
constexpr std::int64_t kGreatestInt = INT32_MAX;
// Room for `i + 1` and other small offsets from the last index of a grid.
constexpr std::int64_t kSlack = 1 << 16;

LaunchNames::LaunchNames(Arena& arena, const ir::Kernel& kernel, bool big_grid)
    : kernel_(kernel), launch_arena_(arena), launch_build_(arena) {
  const std::array<std::int64_t, 3> strides = block_strides(kernel);
  for (int axis = 0; axis < 3; ++axis) {
    block_extent_[axis] = constant_extent(kernel.launch.block[axis]);
    grid_extent_[axis] = constant_extent(kernel.launch.grid[axis]);
    result_.max_block[axis] = block_extent_[axis] > 0 ? block_extent_[axis] : kMostThreads;
    const std::int64_t covered = std::max(strides[axis], result_.max_block[axis]);
    result_.max_grid[axis] = big_grid                 ? kGreatestInt
                             : grid_extent_[axis] > 0 ? std::min(grid_extent_[axis], kGreatestInt)
                                                      : (kGreatestInt - kSlack) / covered;
  }
}

const ir::Var* LaunchNames::make_var(const std::string& name, DType type, ir::VarKind kind) {
  return launch_arena_.make<ir::Var>(launch_arena_.copy_string(name), type, kernel_.span, kind);
}

void LaunchNames::note_sizes() {
  for (const ir::Param& param : kernel_.params) {
    if (param.tensor == nullptr) continue;
    for (const ir::Expr* extent : param.tensor->shape) {
      const auto* size = ir::as<ir::VarRef>(extent);
      if (size == nullptr || size->var->kind != ir::VarKind::Symbol) continue;
      if (size->var->dtype == kInt64) note_range(size->var, 0, abi::kMostElements64);
    }
  }
}

const ir::Expr* LaunchNames::wide(std::int64_t value) const {
  return launch_build_.int_imm(kInt64, value, kernel_.span);
}

const ir::Expr* LaunchNames::extent(const ir::Var*& var, const char* name, int axis,
                                    std::int64_t most) {
  if (var == nullptr) {
    var = make_var(std::string(name) + kAxisNames[axis], kInt64, ir::VarKind::Symbol);
    note_range(var, 1, most);
  }
  return launch_build_.var(var, kernel_.span);
}

const ir::Expr* LaunchNames::wide_block(int axis) {
  if (block_extent_[axis] > 0) return wide(block_extent_[axis]);
  return extent(result_.block[axis], "block_size_", axis, result_.max_block[axis]);
}

const ir::Expr* LaunchNames::wide_grid(int axis) {
  if (grid_extent_[axis] > 0) return wide(grid_extent_[axis]);
  return extent(result_.grid[axis], "grid_size_", axis, result_.max_grid[axis]);
}

const ir::Expr* LaunchNames::block_size(int axis, ir::Span span) {
  return launch_build_.fold_cast(kInt32, wide_block(axis), span);
}

const ir::Expr* LaunchNames::grid_size(int axis, ir::Span span) {
  return launch_build_.fold_cast(kInt32, wide_grid(axis), span);
}

std::span<const ir::Var* const> LaunchNames::with_launch_symbols() {
  std::vector<const ir::Var*> symbols(kernel_.symbols.begin(), kernel_.symbols.end());
  const auto append = [&](const ir::Var* var) {
    if (var == nullptr) return;
    symbols.push_back(var);
    ++result_.launch_symbols;
  };
  append(result_.first_block);
  append(result_.last_block);
  for (int axis = 0; axis < 3; ++axis)
    append(result_.grid[axis]);
  for (int axis = 0; axis < 3; ++axis)
    append(result_.block[axis]);
  append(result_.shared_bytes);
  return launch_arena_.copy(symbols);
}

}  // namespace tirxcc::passes
