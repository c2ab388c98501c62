// SPDX-License-Identifier: Apache-2.0
//
// Variables of the IR are immutable, so each has one interval for its whole life, found where it is
// bound; the constructor walks the kernel once with the facts that dominate each binding. A query
// then combines the intervals of the variables with the facts that hold at the asker's place.
#include "ir/ranges.h"

#include <algorithm>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/constant.h"
#include "ir/interval_arithmetic.h"
#include "ir/warp.h"

namespace tirxcc::ir {
namespace {

constexpr int128 kMostBlocks = INT32_MAX;
constexpr int128 kMostThreads = 1024;

int launch_place(LaunchIndexKind kind, int axis) {
  return static_cast<int>(kind) * 3 + axis;
}

bool is_launch_index(const Expr* expr, LaunchIndexKind kind, int axis) {
  const auto* index = as<LaunchIndex>(expr);
  return index != nullptr && index->index == kind && index->axis == axis;
}

}  // namespace

bool ends_in_jump(StmtList list) {
  if (list.empty()) return false;
  const Stmt* last = list.back();
  switch (last->kind) {
    case StmtKind::Break:
    case StmtKind::Continue:
    case StmtKind::Leave:
    case StmtKind::ThreadReturn:
    case StmtKind::Return: return true;
    case StmtKind::If: {
      const auto& branch = *as<If>(last);
      bool all = ends_in_jump(branch.else_body);
      for (const IfClause& clause : branch.clauses)
        all = all && ends_in_jump(clause.body);
      return all;
    }
    case StmtKind::Let:
    case StmtKind::DeclareLocal:
    case StmtKind::Assign:
    case StmtKind::Store:
    case StmtKind::VectorStore:
    case StmtKind::LaneStore:
    case StmtKind::Evaluate:
    case StmtKind::Alloc:
    case StmtKind::For:
    case StmtKind::CountedFor:
    case StmtKind::While:
    case StmtKind::Block:
    case StmtKind::Assert:
    case StmtKind::Launch: return false;
  }
  return false;
}

RangeAnalysis::RangeAnalysis(const Kernel& kernel, bool grid_fits)
    : launch_(&kernel.launch), grid_fits_(grid_fits) {
  undo_.reserve(16);
  define_sizes(kernel);
  define_launch(kernel.launch);
  walk(kernel.body);
}

void RangeAnalysis::define(const Var* var, Interval interval) {
  Known& value = values_[var];
  value.defined = value.is_defined ? intersect(value.defined, interval) : interval;
  value.is_defined = true;
}

// An extent that determines a symbol says that the symbol is not negative (or how little so).
void RangeAnalysis::learn_from_extent(const Expr* extent, int128 least) {
  if (const auto* cast = as<Cast>(extent)) return learn_from_extent(cast->a, least);
  if (const auto* ref = as<VarRef>(extent)) {
    return define(ref->var, intersect(whole(ref->dtype), {least, ref->dtype.max_int()}));
  }
  const auto* node = as<Binary>(extent);
  if (node == nullptr) return;
  const IntImm* a = as_int(node->a);
  const IntImm* b = as_int(node->b);
  if (node->op == BinaryOp::Mul && b != nullptr && b->value > 0 && least == 0) {
    learn_from_extent(node->a, 0);
  } else if (node->op == BinaryOp::Mul && a != nullptr && a->value > 0 && least == 0) {
    learn_from_extent(node->b, 0);
  } else if (node->op == BinaryOp::Add && b != nullptr) {
    learn_from_extent(node->a, least - b->value);
  } else if (node->op == BinaryOp::Add && a != nullptr) {
    learn_from_extent(node->b, least - a->value);
  } else if (node->op == BinaryOp::Sub && b != nullptr) {
    learn_from_extent(node->a, least + b->value);
  }
}

void RangeAnalysis::define_sizes(const Kernel& kernel) {
  for (const Param& param : kernel.params) {
    if (param.tensor == nullptr) continue;
    for (const Expr* extent : param.tensor->shape)
      learn_from_extent(extent, 0);
  }
}

void RangeAnalysis::define_launch(const LaunchConfig& config) {
  const auto define_index = [&](LaunchIndexKind kind, int axis, Interval interval) {
    Known& value = launch_indices_[static_cast<std::size_t>(launch_place(kind, axis))];
    value.defined = interval;
    value.is_defined = true;
  };
  for (int axis = 0; axis < 3; ++axis) {
    Interval grid = config.grid[axis] == nullptr ? Interval{1, 1} : range(config.grid[axis]);
    Interval block = config.block[axis] == nullptr ? Interval{1, 1} : range(config.block[axis]);
    grid = intersect({1, kMostBlocks}, grid);
    block = intersect({1, kMostThreads}, block);
    define_index(LaunchIndexKind::GridDim, axis, grid);
    define_index(LaunchIndexKind::BlockDim, axis, block);
    define_index(LaunchIndexKind::BlockIdx, axis, {0, grid.hi - 1});
    define_index(LaunchIndexKind::ThreadIdx, axis, {0, block.hi - 1});
  }
  std::int64_t threads = config.static_threads();
  int128 warps = threads == 0 ? kMostThreads / kWarpSize : (threads + kWarpSize - 1) / kWarpSize;
  define_index(LaunchIndexKind::WarpId, 0, {0, warps - 1});
}

void RangeAnalysis::walk(StmtList list) {
  std::size_t outer = mark();
  for (const Stmt* stmt : list) {
    if (const auto* let = as<Let>(stmt)) {
      define(let->var, range(let->value));
    } else if (const auto* loop = as<For>(stmt)) {
      define(loop->var, of_loop(*loop));
      walk(loop->body);
    } else if (const auto* counted = as<CountedFor>(stmt)) {
      define(counted->var, of_loop(*counted));
      walk(counted->body);
    } else if (const auto* block = as<Block>(stmt)) {
      walk(block->body);
    } else if (const auto* loop_while = as<While>(stmt)) {
      std::size_t before = mark();
      assume(loop_while->condition, true);
      walk(loop_while->body);
      forget(before);
    } else if (const auto* branch = as<If>(stmt)) {
      std::size_t before = mark();
      for (const IfClause& clause : branch->clauses) {
        std::size_t inside = mark();
        assume(clause.condition, true);
        walk(clause.body);
        forget(inside);
        assume(clause.condition, false);
      }
      walk(branch->else_body);
      forget(before);
    }
    assume_after(*stmt);
  }
  forget(outer);
}

void RangeAnalysis::assume_after(const Stmt& stmt) {
  const auto* branch = as<If>(&stmt);
  if (branch == nullptr) return;
  for (const IfClause& clause : branch->clauses) {
    if (!ends_in_jump(clause.body)) return;
    assume(clause.condition, false);
  }
}

Interval RangeAnalysis::of_loop(const For& loop) const {
  Interval begin = range(loop.begin);
  Interval end = range(loop.end);
  Interval values = loop.step > 0 ? Interval{begin.lo, std::max(begin.lo, end.hi - 1)}
                                  : Interval{std::min(begin.hi, end.lo + 1), begin.hi};
  return intersect(whole(loop.var->dtype), values);
}

Interval RangeAnalysis::of_loop(const CountedFor& loop) const {
  Interval growth;
  Interval turns{0, std::max<int128>(range(loop.turns).hi - 1, 0)};
  Interval all = whole(loop.var->dtype);
  if (!interval_of(BinaryOp::Mul, kInt64, turns, range(loop.step), growth)) return all;
  Interval start = range(loop.start);
  Interval values{start.lo + growth.lo, start.hi + growth.hi};
  return values.within(all) ? values : all;
}

Interval RangeAnalysis::known(const Known* value, DType type) {
  Interval result = whole(type);
  if (value == nullptr) return result;
  if (value->is_defined) result = intersect(result, value->defined);
  return value->has_fact ? intersect(result, value->fact) : result;
}

RangeAnalysis::Known& RangeAnalysis::place_of(Key key) {
  if (key.var != nullptr) return values_[key.var];
  return launch_indices_[static_cast<std::size_t>(key.launch_index)];
}

Interval RangeAnalysis::range(const Expr* expr) const {
  if (const IntImm* literal = as_int(expr)) return {int_value(*literal), int_value(*literal)};
  if (const auto* ref = as<VarRef>(expr)) return known(values_.find(ref->var), ref->dtype);
  if (const auto* index = as<LaunchIndex>(expr)) {
    const int place = launch_place(index->index, index->axis);
    return known(&launch_indices_[static_cast<std::size_t>(place)], index->dtype);
  }
  if (const auto* cast = as<Cast>(expr)) return of_cast(*cast);
  if (const auto* call = as<Call>(expr)) return of_call(*call);
  if (const auto* select = as<Select>(expr)) return unite(range(select->a), range(select->b));
  Interval all = whole(expr->dtype);
  Interval result;
  return exact(*expr, result) && result.within(all) ? result : all;
}

bool RangeAnalysis::no_wrap(const Expr* expr) const {
  if (!is<Unary>(expr) && !is<Binary>(expr) && !is<Cast>(expr)) return true;
  if (const auto* cast = as<Cast>(expr)) {
    return !cast->is_bits && cast->a->dtype.is_int_or_bool() &&
           range(cast->a).within(whole(cast->dtype));
  }
  Interval result;
  return exact(*expr, result) && result.within(whole(expr->dtype));
}

bool RangeAnalysis::exact(const Expr& expr, Interval& result) const {
  if (const auto* unary = as<Unary>(&expr)) {
    Interval a = range(unary->a);
    if (unary->op == UnaryOp::Not || unary->dtype.is_bool()) {
      result = {0, 1};
    } else if (unary->op == UnaryOp::Neg) {
      result = {-a.hi, -a.lo};
    } else {  // ~a is -a - 1, or max - a
      int128 top = unary->dtype.is_unsigned_int() ? unary->dtype.max_int() : -1;
      result = {top - a.hi, top - a.lo};
    }
    return true;
  }
  const auto* binary = as<Binary>(&expr);
  return binary != nullptr && exact_binary(*binary, result);
}

bool RangeAnalysis::exact_binary(const Binary& node, Interval& result) const {
  if (is_comparison(node.op) || is_logical(node.op)) {
    result = {0, 1};
    return true;
  }
  if (!node.dtype.is_int_or_bool()) return false;
  if (node.op == BinaryOp::Add && is_global_thread_index(node)) {
    result = {0, INT32_MAX};
    Interval sum;
    interval_of(node.op, node.dtype, range(node.a), range(node.b), sum);
    result = intersect(result, sum);
    return true;
  }
  return interval_of(node.op, node.dtype, range(node.a), range(node.b), result);
}

// `block_idx * block size + thread_idx` is below grid size times block size.
bool RangeAnalysis::is_global_thread_index(const Binary& sum) const {
  if (!grid_fits_) return false;
  for (int axis = 0; axis < 3; ++axis) {
    bool thread_right = is_launch_index(sum.b, LaunchIndexKind::ThreadIdx, axis);
    if (!thread_right && !is_launch_index(sum.a, LaunchIndexKind::ThreadIdx, axis)) continue;
    const auto* product = as<Binary>(thread_right ? sum.a : sum.b);
    if (product == nullptr || product->op != BinaryOp::Mul) return false;
    bool block_left = is_launch_index(product->a, LaunchIndexKind::BlockIdx, axis);
    if (!block_left && !is_launch_index(product->b, LaunchIndexKind::BlockIdx, axis)) return false;
    const Expr* size = block_left ? product->b : product->a;
    const IntImm* literal = as_int(size);
    const IntImm* extent = as_int(launch_->block[axis]);
    return is_launch_index(size, LaunchIndexKind::BlockDim, axis) ||
           (literal != nullptr && extent != nullptr && literal->value >= 0 &&
            literal->value <= extent->value);
  }
  return false;
}

Interval RangeAnalysis::of_cast(const Cast& cast) const {
  Interval all = whole(cast.dtype);
  if (cast.is_bits || !cast.dtype.is_int() || !cast.a->dtype.is_int_or_bool()) return all;
  Interval value = range(cast.a);
  return value.within(all) ? value : all;
}

Interval RangeAnalysis::of_call(const Call& call) const {
  using intrinsics::Special;
  Special special = call.callee->special;
  bool is_max = special == Special::MaxNan || special == Special::MaxNum;
  bool is_min = special == Special::MinNan || special == Special::MinNum;
  if ((!is_max && !is_min) || !call.dtype.is_int() || call.args.size() != 2) {
    return whole(call.dtype);
  }
  Interval a = range(call.args[0]);
  Interval b = range(call.args[1]);
  if (is_max) return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
}

void RangeAnalysis::assume(const Expr* condition, bool holds) {
  if (const auto* unary = as<Unary>(condition)) {
    if (unary->op == UnaryOp::Not) assume(unary->a, !holds);
    return;
  }
  const auto* node = as<Binary>(condition);
  if (node == nullptr) return;
  if (is_logical(node->op)) {
    if ((node->op == BinaryOp::And) != holds) return;
    assume(node->a, holds);
    assume(node->b, holds);
  } else if (is_comparison(node->op) && node->a->dtype.is_int()) {
    compare(holds ? node->op : negated(node->op), node->a, node->b);
  }
}

void RangeAnalysis::compare(BinaryOp op, const Expr* a, const Expr* b) {
  if (op == BinaryOp::Gt || op == BinaryOp::Ge) {
    return compare(op == BinaryOp::Gt ? BinaryOp::Lt : BinaryOp::Le, b, a);
  }
  Interval left = range(a);
  Interval right = range(b);
  if (op == BinaryOp::Eq) {
    bound(a, right);
    bound(b, left);
  } else if (op == BinaryOp::Lt || op == BinaryOp::Le) {
    int128 gap = op == BinaryOp::Lt ? 1 : 0;
    bound(a, {whole(a->dtype).lo, right.hi - gap});
    bound(b, {left.lo + gap, whole(b->dtype).hi});
  } else if (left.lo == left.hi && right.lo == left.lo) {  // b != its least value
    bound(b, {right.lo + 1, right.hi});
  } else if (right.lo == right.hi && left.lo == right.lo) {
    bound(a, {left.lo + 1, left.hi});
  }
}

// Records that the value of expr lies in the interval, if expr is a variable or one plus a literal.
void RangeAnalysis::bound(const Expr* expr, Interval interval) {
  if (interval.lo > interval.hi) return;
  Key key;
  if (const auto* ref = as<VarRef>(expr)) {
    key.var = ref->var;
  } else if (const auto* index = as<LaunchIndex>(expr)) {
    key.launch_index = launch_place(index->index, index->axis);
  } else if (is<Cast>(expr) && expr->dtype.is_int() && no_wrap(expr)) {
    return bound(as<Cast>(expr)->a, interval);
  } else if (const auto* sum = as<Binary>(expr); sum != nullptr && no_wrap(expr)) {
    const IntImm* literal = as_int(sum->b);
    if (literal == nullptr || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub)) return;
    int128 shift = sum->op == BinaryOp::Add ? int_value(*literal) : -int_value(*literal);
    return bound(sum->a, {interval.lo - shift, interval.hi - shift});
  }
  if (!is<VarRef>(expr) && !is<LaunchIndex>(expr)) return;
  Known& value = place_of(key);
  undo_.push_back({key, value.has_fact, value.fact});
  value.fact = value.has_fact ? intersect(value.fact, interval) : interval;
  value.has_fact = true;
}

void RangeAnalysis::forget(std::size_t mark) {
  while (undo_.size() > mark) {
    const Undo& undo = undo_.back();
    Known& value = place_of(undo.key);
    value.has_fact = undo.had_fact;
    value.fact = undo.fact;
    undo_.pop_back();
  }
}

}  // namespace tirxcc::ir
