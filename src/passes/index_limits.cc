// SPDX-License-Identifier: Apache-2.0
//
// See index_limits.h. Any size can be given for a symbol, so "some thread gets there" may rest on a
// size that is large enough, or no multiple of the block.
#include "passes/index_limits.h"

#include <algorithm>
#include <array>

#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::passes {

using namespace ir;

namespace {

constexpr int kMostDepth = 16;
constexpr std::size_t kMostFacts = 32;

BinaryOp mirrored(BinaryOp op) {
  if (op == BinaryOp::Lt) return BinaryOp::Gt;
  if (op == BinaryOp::Le) return BinaryOp::Ge;
  if (op == BinaryOp::Gt) return BinaryOp::Lt;
  return op == BinaryOp::Ge ? BinaryOp::Le : op;
}

// `size + shift` or a constant.
struct Bound {
  const Var* size = nullptr;
  std::int64_t value = 0;
};

std::optional<Bound> bound_of(const Affine& sum) {
  Bound bound{nullptr, sum.shift};
  for (const Term& term : sum) {
    if (!term.counter.is_size() || term.factor != 1 || bound.size != nullptr) return std::nullopt;
    bound.size = term.counter.var;
  }
  return bound;
}

}  // namespace

bool has_jump(const Stmt& stmt) {
  bool found = false;
  for_each_body(stmt, [&](StmtList body) {
    walk_stmts(body, [&](const Stmt& inner) {
      found = found || is<Break>(&inner) || is<Continue>(&inner) || is<Leave>(&inner) ||
              is<ThreadReturn>(&inner) || is<Return>(&inner) || is<Assert>(&inner);
    });
  });
  return found;
}

bool IndexLimits::assume(const Expr& condition, bool holds, int depth) {
  if (depth > kMostDepth || facts_.size() > kMostFacts) return false;
  if (const auto* unary = as<Unary>(&condition)) {
    return unary->op == UnaryOp::Not && assume(*unary->a, !holds, depth + 1);
  }
  const auto* binary = as<Binary>(&condition);
  if (binary == nullptr) return false;
  if (is_logical(binary->op)) {
    const bool are_both = (binary->op == BinaryOp::And) == holds;
    return are_both && assume(*binary->a, holds, depth + 1) && assume(*binary->b, holds, depth + 1);
  }
  if (!is_comparison(binary->op) || !binary->a->dtype.is_signed_int()) return false;
  return compare(holds ? binary->op : negated(binary->op), binary->a, binary->b);
}

// One counter against a constant or a size.
bool IndexLimits::compare(BinaryOp op, const Expr* a, const Expr* b) {
  std::optional<Affine> sum = reader_->read(a);
  const std::optional<Affine> other = reader_->read(b);
  if (!sum || !other || !sum->add(*other, -1)) return false;
  const Term* counted = nullptr;
  for (const Term& term : *sum) {
    if (term.counter.is_size()) continue;
    if (counted != nullptr) return false;
    counted = &term;
  }
  if (counted == nullptr || (counted->factor != 1 && counted->factor != -1)) return false;
  const Counter counter = counted->counter;
  // Loops that may end early, or whose bounds are not understood.
  if (counter.kind == CounterKind::Loop && !range_of(counter)) return false;
  if (counted->factor == -1) op = mirrored(op);
  Affine rest;
  if (!rest.add(*sum, -counted->factor)) return false;
  rest.remove(counter);
  const std::optional<Bound> bound = bound_of(rest);
  if (!bound) return false;
  if (op == BinaryOp::Ne) return exclude(counter, bound->size, bound->value);
  if (op == BinaryOp::Lt || op == BinaryOp::Le) {
    add_fact(counter, true, bound->size, bound->value - (op == BinaryOp::Lt ? 1 : 0));
    return true;
  }
  if (bound->size != nullptr) return false;
  if (op == BinaryOp::Eq) add_fact(counter, true, nullptr, bound->value);
  add_fact(counter, false, nullptr, bound->value + (op == BinaryOp::Gt ? 1 : 0));
  return true;
}

bool IndexLimits::is_single(const Counter& counter) const {
  std::int64_t low = 0;
  std::int64_t high = INT64_MAX;
  for (const Fact& fact : facts_) {
    if (fact.counter != counter || fact.size != nullptr) continue;
    if (fact.is_upper) {
      high = std::min(high, fact.bound);
    } else {
      low = std::max(low, fact.bound);
    }
  }
  return low >= high;
}

