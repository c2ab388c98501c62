// SPDX-License-Identifier: Apache-2.0
//
// See lane_values.h. Values are computed in int64; one that its type could not hold is unknown, and
// so is whatever would wrap.
#include "passes/lane_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/warp.h"

namespace tirxcc::passes {

using namespace ir;

namespace {

constexpr std::int64_t kSize = 1 << 20;
constexpr std::int64_t kMostThreads = 1024;
constexpr int kMostDepth = 24;
constexpr std::int64_t kLargest = std::int64_t{1} << 40;

}  // namespace

LaneValues::LaneValues(const Kernel& kernel, int blocks) : launch_(kernel.launch) {
  const std::int64_t threads = launch_.static_threads();
  if (threads <= 0 || threads > kMostThreads) return;
  threads_ = static_cast<std::size_t>(threads);
  for (int axis = 0; axis < 3; ++axis) {
    const IntImm* size = launch_.block[axis] == nullptr ? nullptr : as_int(launch_.block[axis]);
    if (size != nullptr) sizes_[axis] = static_cast<std::size_t>(size->value);
  }
  const std::int64_t most = blocks > 1 && launch_.grid[0] != nullptr ? known_blocks() : 1;
  count_ = threads_ * static_cast<std::size_t>(std::min<std::int64_t>(blocks, most));
  all_ = ~LaneSet() >> (kMostLanes - count_);
}

// How many along x are worth looking at: a few if it is known how many there are, else two.
std::int64_t LaneValues::known_blocks() {
  constexpr std::int64_t kManyLanes = 512;
  count_ = threads_;
  const LaneValue grid = of(*launch_.grid[0]);
  if (!grid.is_known() || grid.at(0) < 2) return 1;
  if (grid.is_assumed()) return 2;
  const auto threads = static_cast<std::int64_t>(threads_);
  return std::min(grid.at(0), std::max<std::int64_t>(2, kManyLanes / threads));
}

template <typename F>
LaneValue LaneValues::each(const LaneValue& a, const LaneValue& b, F&& f) {
  const bool is_assumed = a.is_assumed() || b.is_assumed();
  if (a.is_one() && b.is_one()) return LaneValue(f(a.at(0), b.at(0)), is_assumed);
  std::vector<std::int64_t> made(count_);
  if (b.is_one()) {
    const std::int64_t other = b.at(0);
    for (std::size_t lane = 0; lane < count_; ++lane)
      made[lane] = f(a.at(lane), other);
  } else {
    for (std::size_t lane = 0; lane < count_; ++lane)
      made[lane] = f(a.at(lane), b.at(lane));
  }
  cost_ += static_cast<int>(count_);
  return LaneValue(std::move(made), is_assumed);
}

LaneValue LaneValues::held_by(DType type, LaneValue value, std::size_t count) {
  std::int64_t least = value.at(0);
  std::int64_t most = least;
  if (!value.is_one()) {
    for (std::size_t lane = 1; lane < count; ++lane) {
      const std::int64_t one = value.at(lane);
      least = std::min(least, one);
      most = std::max(most, one);
    }
  }
  const bool is_small = least >= -kLargest && most <= kLargest;
  if (!is_small || !type.can_hold(least) || !type.can_hold(most)) return {};
  return value;
}

LaneValue LaneValues::compare(BinaryOp op, DType type, const LaneValue& a, const LaneValue& b) {
  if (!a.is_known() || !b.is_known()) return {};
  // What sizes are to each other, or to a number, is not for us to say.
  if (is_comparison(op) && a.is_one() && b.is_one() && (a.is_assumed() || b.is_assumed())) {
    return {};
  }
  return compute(op, type, a, b);
}

LaneValue LaneValues::compute(BinaryOp op, DType type, const LaneValue& a, const LaneValue& b) {
  using Int = std::int64_t;
  const auto is_natural = [&](const LaneValue& value) {
    for (std::size_t lane = 0; lane < (value.is_one() ? 1 : count_); ++lane) {
      if (value.at(lane) < 0) return false;
    }
    return true;
  };
  const bool is_divisible = b.is_one() && b.at(0) > 0;
  const bool is_shiftable = b.is_one() && b.at(0) >= 0 && b.at(0) < 32;
  switch (op) {
    case BinaryOp::Add: return held_by(type, each(a, b, std::plus<>()), count_);
    case BinaryOp::Sub: return held_by(type, each(a, b, std::minus<>()), count_);
    case BinaryOp::Mul: {
      constexpr Int kSmall = Int{1} << 22;
      if (b.is_one() ? std::abs(b.at(0)) > kSmall : !a.is_one() || std::abs(a.at(0)) > kSmall) {
        return {};
      }
      return held_by(type, each(a, b, std::multiplies<>()), count_);
    }
    case BinaryOp::FloorDiv:
    case BinaryOp::TruncDiv:
      return is_divisible && is_natural(a) ? each(a, b, std::divides<>()) : LaneValue();
    case BinaryOp::FloorMod:
    case BinaryOp::TruncMod:
      return is_divisible && is_natural(a) ? each(a, b, std::modulus<>()) : LaneValue();
    case BinaryOp::BitAnd: return each(a, b, std::bit_and<>());
    case BinaryOp::BitOr: return each(a, b, std::bit_or<>());
    case BinaryOp::BitXor: return each(a, b, std::bit_xor<>());
    case BinaryOp::ShiftRight:
      return is_shiftable ? each(a, b, [](Int x, Int y) { return x >> y; }) : LaneValue();
    case BinaryOp::ShiftLeft:
      if (!is_shiftable || !is_natural(a)) return {};
      return held_by(type, each(a, b, [](Int x, Int y) { return x << y; }), count_);
    case BinaryOp::And: return each(a, b, [](Int x, Int y) { return Int{x != 0 && y != 0}; });
    case BinaryOp::Or: return each(a, b, [](Int x, Int y) { return Int{x != 0 || y != 0}; });
    case BinaryOp::Eq: return each(a, b, [](Int x, Int y) { return Int{x == y}; });
    case BinaryOp::Ne: return each(a, b, [](Int x, Int y) { return Int{x != y}; });
    case BinaryOp::Lt: return each(a, b, [](Int x, Int y) { return Int{x < y}; });
    case BinaryOp::Le: return each(a, b, [](Int x, Int y) { return Int{x <= y}; });
    case BinaryOp::Gt: return each(a, b, [](Int x, Int y) { return Int{x > y}; });
    case BinaryOp::Ge: return each(a, b, [](Int x, Int y) { return Int{x >= y}; });
    case BinaryOp::Div: break;
  }
  return {};
}

LaneValue LaneValues::sum(const LaneValue& a, std::int64_t step, DType type) {
  return a.is_known() ? compute(BinaryOp::Add, type, a, LaneValue(step)) : LaneValue();
}

LaneValue LaneValues::of_index(const LaunchIndex& index) {
  LaneValue& known = places_[static_cast<int>(index.index)][index.axis];
  if (!known.is_known()) known = of_place(index);
  return known;
}

LaneValue LaneValues::of_place(const LaunchIndex& index) {
  const std::uint8_t axis = index.axis;
  std::vector<std::int64_t> made(count_);
  for (std::size_t lane = 0; lane < count_; ++lane) {
    const std::size_t thread = lane % threads_;
    std::size_t place = 0;
    switch (index.index) {
      case LaunchIndexKind::ThreadIdx:
        place = axis == 0   ? thread % sizes_[0]
                : axis == 1 ? thread / sizes_[0] % sizes_[1]
                            : thread / sizes_[0] / sizes_[1];
        break;
      case LaunchIndexKind::BlockIdx:
        if (axis != 0 || count_ == threads_) return LaneValue(0);
        place = lane / threads_;
        break;
      case LaunchIndexKind::WarpId: place = thread / kWarpSize; break;
      case LaunchIndexKind::BlockDim: return LaneValue(static_cast<std::int64_t>(sizes_[axis]));
      case LaunchIndexKind::GridDim:
        return launch_.grid[axis] == nullptr ? LaneValue(1) : of(*launch_.grid[axis]);
    }
    made[lane] = static_cast<std::int64_t>(place);
  }
  cost_ += static_cast<int>(count_);
  return LaneValue(std::move(made), false);
}

LaneValue LaneValues::of_name(const Var& var) {
  if (const LaneValue* known = names_.find(&var)) return *known;
  const bool is_size = var.kind == VarKind::Symbol || var.kind == VarKind::Param;
  return is_size && var.dtype.can_hold(kSize) ? LaneValue(kSize, true) : LaneValue();
}

LaneValue LaneValues::of_binary(const Binary& node, int depth) {
  if (!node.a->dtype.is_int_or_bool()) return {};
  const LaneValue a = of(*node.a, depth + 1);
  return a.is_known() ? compare(node.op, node.dtype, a, of(*node.b, depth + 1)) : LaneValue();
}

LaneValue LaneValues::of_select(const Select& node, int depth) {
  const LaneValue condition = of(*node.condition, depth + 1);
  if (!condition.is_known()) return {};
  if (condition.is_one()) return of(condition.at(0) != 0 ? *node.a : *node.b, depth + 1);
  const LaneValue a = of(*node.a, depth + 1);
  const LaneValue b = of(*node.b, depth + 1);
  if (!a.is_known() || !b.is_known()) return {};
  std::vector<std::int64_t> made(count_);
  for (std::size_t lane = 0; lane < count_; ++lane)
    made[lane] = condition.at(lane) != 0 ? a.at(lane) : b.at(lane);
  cost_ += static_cast<int>(count_);
  return LaneValue(std::move(made), a.is_assumed() || b.is_assumed() || condition.is_assumed());
}

LaneValue LaneValues::of_call(const Call& call, int depth) {
  using intrinsics::Special;
  const Special special = call.callee->special;
  const bool is_max = special == Special::MaxNan || special == Special::MaxNum;
  const bool is_min = special == Special::MinNan || special == Special::MinNum;
  if ((!is_max && !is_min) || call.args.size() != 2) return {};
  const LaneValue a = of(*call.args[0], depth + 1);
  const LaneValue b = of(*call.args[1], depth + 1);
  if (!a.is_known() || !b.is_known()) return {};
  return each(a, b, [is_max](std::int64_t x, std::int64_t y) {
    return is_max ? std::max(x, y) : std::min(x, y);
  });
}

LaneValue LaneValues::of(const Expr& expr, int depth) {
  if (depth > kMostDepth || !expr.dtype.is_int_or_bool()) return {};
  if (const IntImm* literal = as_int(&expr)) {
    return held_by(expr.dtype, LaneValue(literal->value), 1);
  }
  if (const auto* index = as<LaunchIndex>(&expr)) return of_index(*index);
  if (const auto* ref = as<VarRef>(&expr)) return of_name(*ref->var);
  if (const auto* read = as<LocalRead>(&expr)) {
    const LaneValue* known = names_.find(read->local);
    return known == nullptr ? LaneValue() : *known;
  }
  if (const auto* binary = as<Binary>(&expr)) return of_binary(*binary, depth);
  if (const auto* select = as<Select>(&expr)) return of_select(*select, depth);
  if (const auto* call = as<Call>(&expr)) return of_call(*call, depth);
  if (const auto* cast = as<Cast>(&expr)) {
    if (cast->is_bits || expr.dtype.is_bool()) return {};
    LaneValue value = of(*cast->a, depth + 1);
    return value.is_known() ? held_by(expr.dtype, std::move(value), count_) : LaneValue();
  }
  const auto* unary = as<Unary>(&expr);
  if (unary == nullptr || unary->op == UnaryOp::BitNot) return {};
  const LaneValue value = of(*unary->a, depth + 1);
  if (!value.is_known()) return {};
  if (unary->op == UnaryOp::Not) return compute(BinaryOp::Eq, expr.dtype, value, LaneValue(0));
  return compute(BinaryOp::Sub, expr.dtype, LaneValue(0), value);
}

void LaneValues::assign(const Local* local, const Expr& expr, const LaneSet& lanes) {
  LaneValue value = local->address_taken ? LaneValue() : of(expr);
  LaneValue& place = names_[local];
  if (!value.is_known() || lanes == all_) {
    place = std::move(value);
    return;
  }
  if (!place.is_known()) return;
  std::vector<std::int64_t> made(count_);
  for (std::size_t lane = 0; lane < count_; ++lane)
    made[lane] = lanes[lane] ? value.at(lane) : place.at(lane);
  place = LaneValue(std::move(made), value.is_assumed() || place.is_assumed());
}

LaneSet LaneValues::true_in(const LaneValue& condition, const LaneSet& among) const {
  if (condition.is_one()) return condition.at(0) != 0 ? among : LaneSet();
  LaneSet result;
  constexpr std::size_t kWord = 64;
  for (std::size_t first = 0; first < count_; first += kWord) {
    std::uint64_t word = 0;
    const std::size_t last = std::min(first + kWord, count_);
    for (std::size_t lane = last; lane-- > first;)
      word = word << 1 | static_cast<std::uint64_t>(condition.at(lane) != 0);
    result |= LaneSet(word) << first;
  }
  result &= among;
  return result;
}

std::string LaneValues::name_of(int lane) const {
  const std::size_t thread = static_cast<std::size_t>(lane) % threads_;
  const std::size_t x = thread % sizes_[0];
  const std::size_t y = thread / sizes_[0] % sizes_[1];
  if (sizes_[1] == 1 && sizes_[2] == 1) return fmt::format("{}", x);
  if (sizes_[2] == 1) return fmt::format("({}, {})", x, y);
  return fmt::format("({}, {}, {})", x, y, thread / sizes_[0] / sizes_[1]);
}

bool LaneValues::holds(const Expr& condition, const LaneSet& among, LaneSet& result) {
  const LaneValue value = of(condition);
  if (value.is_known()) result = true_in(value, among);
  return value.is_known();
}

}  // namespace tirxcc::passes
