// SPDX-License-Identifier: Apache-2.0
//
// The questions of pass `vectorize`. See wide_access.h.
#include "passes/wide_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/constant.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
namespace {

using namespace ir;

constexpr std::int64_t kMostLanes = 64;
constexpr int kWidestBytes = 16;
constexpr std::size_t kMostGroups = 64;

bool mentions(const Expr* expr, const Var* var) {
  return any_expr(*expr, [&](const Expr& e) {
    const auto* ref = as<VarRef>(&e);
    return ref != nullptr && ref->var == var;
  });
}

std::int64_t power_of_two_in(std::int64_t value) {
  if (value == 0) return Multiples::kMost;
  return std::min(value & -value, Multiples::kMost);
}

// Adds scale * expr to the form; false if the lane is in it other than as a factor of constants.
bool add_linear(LinearOffset& form, const Expr* expr, std::int64_t scale, const Var* lane) {
  if (const IntImm* literal = as_int(expr)) {
    form.constant += scale * literal->value;
    return true;
  }
  if (const auto* ref = as<VarRef>(expr); ref != nullptr && ref->var == lane) {
    form.scale += scale;
    return true;
  }
  // A sign extension of a sum is the sum of the extensions: signed sums do not overflow.
  if (const auto* cast = as<Cast>(expr);
      cast != nullptr && !cast->is_bits && cast->dtype == kInt64 && cast->a->dtype == kInt32)
    return add_linear(form, cast->a, scale, lane);
  if (const auto* node = as<Binary>(expr)) {
    bool is_sum = node->op == BinaryOp::Add || node->op == BinaryOp::Sub;
    if (is_sum) {
      std::int64_t sign = node->op == BinaryOp::Add ? scale : -scale;
      return add_linear(form, node->a, scale, lane) && add_linear(form, node->b, sign, lane);
    }
    const IntImm* factor = as_int(node->b);
    if (node->op == BinaryOp::Mul && factor != nullptr && std::abs(factor->value) < (1 << 30))
      return add_linear(form, node->a, scale * factor->value, lane);
  }
  if (mentions(expr, lane)) return false;
  form.terms.push_back({expr, scale});
  return true;
}

// Walks a body and collects its accesses.
class AccessWalk {
 public:
  AccessWalk(LaneLoop& result, const Var* lane) : result_(result), lane_(lane) {}

  void body(StmtList list) {
    for (const Stmt* stmt : list)
      statement(*stmt);
    for (AccessGroup& group : result_.groups)
      group.offset.is_linear =
          group.offset.is_linear && !changes_between_lanes(*group.first_offset);
    if (result_.groups.size() > kMostGroups)
      stop(result_.loop->span, fmt::format("it has more than {} different accesses", kMostGroups));
  }

 private:
  void statement(const Stmt& stmt) {
    bool is_plain = is<Let>(&stmt) || is<DeclareLocal>(&stmt) || is<Assign>(&stmt) ||
                    is<Store>(&stmt) || is<Evaluate>(&stmt);
    if (!is_plain) return stop(stmt.span, "its body is not straight-line code");
    if (const auto* store = as<Store>(&stmt)) {
      expression(*store->indices[0], true);
      expression(*store->value, true);
      AccessGroup& group = access(store->tensor, store->indices[0], stmt.span);
      group.is_stored = true;
      group.is_certain = true;
      return;
    }
    if (const auto* let = as<Let>(&stmt)) made_.insert(let->var);
    if (const auto* assign = as<Assign>(&stmt)) made_.insert(assign->local);
    for_each_operand(stmt, [&](const Expr& expr) { expression(expr, true); });
  }

  // The offset needs something that the body makes or changes.
  bool changes_between_lanes(const Expr& offset) const {
    return any_expr(offset, [&](const Expr& e) {
      if (const auto* ref = as<VarRef>(&e)) return made_.contains(ref->var);
      if (const auto* read = as<LocalRead>(&e)) return made_.contains(read->local);
      if (const auto* load = as<Load>(&e)) return has_store_to(load->tensor);
      return is<Call>(&e);
    });
  }
  bool has_store_to(const Tensor* tensor) const {
    return std::any_of(result_.groups.begin(), result_.groups.end(), [&](const AccessGroup& group) {
      return group.tensor == tensor && group.is_stored;
    });
  }

  void stop(Span span, std::string_view why) {
    if (!result_.obstacle.empty()) return;
    result_.obstacle = why;
    result_.obstacle_span = span;
  }