// Taking away an end leaves a range; what is taken from inside would leave two.
bool IndexLimits::exclude(const Counter& counter, const Var* size, std::int64_t value) {
  const std::optional<Range> range = range_of(counter);
  if (!range) return false;
  if (size == nullptr && range->lo == value) {
    add_fact(counter, false, nullptr, value + 1);
    return true;
  }
  const bool is_end = size == nullptr ? range->hi == value && range->size == nullptr
                                      : range->size == size && range->size_hi == value;
  if (is_end) add_fact(counter, true, size, value - 1);
  return is_end;
}

void IndexLimits::add_fact(const Counter& counter, bool is_upper, const Var* size,
                           std::int64_t bound) {
  if (facts_.empty()) facts_.reserve(8);
  facts_.push_back({counter, is_upper, size, bound, 0});
}

bool IndexLimits::assume_loop(const For& loop) {
  if (facts_.size() > kMostFacts) return false;
  const std::optional<Affine> begin = reader_->read(loop.begin);
  const std::optional<Affine> end = reader_->read(loop.end);
  if (!begin || !end || (loop.step != 1 && loop.step != -1)) return false;
  const bool is_up = loop.step == 1;
  const std::optional<Bound> first = bound_of(*begin);
  const std::optional<Bound> last = bound_of(*end);
  if (!first || !last) return false;
  const Bound low = is_up ? *first : Bound{last->size, last->value + 1};
  const Bound high = is_up ? Bound{last->size, last->value - 1} : *first;
  if (low.size != nullptr) return false;
  if (high.size == nullptr && high.value < low.value) return false;
  const Counter counter{CounterKind::Loop, 0, loop.var};
  add_fact(counter, false, nullptr, low.value);
  add_fact(counter, true, high.size, high.value);
  return true;
}

// How far the launch goes; nothing where that is unknown.
const std::optional<IndexLimits::Fact>& IndexLimits::launch_fact(const Counter& counter) const {
  auto& found = launch_facts_[static_cast<std::size_t>(counter.kind) * 3 + counter.axis];
  if (!found) found = find_launch_fact(counter);
  return *found;
}

std::optional<IndexLimits::Fact> IndexLimits::find_launch_fact(const Counter& counter) const {
  const LaunchConfig& launch = reader_->launch();
  const Expr* grid = launch.grid[counter.axis];
  const std::int64_t block = reader_->block_size(counter.axis);
  const bool has_blocks = counter.kind != CounterKind::Thread;
  const bool has_threads = counter.kind != CounterKind::Block;
  if (counter.kind == CounterKind::FirstThread || (has_blocks && has_threads && block == 0)) {
    return std::nullopt;
  }
  const std::int64_t times = has_blocks && has_threads ? block : 1;
  if (has_blocks && AffineReader::constant_size(grid) != 0) {
    return Fact{counter, true, nullptr, AffineReader::constant_size(grid) * times - 1, 0};
  }
  const Expr* count = has_blocks ? grid : launch.block[counter.axis];
  // `(n + 255) // 256` blocks of 256: up to n + 255 threads, and n of them at least.
  const auto* quotient = as<Binary>(count);
  const bool is_rounded =
      quotient != nullptr && quotient->op == BinaryOp::FloorDiv && is_int_value(quotient->b, times);
  if (is_rounded && times > 1) count = quotient->a;
  if (!is_rounded && times > 1) return std::nullopt;
  if (const std::int64_t size = count == nullptr ? 1 : AffineReader::constant_size(count)) {
    return Fact{counter, true, nullptr, size - 1, 0};
  }
  const std::optional<Affine> sum = reader_->read(count);
  const std::optional<Bound> bound = sum ? bound_of(*sum) : std::nullopt;
  if (!bound) return std::nullopt;
  return Fact{counter, true, bound->size, bound->value - 1, times - 1};
}

// False if bounds of several sizes meet: nobody knows which is the smaller.
bool IndexLimits::take(const Fact& fact, Range& range) {
  if (!fact.is_upper) {
    range.lo = std::max(range.lo, fact.bound);
  } else if (fact.size == nullptr) {
    range.hi = range.hi ? std::min(*range.hi, fact.bound) : fact.bound;
  } else if (range.size == nullptr) {
    range.size = fact.size;
    range.size_hi = fact.bound;
    range.slack = fact.slack;
  } else if (range.size == fact.size) {
    const std::int64_t always = std::min(range.size_hi - range.slack, fact.bound - fact.slack);
    range.size_hi = std::min(range.size_hi, fact.bound);
    range.slack = range.size_hi - always;
  } else {
    return false;
  }
  return true;
}

