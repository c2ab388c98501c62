// SPDX-License-Identifier: Apache-2.0
//
// See lost_updates.h.
#include "passes/lost_updates.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/traverse.h"
#include "passes/store_kinds.h"

namespace tirxcc::passes {

using namespace ir;
using source::Diagnostic;
using source::Severity;

namespace {

constexpr Diagnostic kLostUpdate{
    "lost-update", Severity::Warning, ErrorClass::Value,
    "threads {} and {} change '{}', one element, at the same time; one of the changes is lost"};
constexpr Diagnostic kLostUpdates{
    "lost-updates", Severity::Warning, ErrorClass::Value,
    "threads whose '{}' is the same element change it at the same time; changes are lost"};

constexpr int kMostDepth = 8;

// The other operand of `S[x] + value`, `S[x] - value`; null for all else.
const Expr* addend_of(const Store& store) {
  const Expr* value = store.value;
  while (is<Cast>(value))
    value = as<Cast>(value)->a;
  const auto* sum = as<Binary>(value);
  if (sum == nullptr || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub)) return nullptr;
  const auto is_self = [&](const Expr* side) {
    while (is<Cast>(side))
      side = as<Cast>(side)->a;
    const auto* load = as<Load>(side);
    return load != nullptr && load->tensor == store.tensor;
  };
  if (is_self(sum->a)) return sum->b;
  return is_self(sum->b) && sum->op == BinaryOp::Add ? sum->a : nullptr;
}

bool is_number(const Expr* expr) {
  return is<IntImm>(expr) || is<FloatImm>(expr);
}

}  // namespace

void LostUpdates::check(const Store& store, Span target, const LaneValue& element,
                        const LaneSet& active, const LaneValues& lanes) {
  if (is_found_ || active.count() < 2 || !reads_itself(store)) return;
  const Expr* addend = addend_of(store);
  if (addend == nullptr) return;
  if (element.is_known()) {
    // An element of all threads is told of by racing_store.
    if (!element.is_one()) report_same(store, target, element, active, lanes);
    return;
  }
  if (!is_counted_by_data(store.indices)) return;
  const bool is_crowded = most_elements(store) < static_cast<std::int64_t>(active.count());
  if (!is_crowded && !is_number(addend)) return;
  is_found_ = true;
  note_cure(diags_.report(target, kLostUpdates, diags_.sources().text_of(target)), store,
            diags_.sources().text_of(addend->span));
}

void LostUpdates::report_same(const Store& store, Span target, const LaneValue& element,
                              const LaneSet& active, const LaneValues& lanes) {
  std::vector<std::pair<std::int64_t, int>> visits;
  visits.reserve(lanes.threads());
  bool is_rising = true;
  for (std::size_t lane = 0; lane < lanes.threads(); ++lane) {
    if (!active[lane]) continue;
    const std::int64_t place = element.at(lane);
    is_rising = is_rising && (visits.empty() || visits.back().first < place);
    visits.emplace_back(place, static_cast<int>(lane));
  }
  if (is_rising) return;
  std::sort(visits.begin(), visits.end());
  const auto found = std::adjacent_find(visits.begin(), visits.end(),
                                        [](auto a, auto b) { return a.first == b.first; });
  if (found == visits.end()) return;
  is_found_ = true;
  note_cure(
      diags_.report(target, kLostUpdate, lanes.name_of(found->second),
                    lanes.name_of(std::next(found)->second), diags_.sources().text_of(target)),
      store, diags_.sources().text_of(addend_of(store)->span));
}

void LostUpdates::note_cure(source::MessageBuilder message, const Store& store,
                            std::string_view value) {
  std::string indices;
  for (const Expr* index : store.indices) {
    indices += indices.empty() ? "" : ", ";
    indices += diags_.sources().text_of(index->span);
  }
  // The operand of `+=` may have no text of its own.
  const bool is_written = !value.empty() && !value.ends_with('=');
  message.note("'T.cuda.atomic_add({}.ptr_to([{}]), {})' adds without losing anything",
               store.tensor->name, indices, is_written ? value : "...");
}

// What decides the value: nothing but numbers and sizes, data that the thread looks up, or the
// thread itself (then threads may well have elements of their own).
LostUpdates::Origin LostUpdates::origin_of(const Expr& whole, int depth) const {
  if (depth > kMostDepth) return Origin::Thread;
  const Expr& expr = *reader_.value_of(&whole);
  if (const auto* load = as<Load>(&expr)) {
    const bool is_read_only = load->tensor->is_param && load->indices.size() > 0;
    if (!is_read_only) return Origin::Thread;
    bool is_each = false;
    for (const Expr* index : load->indices)
      is_each = is_each || origin_of(*index, depth + 1) != Origin::None;
    return is_each ? Origin::Data : Origin::None;
  }
  if (const auto* ref = as<VarRef>(&expr)) {
    const bool is_size = ref->var->kind == VarKind::Symbol || ref->var->kind == VarKind::Param;
    return is_size ? Origin::None : Origin::Thread;
  }
  if (is_number(&expr)) return Origin::None;
  const bool is_sum = is<Binary>(&expr) || is<Cast>(&expr) || is<Unary>(&expr);
  if (!is_sum) return Origin::Thread;
  Origin origin = Origin::None;
  for_each_child(
      expr, [&](const Expr& child) { origin = std::max(origin, origin_of(child, depth + 1)); });
  return origin;
}

bool LostUpdates::is_counted_by_data(ExprList indices) const {
  Origin origin = Origin::None;
  for (const Expr* index : indices)
    origin = std::max(origin, origin_of(*index, 0));
  return origin == Origin::Data;
}

// How many elements there are, or INT64_MAX.
std::int64_t LostUpdates::most_elements(const Store& store) const {
  std::int64_t most = 1;
  for (std::size_t dim = 0; dim < store.indices.size(); ++dim) {
    const IntImm* size = as_int(store.tensor->shape[dim]);
    std::int64_t extent = size == nullptr ? INT64_MAX : size->value;
    const auto* index = as<Binary>(reader_.value_of(store.indices[dim]));
    const IntImm* limit = index == nullptr ? nullptr : as_int(index->b);
    if (limit != nullptr && limit->value >= 0) {
      if (index->op == BinaryOp::BitAnd) extent = std::min(extent, limit->value + 1);
      if (index->op == BinaryOp::FloorMod) extent = std::min(extent, limit->value);
    }
    if (extent <= 0 || extent > INT32_MAX / most) return INT64_MAX;
    most *= extent;
  }
  return most;
}

}  // namespace tirxcc::passes
