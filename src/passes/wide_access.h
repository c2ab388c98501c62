// SPDX-License-Identifier: Apache-2.0
//
// What pass `vectorize` asks about a loop of lanes before it changes it: how an offset depends on
// the lane, what power of two divides it, and which accesses of the body can become wide.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/ir.h"

namespace tirxcc::passes {

// An offset as `scale * lane + terms + constant`.
struct LinearOffset {
  struct Term {
    const ir::Expr* expr = nullptr;
    std::int64_t scale = 1;
  };
  bool is_linear = false;
  std::int64_t scale = 0;
  std::int64_t constant = 0;
  std::vector<Term> terms = {};  // in the order of the sum
};
LinearOffset linear_offset(const ir::Expr* offset, const ir::Var* lane);
// Both have the same terms, so that they differ by a constant only.
bool has_same_terms(const LinearOffset& a, const LinearOffset& b);

// Powers of two that divide integer expressions. Wrapping keeps them, so types do not matter.
class Multiples {
 public:
  static constexpr std::int64_t kMost = 1 << 16;

  // The largest power of two up to kMost that is known to divide the value.
  std::int64_t of(const ir::Expr* expr) const;
  void define(const ir::Var* var, std::int64_t multiple) { known_[var] = multiple; }

 private:
  std::int64_t of_binary(const ir::Binary& node) const;

  std::unordered_map<const ir::Var*, std::int64_t> known_;
};

// All accesses of a body with the same tensor and the same offset.
struct AccessGroup {
  const ir::Tensor* tensor = nullptr;
  LinearOffset offset = {};
  const ir::Expr* first_offset = nullptr;  // as it stands in the body
  ir::Span span = {};
  bool is_loaded = false;
  bool is_stored = false;
  bool is_certain = false;  // some access of it happens in every turn
  bool is_wide = false;
  std::int32_t lanes = 0;  // of one wide access
};

struct LaneLoop {
  const ir::For* loop = nullptr;
  std::int64_t begin = 0;
  std::int64_t lanes = 0;
  std::vector<AccessGroup> groups = {};  // in the order of first access
  std::string obstacle = {};             // why nothing is wide; empty if something is
  ir::Span obstacle_span = {};
};

// Finds the accesses of a loop and decides which become wide. `may_overlap`: tensors may share
// memory.
LaneLoop analyse_lanes(const ir::For& loop, const Multiples& multiples, bool may_overlap);
// The group of an access; null if there is none.
const AccessGroup* find_group(const LaneLoop& lanes, const ir::Tensor* tensor,
                              const ir::Expr* offset);

}  // namespace tirxcc::passes