  // `is_certain`: evaluated in every turn, not only on one side of a choice.
  void expression(const Expr& expr, bool is_certain) {
    if (const auto* load = as<Load>(&expr)) {
      expression(*load->indices[0], is_certain);
      AccessGroup& group = access(load->tensor, load->indices[0], expr.span);
      group.is_loaded = true;
      group.is_certain |= is_certain;
    } else if (const auto* select = as<Select>(&expr)) {
      expression(*select->condition, is_certain);
      expression(*select->a, false);
      expression(*select->b, false);
    } else if (const auto* binary = as<Binary>(&expr);
               binary != nullptr && is_logical(binary->op)) {
      expression(*binary->a, is_certain);
      expression(*binary->b, false);
    } else {
      if (is<AddressOf>(&expr)) stop(expr.span, "it takes an address");
      if (const auto* call = as<Call>(&expr)) examine(*call);
      for_each_child(expr, [&](const Expr& child) { expression(child, is_certain); });
    }
  }

  void examine(const Call& call) {
    bool is_harmless = call.callee->effect == intrinsics::Effect::Pure &&
                       call.callee->convergence == intrinsics::Convergence::Thread;
    if (!is_harmless) stop(call.span, fmt::format("it calls '{}'", call.callee->name));
  }

  AccessGroup& access(const Tensor* tensor, const Expr* offset, Span span) {
    for (AccessGroup& group : result_.groups) {
      if (group.tensor == tensor && equal(group.first_offset, offset)) return group;
    }
    if (result_.groups.size() > kMostGroups) return result_.groups.back();
    AccessGroup group{.tensor = tensor, .first_offset = offset, .span = span};
    group.offset = linear_offset(offset, lane_);
    result_.groups.push_back(std::move(group));
    return result_.groups.back();
  }

  LaneLoop& result_;
  const Var* lane_;
  std::unordered_set<const void*> made_;  // variables that the body binds or assigns
};

// Lanes of one access: as many as 16 bytes hold, or the largest part that divides the loop evenly.
std::int32_t lanes_of_access(DType type, std::int64_t lanes) {
  if (type.bytes() > kWidestBytes || !type.is_scalar()) return 0;
  std::int64_t part = kWidestBytes / type.bytes();
  while (part > 1 && lanes % part != 0)
    part /= 2;
  return part > 1 ? static_cast<std::int32_t>(part) : 0;
}

// "" if the group can be wide, else why not.
std::string why_not_wide(const LaneLoop& loop, AccessGroup& group, const Multiples& multiples) {
  std::string_view name = group.tensor->name;
  group.lanes = lanes_of_access(group.tensor->dtype, loop.lanes);
  if (group.lanes == 0)
    return fmt::format("{} elements of '{}' are no whole number of wide accesses", loop.lanes,
                       name);
  if (!group.is_certain) return fmt::format("'{}' is read on one side of a choice only", name);
  if (!group.offset.is_linear || group.offset.scale != 1)
    return fmt::format("the elements of '{}' are not next to each other", name);
  std::int64_t multiple = power_of_two_in(group.offset.constant + loop.begin);
  for (const LinearOffset::Term& term : group.offset.terms)
    multiple = std::min(multiple, std::min(multiples.of(term.expr) * power_of_two_in(term.scale),
                                           Multiples::kMost));
  if (multiple % group.lanes != 0)
    return fmt::format("the first element of '{}' is not known to be at a multiple of {}", name,
                       group.lanes);
  return "";
}

// Lanes of one group never touch an element that another lane of the other touches.
bool are_apart(const AccessGroup& a, const AccessGroup& b, std::int64_t lanes) {
  if (a.tensor != b.tensor || !a.offset.is_linear || !b.offset.is_linear) return false;
  if (a.offset.scale != 1 || b.offset.scale != 1 || !has_same_terms(a.offset, b.offset))
    return false;
  return std::abs(a.offset.constant - b.offset.constant) >= lanes;
}

// Wide loads move up and wide stores down over the statements of other lanes; nothing else on the
// same memory may be in between. Returns the tensor that forbids it.
const AccessGroup* find_conflict(const LaneLoop& loop, bool may_overlap) {
  auto can_share = [&](const AccessGroup& a, const AccessGroup& b) {
    if (a.tensor == b.tensor) return true;
    return may_overlap && a.tensor->scope == Scope::Global && b.tensor->scope == Scope::Global;
  };
  for (const AccessGroup& a : loop.groups) {
    if (!a.is_wide) continue;
    for (const AccessGroup& b : loop.groups) {
      bool is_harmful = &a != &b && (a.is_stored || b.is_stored) && can_share(a, b) &&
                        !are_apart(a, b, loop.lanes);
      if (is_harmful) return &b;
    }
  }
  return nullptr;
}

void decide_wide(LaneLoop& result, const Multiples& multiples, bool may_overlap) {
  std::string first_reason;
  Span first_span;
  bool any = false;
  for (AccessGroup& group : result.groups) {
    bool is_memory = group.tensor->scope != Scope::Local;
    bool moves = !group.offset.is_linear || group.offset.scale != 0;
    if (!is_memory || !moves) continue;
    std::string reason = why_not_wide(result, group, multiples);
    group.is_wide = reason.empty();
    any |= group.is_wide;
    if (!group.is_wide && first_reason.empty()) {
      first_reason = reason;
      first_span = group.span;
    }
  }
  if (const AccessGroup* other = find_conflict(result, may_overlap)) {
    for (AccessGroup& group : result.groups)
      group.is_wide = false;
    result.obstacle =
        fmt::format("a lane may touch what another one stores to '{}'", other->tensor->name);
    result.obstacle_span = other->span;
  } else if (!any) {
    result.obstacle = first_reason.empty() ? "it accesses no memory" : first_reason;
    result.obstacle_span = first_span.is_valid() ? first_span : result.loop->span;
  }
}

}  // namespace