std::optional<IndexLimits::Range> IndexLimits::range_of(const Counter& counter) const {
  Range range;
  if (counter.kind == CounterKind::Loop) {
    range.lo = -(std::int64_t{1} << 32);
  } else if (const std::optional<Fact>& launch = launch_fact(counter)) {
    range.reaches_hi = true;
    if (!take(*launch, range)) return std::nullopt;
  }
  bool is_known = counter.kind != CounterKind::Loop;
  for (const Fact& fact : facts_) {
    if (fact.counter != counter) continue;
    is_known = true;
    range.is_guarded = true;
    if (!take(fact, range)) return std::nullopt;
  }
  if (counter.kind == CounterKind::Loop) range.reaches_hi = true;
  const bool is_first = range.reaches_hi || range.lo == 0;
  const bool is_empty = range.hi && *range.hi < range.lo;
  if (!is_known || !is_first || is_empty) return std::nullopt;
  return range;
}

// Each counter of the index can take its ends whatever the guards make of the others: along an axis
// either the threads of the grid are counted, or blocks and threads apart.
bool IndexLimits::are_independent(const Affine& index) const {
  std::array<bool, 3> is_whole{};
  std::array<bool, 3> is_apart{};
  const auto note = [&](const Counter& counter) {
    if (counter.kind == CounterKind::Size || counter.kind == CounterKind::Loop) return;
    (counter.kind == CounterKind::Global ? is_whole : is_apart)[counter.axis] = true;
  };
  for (const Term& term : index)
    note(term.counter);
  for (const Fact& fact : facts_)
    note(fact.counter);
  for (int axis = 0; axis < 3; ++axis) {
    if (is_whole[axis] && is_apart[axis]) return false;
  }
  return true;
}

// Whether there is a size with which all counters have values, as far as they go.
bool IndexLimits::can_hold_together(const Affine& index) const {
  std::vector<Range> ranges;
  std::int64_t least = 1;
  const auto note = [&](const Counter& counter) {
    if (counter.is_size()) return true;
    const std::optional<Range> range = range_of(counter);
    if (!range) return false;
    ranges.push_back(*range);
    if (range->size != nullptr) least = std::max(least, range->lo - range->size_hi);
    return true;
  };
  for (const Term& term : index) {
    if (!note(term.counter)) return false;
  }
  for (const Fact& fact : facts_) {
    if (!note(fact.counter)) return false;
  }
  return std::all_of(ranges.begin(), ranges.end(), [&](const Range& range) {
    // Of so many sizes in a row, one makes the launch end where it can at most.
    return range.size == nullptr || !range.hi || least + range.slack + range.size_hi <= *range.hi;
  });
}

bool IndexLimits::add_largest(const Term& term, Edge& edge, int& loose) const {
  const std::optional<Range> range = range_of(term.counter);
  if (!range) return false;
  edge.is_limited = edge.is_limited || range->is_guarded;
  if (term.factor < 0) {
    edge.value.shift += term.factor * range->lo;
    return true;
  }
  if (!range->reaches_hi) return false;
  if (range->size == nullptr) {
    edge.value.shift += term.factor * range->hi.value_or(0);
    return range->hi.has_value();
  }
  edge.value.shift += term.factor * range->size_hi;
  const bool is_loose = range->slack > 0 || range->hi.has_value();
  loose += is_loose ? 1 : 0;
  edge.slack += term.factor * (range->hi ? std::int64_t{1} << 31 : range->slack);
  return edge.value.add({CounterKind::Size, 0, range->size}, term.factor);
}

bool IndexLimits::is_plainly_positive(const Affine& index) const {
  const auto is_positive = [&](const Term& term) {
    if (term.factor < 0) return false;
    if (term.counter.kind != CounterKind::Loop) return true;
    return std::any_of(facts_.begin(), facts_.end(), [&](const Fact& fact) {
      return fact.counter == term.counter && !fact.is_upper && fact.bound >= 0;
    });
  };
  return index.shift >= 0 && std::all_of(index.begin(), index.end(), is_positive);
}

std::optional<Edge> IndexLimits::largest(const Affine& index) const {
  Edge edge;
  edge.value.shift = index.shift;
  int loose = 0;
  for (const Term& term : index) {
    const bool is_good = term.counter.is_size() ? edge.value.add(term.counter, term.factor)
                                                : add_largest(term, edge, loose);
    if (!is_good) return std::nullopt;
  }
  // Two that reach their ends for some sizes need not do so for the same one.
  if (loose > 1) {
    edge.value.shift -= edge.slack;
    edge.slack = 0;
  }
  return edge;
}

std::optional<Edge> IndexLimits::smallest(const Affine& index) const {
  Affine negative;
  if (!negative.add(index, -1)) return std::nullopt;
  std::optional<Edge> edge = largest(negative);
  if (!edge) return std::nullopt;
  Affine value;
  if (!value.add(edge->value, -1)) return std::nullopt;
  edge->value = value;
  return edge;
}

}  // namespace tirxcc::passes
