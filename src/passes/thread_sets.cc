// SPDX-License-Identifier: Apache-2.0
//
// See thread_sets.h. Each node is computed for all threads of the block before its parent is.
#include "passes/thread_sets.h"

#include "ir/builder.h"
#include "ir/constant.h"
#include "ir/traverse.h"
#include "ir/warp.h"

namespace tirxcc::passes {

using ir::Expr;

// Of a condition, with the names in it that were not met before.
constexpr int kMostNodes = 64;

std::optional<ThreadSet> ThreadSets::of(const Expr& condition) {
  if (all().none()) return std::nullopt;
  int budget = kMostNodes;
  const Values truths = values(condition, budget);
  if (truths.empty()) return std::nullopt;
  ThreadSet set;
  for (std::size_t thread = 0; thread < truths.size(); ++thread)
    set[thread] = truths[thread] != 0;
  return set;
}

ThreadSet ThreadSets::all() const {
  const std::int64_t threads = kernel_.launch.static_threads();
  if (threads <= 0 || threads > static_cast<std::int64_t>(kMostBlockThreads)) return {};
  return ~ThreadSet() >> (kMostBlockThreads - static_cast<std::size_t>(threads));
}

ThreadSets::Values ThreadSets::indices(const ir::LaunchIndex& index) const {
  std::int64_t sizes[3];
  for (int axis = 0; axis < 3; ++axis) {
    const Expr* extent = kernel_.launch.block[axis];
    const ir::IntImm* size = extent != nullptr ? ir::as_int(extent) : nullptr;
    sizes[axis] = size != nullptr ? size->value : 1;
  }
  const bool is_place = index.index == ir::LaunchIndexKind::ThreadIdx;
  if (!is_place && index.index != ir::LaunchIndexKind::WarpId) return {};
  Values made;
  const std::int64_t threads = kernel_.launch.static_threads();
  for (std::int64_t thread = 0; thread < threads; ++thread) {
    const std::int64_t places[] = {thread % sizes[0], thread / sizes[0] % sizes[1],
                                   thread / sizes[0] / sizes[1]};
    made.push_back(is_place ? places[index.axis] : thread / ir::kWarpSize);
  }
  return made;
}

void ThreadSets::find_names() {
  has_names_ = true;
  ir::walk_stmts(kernel_.body, [&](const ir::Stmt& stmt) {
    if (const auto* let = ir::as<ir::Let>(&stmt)) names_[let->var] = let->value;
  });
}

const ThreadSets::Values& ThreadSets::named(const ir::Var* var, int& budget) {
  const auto known = known_.find(var);
  if (known != known_.end()) return known->second;
  if (!has_names_) find_names();
  const auto found = names_.find(var);
  Values made;
  if (found != names_.end()) made = values(*found->second, budget);
  return known_[var] = std::move(made);
}

ThreadSets::Values ThreadSets::values(const Expr& expr, int& budget) {
  if (--budget < 0 || !expr.dtype.is_int_or_bool()) return {};
  if (const auto* index = ir::as<ir::LaunchIndex>(&expr)) return indices(*index);
  if (const auto* ref = ir::as<ir::VarRef>(&expr)) return named(ref->var, budget);
  if (const auto* imm = ir::as_int(&expr)) {
    const auto value = ir::int_value(*imm);
    if (value > INT64_MAX) return {};
    return Values(all().count(), static_cast<std::int64_t>(value));
  }
  if (const auto* unary = ir::as<ir::Unary>(&expr)) {
    Values made = unary->op == ir::UnaryOp::Not ? values(*unary->a, budget) : Values();
    for (std::int64_t& value : made)
      value = value == 0;
    return made;
  }
  if (const auto* cast = ir::as<ir::Cast>(&expr)) {
    if (cast->is_bits || !cast->a->dtype.is_int_or_bool()) return {};
    Values made = values(*cast->a, budget);
    for (std::int64_t& value : made) {
      if (cast->dtype.is_bool()) value = value != 0;
      if (!cast->dtype.is_bool() && !cast->dtype.can_hold(value)) return {};
    }
    return made;
  }
  const auto* node = ir::as<ir::Binary>(&expr);
  if (node == nullptr || !node->a->dtype.is_int_or_bool()) return {};
  Values made = values(*node->a, budget);
  if (made.empty()) return {};
  const Values b = values(*node->b, budget);
  if (b.empty()) return {};
  for (std::size_t thread = 0; thread < made.size(); ++thread) {
    const auto value = ir::fold_ints(node->op, node->a->dtype, made[thread], b[thread]);
    if (!value || *value < INT64_MIN || *value > INT64_MAX) return {};
    made[thread] = static_cast<std::int64_t>(*value);
  }
  return made;
}

}  // namespace tirxcc::passes
