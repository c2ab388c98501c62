// SPDX-License-Identifier: Apache-2.0
//
// The part of thread_loops that knows the launch: how large grid and block are, or may be, the
// variables for what only the launch knows, and their ranges.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ir/builder.h"
#include "ir/cpu_kernel.h"

namespace tirxcc::passes {

inline constexpr char kAxisNames[] = {'x', 'y', 'z'};

class LaunchNames {
 protected:
  // `big_grid`: grid * block may exceed int32.
  LaunchNames(Arena& arena, const ir::Kernel& kernel, bool big_grid);

  const ir::Var* make_var(const std::string& name, DType type, ir::VarKind kind);
  void note_range(const ir::Var* var, std::int64_t low, std::int64_t high) {
    ranges_.push_back({var, low, high});
  }
  // Sizes of arguments that int64 symbols stand for: the call is checked.
  void note_sizes();
  // An int64 literal.
  const ir::Expr* wide(std::int64_t value) const;

  // Extents: literals, or variables that the entry binds; int64, and as the kernel asks for them.
  const ir::Expr* wide_block(int axis);
  const ir::Expr* wide_grid(int axis);
  const ir::Expr* block_size(int axis, ir::Span span);
  const ir::Expr* grid_size(int axis, ir::Span span);

  // The kernel's symbols and behind them the variables of the launch, which it counts.
  std::span<const ir::Var* const> with_launch_symbols();

  const ir::Kernel& kernel_;
  ir::CpuKernel result_;
  std::vector<ir::VarRange> ranges_;
  std::array<std::int64_t, 3> block_extent_{};  // 0: known at launch only
  std::array<std::int64_t, 3> grid_extent_{};

 private:
  const ir::Expr* extent(const ir::Var*& var, const char* name, int axis, std::int64_t most);

  Arena& launch_arena_;
  ir::Builder launch_build_;
};

}  // namespace tirxcc::passes