LinearOffset linear_offset(const Expr* offset, const Var* lane) {
  LinearOffset form;
  form.is_linear = add_linear(form, offset, 1, lane);
  return form;
}

bool has_same_terms(const LinearOffset& a, const LinearOffset& b) {
  return std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end(),
                    [](const LinearOffset::Term& x, const LinearOffset::Term& y) {
                      return x.scale == y.scale && equal(x.expr, y.expr);
                    });
}

std::int64_t Multiples::of(const Expr* expr) const {
  if (const IntImm* literal = as_int(expr)) return power_of_two_in(literal->value);
  if (const auto* ref = as<VarRef>(expr)) {
    auto place = known_.find(ref->var);
    return place != known_.end() ? place->second : 1;
  }
  if (const auto* cast = as<Cast>(expr)) {
    bool is_int = !cast->is_bits && cast->a->dtype.is_int() && cast->dtype.is_int();
    // A cut keeps the low bits.
    return is_int ? of(cast->a) : 1;
  }
  if (const auto* unary = as<Unary>(expr)) return unary->op == UnaryOp::Neg ? of(unary->a) : 1;
  if (const auto* select = as<Select>(expr)) return std::min(of(select->a), of(select->b));
  if (const auto* binary = as<Binary>(expr)) return of_binary(*binary);
  return 1;
}

std::int64_t Multiples::of_binary(const Binary& node) const {
  const IntImm* right = as_int(node.b);
  switch (node.op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor: return std::min(of(node.a), of(node.b));
    case BinaryOp::BitAnd: return std::max(of(node.a), of(node.b));
    case BinaryOp::Mul: return std::min(of(node.a) * of(node.b), kMost);
    case BinaryOp::ShiftLeft:
      if (right == nullptr || right->value < 0 || right->value > 16) return of(node.a);
      return std::min(of(node.a) << right->value, kMost);
    case BinaryOp::FloorMod:
    case BinaryOp::TruncMod: return std::min(of(node.a), of(node.b));
    case BinaryOp::Div:
    case BinaryOp::FloorDiv:
    case BinaryOp::TruncDiv:
    case BinaryOp::ShiftRight:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge: return 1;
  }
  return 1;
}

LaneLoop analyse_lanes(const For& loop, const Multiples& multiples, bool may_overlap) {
  LaneLoop result{.loop = &loop};
  const IntImm* begin = as_int(loop.begin);
  const IntImm* end = as_int(loop.end);
  if (begin == nullptr || end == nullptr || loop.step != 1) {
    result.obstacle = "its bounds are no constants";
    result.obstacle_span = loop.span;
    return result;
  }
  result.begin = begin->value;
  result.lanes = end->value - begin->value;
  if (result.lanes < 2 || result.lanes > kMostLanes) {
    result.obstacle = fmt::format("it has {} lanes, not 2 to {}", result.lanes, kMostLanes);
    result.obstacle_span = loop.span;
    return result;
  }
  AccessWalk walk(result, loop.var);
  walk.body(loop.body);
  if (result.obstacle.empty()) decide_wide(result, multiples, may_overlap);
  return result;
}

const AccessGroup* find_group(const LaneLoop& lanes, const Tensor* tensor, const Expr* offset) {
  for (const AccessGroup& group : lanes.groups) {
    if (group.tensor == tensor && equal(group.first_offset, offset)) return &group;
  }
  return nullptr;
}

}  // namespace tirxcc::passes
