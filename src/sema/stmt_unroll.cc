// SPDX-License-Identifier: Apache-2.0
//
// Loops that sema runs itself: T.unroll and sequences known while compiling (lists, enumerate,
// zip). The body is translated once per element with the target bound to it, so conditions on the
// index are decided here (rules 7 and 29). A copy is a Block of its own only if it declares a name
// or is jumped from.
//
//   for k in T.unroll(2):        A[0] = 0
//       A[k] = k            ->   A[1] = 1
#include <algorithm>
#include <limits>

#include "sema/expr_internal.h"
#include "sema/loop_bounds.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kUnrollNotConstant{"unroll-not-constant", Severity::Error, ErrorClass::Value,
                                        "Cannot unroll non-constant loop: {} is only known when "
                                        "the kernel runs; use T.serial(..., unroll=True)"};
constexpr Diagnostic kVectorizeNotConstant{
    "vectorize-not-constant", Severity::Error, ErrorClass::Value,
    "the extent of T.vectorized must be known while compiling, got {}; use T.serial"};
constexpr Diagnostic kTooManyCopies{"too-many-copies", Severity::Error, ErrorClass::Value,
                                    "{} would copy its body {} times; the limit is {}; use "
                                    "T.serial(..., unroll=...)"};
constexpr Diagnostic kTooManyNestedCopies{
    "too-many-nested-copies", Severity::Error, ErrorClass::Value,
    "{} would copy its body {} times for each copy that the loops around it make, {} times in all; "
    "the limit is {}; use T.serial(..., unroll=...)"};
constexpr Diagnostic kTooManyCopiesInAll{
    "too-many-copies-in-all", Severity::Error, ErrorClass::Value,
    "the unrolled loops of '{}' have made {} copies when they reach this one, which is the limit; "
    "use T.serial(..., unroll=...) for some of them"};
constexpr Diagnostic kUnrollPragma{"unroll-pragma", Severity::Error, ErrorClass::Type,
                                   "{} got an unexpected keyword argument 'unroll'"};
// Of one function, all its loops together.
constexpr std::int64_t kMaxCopies = 1'000'000;
// Nests that come out beyond this are refused before anything is copied. The figure is too high for
// loops whose extents shrink with the index around, so it is well above the limit.
constexpr std::int64_t kHopelessCopies = 8 * kMaxCopies;

std::string_view label_name(const syntax::Expr& target) {
  if (const auto* name = syntax::as<syntax::Name>(&target)) return name->id;
  if (const auto* tuple = syntax::as<syntax::Tuple>(&target)) {
    if (!tuple->elements.empty()) return label_name(*tuple->elements[0]);
  }
  return "loop";
}

}  // namespace

bool FunctionSema::copies_fit(const syntax::For& stmt, std::string_view callee,
                              std::int64_t turns) {
  if (turns > kMaxCopies) {
    diags_.report(stmt.iter->span, kTooManyCopies, callee, turns, kMaxCopies);
    return false;
  }
  std::int64_t product = turns;
  for (const Loop& loop : loops_) {
    if (product <= kHopelessCopies) product *= loop.turns;
  }
  if (product <= kHopelessCopies) return true;
  diags_.report(stmt.iter->span, kTooManyNestedCopies, callee, turns, product, kMaxCopies);
  return false;
}

// The list that a `break` of the kernel leaves.
void FunctionSema::begin_unrolled(const syntax::For& stmt, std::int64_t turns) {
  open_frame();
  loops_.push_back({.kind = Loop::Kind::Unrolled,
                    .name = label_name(*stmt.target),
                    .started = ++clock_,
                    .mark = trail_.size(),
                    .turns = turns});
}

// One copy of the body. False if no further copy can run.
bool FunctionSema::translate_copy(const syntax::For& stmt, const Value& element) {
  if (++copies_ > kMaxCopies) {
    if (copies_ == kMaxCopies + 1) {
      diags_.report(stmt.iter->span, kTooManyCopiesInAll, def_.name, kMaxCopies);
    }
    return false;
  }
  const std::uint32_t frame = open_frame();
  Loop& loop = loops_.back();
  loop.copy_frame = frame;
  loop.copy_started = ++clock_;
  loop.next_label = nullptr;
  loop.continues = {};
  bind_loop_variable(*stmt.target, element);
  translate_block(stmt.body);
  is_static_jump_ = false;

  // The vector of loops may have moved.
  Loop& present = loops_.back();
  ++present.turn;
  const bool declares = frames_[frame].has_declarations || holds_local(frame);
  if (declares || present.next_label != nullptr) {
    auto* block = make_stmt<ir::Block>(stmt.span);
    block->label = present.next_label;
    close_frame(&block->body);
    if (present.next_label == nullptr && !frames_[frame].has_declarations) {
      doubtful_blocks_.push_back({frame, block});
    }
    emit(block);
  } else {
    splice_frame();
  }
  if (present.continues.is_reached) {
    join_into(present.continues, present.mark);
    forget_since(present.mark);
    continue_from(present.continues);
  }
  return !present.is_ended && is_reachable_;
}

