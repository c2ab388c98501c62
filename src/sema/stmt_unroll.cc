// SPDX-License-Identifier: Apache-2.0
//
// Loops that sema runs itself: T.unroll and sequences known while compiling (lists, enumerate,
// zip). The body is translated once per element with the target bound to it, so conditions on the
// index are decided here (rules 7 and 29). A copy is a Block of its own only if it declares a name
// or is jumped from.
//
//   for k in T.unroll(2):        A[0] = 0
//       A[k] = k            ->   A[1] = 1
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
constexpr Diagnostic kUnrollPragma{"unroll-pragma", Severity::Error, ErrorClass::Type,
                                   "{} got an unexpected keyword argument 'unroll'"};
constexpr std::int64_t kMaxCopies = 1'000'000;

std::string_view label_name(const syntax::Expr& target) {
  if (const auto* name = syntax::as<syntax::Name>(&target)) return name->id;
  if (const auto* tuple = syntax::as<syntax::Tuple>(&target)) {
    if (!tuple->elements.empty()) return label_name(*tuple->elements[0]);
  }
  return "loop";
}

}  // namespace

// The list that a `break` of the kernel leaves.
void FunctionSema::begin_unrolled(const syntax::For& stmt) {
  open_frame();
  loops_.push_back({.kind = Loop::Kind::Unrolled,
                    .name = label_name(*stmt.target),
                    .started = ++clock_,
                    .mark = trail_.size()});
}

// One copy of the body. False if no further copy can run.
bool FunctionSema::translate_copy(const syntax::For& stmt, const Value& element) {
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
  if (turns > kMaxCopies) {
    diags_.report(stmt.iter->span, kTooManyCopies, bounds.callee, static_cast<std::int64_t>(turns),
                  kMaxCopies);
    return;
  }
  begin_unrolled(stmt);
  for (int128 i = 0; i < turns; ++i) {
    if (!translate_copy(stmt, Value::of_int(*bounds.known_begin + i * *bounds.known_step))) break;
  }
  end_unrolled(stmt);
}

void FunctionSema::translate_sequence(const syntax::For& stmt, const Value& sequence) {
  const std::optional<Values> items = sequence_items(context_, sequence, stmt.iter->span);
  if (!items.has_value()) return;
  if (static_cast<std::int64_t>(items->size()) > kMaxCopies) {
    diags_.report(stmt.iter->span, kTooManyCopies, "this loop", items->size(), kMaxCopies);
    return;
  }
  begin_unrolled(stmt);
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
