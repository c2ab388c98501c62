// SPDX-License-Identifier: Apache-2.0
//
// Which threads of a block a condition holds for, where nothing but the thread's place decides:
// conditions of thread indices, warp numbers and literals, and of names for such values.
//
//   block 256:  t < 32               threads 0 to 31
//               t // 32 == 0         the same
//               t % 2 == 0           128 threads, of each warp some
//               t < n                not known
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/ir.h"

namespace tirxcc::passes {

constexpr std::size_t kMostBlockThreads = 1024;
using ThreadSet = std::bitset<kMostBlockThreads>;  // by number in the block, x fastest

class ThreadSets {
 public:
  explicit ThreadSets(const ir::Kernel& kernel) : kernel_(kernel) {}

  // nullopt where it is not known, or the size of the block is not.
  std::optional<ThreadSet> of(const ir::Expr& condition);
  // All threads of the block.
  ThreadSet all() const;

 private:
  // A value for each thread; empty: not known.
  using Values = std::vector<std::int64_t>;

  Values values(const ir::Expr& expr, int& budget);
  Values indices(const ir::LaunchIndex& index) const;
  const Values& named(const ir::Var* var, int& budget);
  void find_names();

  const ir::Kernel& kernel_;
  bool has_names_ = false;
  std::unordered_map<const ir::Var*, const ir::Expr*> names_;
  std::unordered_map<const ir::Var*, Values> known_;  // of names asked for so far
};

}  // namespace tirxcc::passes