void FunctionSema::end_unrolled(const syntax::For& stmt) {
  Loop loop = std::move(loops_.back());
  loops_.pop_back();
  if (loop.end_label != nullptr) {
    auto* block = make_stmt<ir::Block>(stmt.span);
    block->label = loop.end_label;
    close_frame(&block->body);
    emit(block);
  } else {
    splice_frame();
  }
  if (!loop.exits.is_reached) return;
  join_into(loop.exits, loop.mark);
  forget_since(loop.mark);
  continue_from(loop.exits);
}

// A mutable scalar whose uses are all in that list so far is declared there.
bool FunctionSema::holds_local(std::uint32_t frame) const {
  for (std::size_t i = variables_.size(); i-- > 0;) {
    const Variable& variable = *variables_[i];
    if (variable.made < loops_.back().copy_started) return false;
    if (variable.form != VariableForm::Local || variable.frame == kNoFrame) continue;
    std::uint32_t at = variable.frame;
    while (at != frame && frames_[at].is_spliced)
      at = frames_[at].parent;
    if (at == frame) return true;
  }
  return false;
}

void FunctionSema::translate_unroll(const syntax::For& stmt, LoopBounds& bounds) {
  if (bounds.unroll_pragma != -1) {
    diags_.report(stmt.iter->span, kUnrollPragma, bounds.callee);
    return;
  }
  if (!settle_bounds(bounds)) return;
  const std::pair<const std::optional<int128>*, Span> parts[] = {
      {&bounds.known_begin, bounds.begin_span},
      {&bounds.known_end, bounds.end_span},
      {&bounds.known_step, bounds.step_span}};
  for (const auto& [known, span] : parts) {
    if (known->has_value()) continue;
    diags_.report(span, kUnrollNotConstant, diags_.sources().text_of(span));
    return;
  }
  const int128 turns = count_turns(bounds);
  const auto count =
      static_cast<std::int64_t>(std::min(turns, int128{std::numeric_limits<std::int64_t>::max()}));
  if (!copies_fit(stmt, bounds.callee, count)) return;
  begin_unrolled(stmt, count);
  for (int128 i = 0; i < turns; ++i) {
    if (!translate_copy(stmt, Value::of_int(*bounds.known_begin + i * *bounds.known_step))) break;
  }
  end_unrolled(stmt);
}

void FunctionSema::translate_sequence(const syntax::For& stmt, const Value& sequence) {
  const std::optional<Values> items = sequence_items(context_, sequence, stmt.iter->span);
  if (!items.has_value()) return;
  const auto count = static_cast<std::int64_t>(items->size());
  if (!copies_fit(stmt, "this loop", count)) return;
  begin_unrolled(stmt, count);
  const std::string_view name = name_with(label_name(*stmt.target), "_item");
  // Elements are evaluated when the sequence is made, before the first turn.
  std::vector<Value> elements;
  elements.reserve(items->size());
  for (const Value& item : *items)
    elements.push_back(materialize(item, name, stmt.iter->span));
  for (const Value& element : elements) {
    if (!translate_copy(stmt, element)) break;
  }
  end_unrolled(stmt);
}

void FunctionSema::translate_vectorized(const syntax::For& stmt, LoopBounds& bounds) {
  const std::optional<int128> begin = expr_.known_int(bounds.begin);
  const std::optional<int128> end = expr_.known_int(bounds.end);
  if (!begin.has_value() || !end.has_value()) {
    const Value& value = end.has_value() ? bounds.begin : bounds.end;
    diags_.report(end.has_value() ? bounds.begin_span : bounds.end_span, kVectorizeNotConstant,
                  describe(value));
    return;
  }
  translate_loop(stmt, bounds);
}

}  // namespace tirxcc::sema
