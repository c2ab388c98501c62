// SPDX-License-Identifier: Apache-2.0
//
// Python's containers while compiling: displays, comprehensions, indexing and slicing. Their items
// may be kernel values; only sizes, keys and positions have to be known.
#include "sema/expr_internal.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kNotIterable{"no-sequence", Severity::Error, ErrorClass::Type,
                                  "{} is no sequence that is known while compiling"};
constexpr Diagnostic kSequenceIndex{"sequence-index", Severity::Error, ErrorClass::Type,
                                    "an index of {} must be an int that is known while compiling, "
                                    "not {}"};
constexpr Diagnostic kSequenceRange{"sequence-range", Severity::Error, ErrorClass::Value,
                                    "index {} is out of range; {} has {} item{}"};
constexpr Diagnostic kRuntimeKey{"runtime-key", Severity::Error, ErrorClass::Type,
                                 "the key of a dict must be known while compiling; '{}' exists "
                                 "only when the kernel runs"};
constexpr Diagnostic kNoKey{"no-key", Severity::Error, ErrorClass::Value, "the dict has no key {}"};
constexpr Diagnostic kZeroSliceStep{"zero-slice-step", Severity::Error, ErrorClass::Value,
                                    "the step of a slice cannot be 0"};
constexpr Diagnostic kTargetCount{"target-count", Severity::Error, ErrorClass::Value,
                                  "{} names for {} values"};
constexpr Diagnostic kComprehensionTarget{"comprehension-target", Severity::Error,
                                          ErrorClass::Syntax,
                                          "a comprehension binds names, nothing else"};
constexpr Diagnostic kComprehensionCondition{
    "comprehension-condition", Severity::Error, ErrorClass::Type,
    "this condition is known only when the kernel runs; a comprehension is built before"};
constexpr Diagnostic kTooManyItems{"too-many-items", Severity::Error, ErrorClass::Value,
                                   "more than {} items"};
constexpr std::int64_t kMostItems = 1 << 18;

std::string text_of(const Value& value) {
  return python_text(value, true).value_or(describe(value));
}

// A dict display with a key again: Python keeps the first place and the last value.
void put(std::vector<Value>& items, const Value& key, const Value& value) {
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (python_equal(items[i], key)) {
      items[i + 1] = value;
      return;
    }
  }
  items.push_back(key);
  items.push_back(value);
}

bool append_elements(Context& context, syntax::Exprs elements, std::vector<Value>& items) {
  bool good = true;
  struct Place {
    StatementMark mark;
    std::size_t item = 0;
    Span span;
  };
  std::vector<Place> places;
  items.reserve(elements.size());
  for (const syntax::Expr* element : elements) {
    const auto* star = syntax::as<syntax::Starred>(element);
    const Value value = eval_expr(context, star != nullptr ? *star->value : *element);
    good &= !value.is_error();
    if (star == nullptr) {
      if (value.is_expr()) places.push_back({context.names->mark(), items.size(), element->span});
      items.push_back(value);
      continue;
    }
    const std::optional<Values> more = sequence_items(context, value, star->value->span);
    if (!more) return false;
    items.insert(items.end(), more->begin(), more->end());
  }
  for (auto place = places.rbegin(); place != places.rend(); ++place)
    items[place->item] = context.names->settle(place->mark, items[place->item], place->span);
  return good;
}

Value eval_dict(Context& context, const syntax::Dict& dict) {
  std::vector<Value> items;
  for (std::size_t i = 0; i < dict.values.size(); ++i) {
    const Value value = eval_expr(context, *dict.values[i]);
    const Value key = dict.keys[i] != nullptr ? eval_expr(context, *dict.keys[i]) : Value::none();
    if (value.is_error() || key.is_error()) return Value::error();
    if (dict.keys[i] != nullptr) {
      put(items, known_number(key).value_or(key), value);
      continue;
    }
    if (value.kind != ValueKind::Dict) {
      context.diags.report(dict.values[i]->span, kNotIterable, describe(value));
      return Value::error();
    }
    for (std::size_t j = 0; j + 1 < value.items.size(); j += 2) {
      put(items, value.items[j], value.items[j + 1]);
    }
  }
  return Value::sequence(ValueKind::Dict, make_values(context, items));
}

// Binds the names of a comprehension's target; the number of bindings made, or -1 after an error.
int bind_target(Context& context, const syntax::Expr& target, const Value& value) {
  if (const auto* name = syntax::as<syntax::Name>(&target)) {
    context.names->push_binding(name->id, context.arena.make<Value>(value));
    return 1;
  }
  syntax::Exprs targets;
  if (const auto* tuple = syntax::as<syntax::Tuple>(&target)) targets = tuple->elements;
  if (const auto* list = syntax::as<syntax::List>(&target)) targets = list->elements;
  if (targets.empty()) {
    context.diags.report(target.span, kComprehensionTarget);
    return -1;
  }
  const std::optional<Values> items = sequence_items(context, value, target.span);
  if (!items) return -1;
  if (items->size() != targets.size()) {
    context.diags.report(target.span, kTargetCount, targets.size(), items->size());
    return -1;
  }
  int bound = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const int more = bind_target(context, *targets[i], (*items)[i]);
    if (more < 0) {
      for (; bound > 0; --bound) {
        context.names->pop_binding();
      }
      return -1;
    }
    bound += more;
  }
  return bound;
}

// Runs a comprehension's clauses from `depth` on and appends what its element gives.
struct ComprehensionRun {
  Context& context;
  syntax::Comprehensions clauses;
  const syntax::Expr& element;
  const syntax::Expr* dict_value;  // null unless it makes a dict
  Span span;
  std::vector<Value> items;

  bool run(std::size_t depth) {
    if (depth == clauses.size()) return append();
    const syntax::Comprehension& clause = *clauses[depth];
    const Value iterable = eval_expr(context, *clause.iter);
    if (iterable.is_error()) return false;
    const std::optional<Values> values = sequence_items(context, iterable, clause.iter->span);
    if (!values) return false;
    std::vector<Value*> cells;  // of the target's names, the same in each turn
    for (const Value& value : *values) {
      int bound = bind_target(context, *clause.target, value);
      if (bound < 0) return false;
      share_cells(static_cast<std::size_t>(bound), cells);
      const bool good = run_if(clause, depth);
      for (; bound > 0; --bound) {
        context.names->pop_binding();
      }
      if (!good) return false;
    }
    return true;
  }

  // What a lambda sees of the latest names, `count` of them, changes with each turn.
  void share_cells(std::size_t count, std::vector<Value*>& cells) {
    const std::span<Binding> latest = context.names->bindings().last(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (i == cells.size()) {
        cells.push_back(latest[i].cell);
      } else {
        *cells[i] = *latest[i].cell;
        latest[i].cell = cells[i];
      }
    }
  }

  bool run_if(const syntax::Comprehension& clause, std::size_t depth) {
    for (const syntax::Expr* test : clause.conditions) {
      const Value value = eval_expr(context, *test);
      if (value.is_error()) return false;
      const std::optional<bool> truth = known_truth(value);
      if (!truth) {
        context.diags.report(test->span, kComprehensionCondition);
        return false;
      }
      if (!*truth) return true;
    }
    return run(depth + 1);
  }

  bool append() {
    if (std::ssize(items) >= kMostItems) {
      context.diags.report(span, kTooManyItems, kMostItems);
      return false;
    }
    const Value value = eval_expr(context, element);
    if (value.is_error()) return false;
    if (dict_value == nullptr) {
      items.push_back(value);
      return true;
    }
    const Value mapped = eval_expr(context, *dict_value);
    if (mapped.is_error()) return false;
    put(items, known_number(value).value_or(value), mapped);
    return true;
  }
};

// First position, step and number of items of `lo:hi:step` over `size` items, as Python clips them.
struct SliceRange {
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

std::optional<std::int64_t> slice_bound(Context& context, const Value& sequence,
                                        const syntax::Expr* node, std::int64_t absent) {
  if (node == nullptr) return absent;
  const Value value = eval_expr(context, *node);
  if (value.is_error()) return std::nullopt;
  if (value.kind == ValueKind::None) return absent;
  const std::optional<int128> known = known_int(value);
  if (!known) {
    context.diags.report(node->span, kSequenceIndex, describe(sequence), describe(value));
    return std::nullopt;
  }
  constexpr int128 kFar = static_cast<int128>(1) << 40;
  return static_cast<std::int64_t>(*known > kFar ? kFar : *known < -kFar ? -kFar : *known);
}

std::optional<SliceRange> slice_range(Context& context, const Value& sequence,
                                      const syntax::Slice& slice) {
  const std::int64_t size = sequence_size(sequence);
  const std::optional<std::int64_t> step = slice_bound(context, sequence, slice.step, 1);
  if (!step) return std::nullopt;
  if (*step == 0) {
    context.diags.report(slice.step->span, kZeroSliceStep);
    return std::nullopt;
  }
  const bool is_down = *step < 0;
  const auto clip = [&](std::int64_t at) {
    if (at < 0) at += size;
    const std::int64_t low = is_down ? -1 : 0;
    const std::int64_t high = is_down ? size - 1 : size;
    return at < low ? low : at > high ? high : at;
  };
  const auto lower = slice_bound(context, sequence, slice.lower, is_down ? size - 1 : 0);
  const auto upper = slice_bound(context, sequence, slice.upper, is_down ? -1 - size : size);
  if (!lower || !upper) return std::nullopt;
  const std::int64_t start = clip(*lower);
  const std::int64_t stop = clip(*upper);
  const std::int64_t distance = is_down ? start - stop : stop - start;
  const std::int64_t stride = is_down ? -*step : *step;
  const std::int64_t count = distance > 0 ? (distance + stride - 1) / stride : 0;
  return SliceRange{start, *step, count};
}

Value slice_sequence(Context& context, const Value& sequence, const syntax::Slice& slice) {
  const std::optional<SliceRange> range = slice_range(context, sequence, slice);
  if (!range) return Value::error();
  if (sequence.kind == ValueKind::Range) {
    Value value = sequence;
    value.range.begin = sequence.range.begin + range->start * sequence.range_step;
    value.range_step = sequence.range_step * range->step;
    value.range.end = value.range.begin + range->count * value.range_step;
    return value;
  }
  std::vector<Value> items;
  std::string text;
  for (std::int64_t i = 0; i < range->count; ++i) {
    const Value item = sequence_item(context, sequence, range->start + i * range->step);
    items.push_back(item);
    text += item.kind == ValueKind::String ? item.text : "";
  }
  if (sequence.kind == ValueKind::String) return string_value(context, text);
  return Value::sequence(sequence.kind, make_values(context, items));
}

Value dict_item(Context& context, const Value& dict, const Value& key, Span span) {
  const Value wanted = known_number(key).value_or(key);
  for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
    if (python_equal(dict.items[i], wanted)) return dict.items[i + 1];
  }
  if (key.kind == ValueKind::Expr || key.kind == ValueKind::Symbol) {
    context.diags.report(span, kRuntimeKey, context.diags.sources().text_of(span))
        .note("what the kernel chooses from is a tensor, or a local array, 'x: T.float32[4]'");
  } else {
    context.diags.report(span, kNoKey, text_of(key));
  }
  return Value::error();
}

}  // namespace

bool is_sequence(const Value& value) {
  return value.kind == ValueKind::String || value.kind == ValueKind::Tuple ||
         value.kind == ValueKind::List || value.kind == ValueKind::Dict ||
         value.kind == ValueKind::Range;
}

std::int64_t sequence_size(const Value& value) {
  if (value.kind == ValueKind::Dict) return std::ssize(value.items) / 2;
  if (value.kind == ValueKind::Range) {
    const int128 distance = static_cast<int128>(value.range.end) - value.range.begin;
    const int128 step = value.range_step;
    if (distance == 0 || (distance > 0) != (step > 0)) return 0;
    return static_cast<std::int64_t>((distance + step + (step > 0 ? -1 : 1)) / step);
  }
  if (value.kind != ValueKind::String) return std::ssize(value.items);
  std::int64_t length = 0;  // in code points
  for (const char c : value.text) {
    length += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  }
  return length;
}

Value sequence_item(Context& context, const Value& value, std::int64_t index) {
  if (value.kind == ValueKind::Range) {
    return Value::of_int(value.range.begin + index * value.range_step);
  }
  if (value.kind == ValueKind::Dict) return value.items[static_cast<std::size_t>(index) * 2];
  if (value.kind != ValueKind::String) return value.items[static_cast<std::size_t>(index)];
  std::size_t at = 0;
  const auto next = [&] {
    ++at;
    while (at < value.text.size() && (static_cast<unsigned char>(value.text[at]) & 0xC0u) == 0x80u)
      ++at;
  };
  for (; index > 0; --index) {
    next();
  }
  const std::size_t begin = at;
  next();
  return string_value(context, value.text.substr(begin, at - begin));
}

std::optional<Values> sequence_items(Context& context, const Value& value, Span span) {
  if (value.is_error()) return std::nullopt;
  if (!is_sequence(value)) {
    auto report = context.diags.report(span, kNotIterable, describe(value));
    if (value.kind == ValueKind::Tensor) {
      report.note("a loop goes over its elements: 'for k in range(...)' with 'total += {}[k]'",
                  value.tensor->name);
    }
    return std::nullopt;
  }
  if (value.kind == ValueKind::Tuple || value.kind == ValueKind::List) return value.items;
  const std::int64_t size = sequence_size(value);
  if (size > kMostItems) {
    context.diags.report(span, kTooManyItems, kMostItems);
    return std::nullopt;
  }
  std::vector<Value> items;
  items.reserve(static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < size; ++i) {
    items.push_back(sequence_item(context, value, i));
  }
  return make_values(context, items);
}

Value python_subscript(Context& context, const Value& value, const syntax::Subscript& subscript) {
  if (value.kind != ValueKind::Dict) {
    if (const auto* slice = syntax::as<syntax::Slice>(subscript.index)) {
      return slice_sequence(context, value, *slice);
    }
  }
  const Value index = eval_expr(context, *subscript.index);
  if (index.is_error()) return index;
  const Span span = subscript.index->span;
  if (value.kind == ValueKind::Dict) return dict_item(context, value, index, span);
  const std::optional<int128> known = known_int(index);
  if (!known) {
    auto report = context.diags.report(span, kSequenceIndex, describe(value), describe(index));
    if (index.is_expr()) {
      report.note("what the kernel chooses from is a tensor, or a local array, 'x: T.float32[4]'");
    }
    return Value::error();
  }
  const std::int64_t size = sequence_size(value);
  const int128 at = *known < 0 ? *known + size : *known;
  if (at < 0 || at >= size) {
    context.diags.report(span, kSequenceRange, text_of(Value::of_int(*known)), describe(value),
                         size, size == 1 ? "" : "s");
    return Value::error();
  }
  return sequence_item(context, value, static_cast<std::int64_t>(at));
}

Value eval_display(Context& context, const syntax::Expr& expr) {
  if (const auto* dict = syntax::as<syntax::Dict>(&expr)) return eval_dict(context, *dict);
  std::vector<Value> items;
  if (const auto* list = syntax::as<syntax::List>(&expr)) {
    if (!append_elements(context, list->elements, items)) return Value::error();
    return Value::sequence(ValueKind::List, make_values(context, items));
  }
  if (const auto* tuple = syntax::as<syntax::Tuple>(&expr)) {
    if (!append_elements(context, tuple->elements, items)) return Value::error();
    return Value::sequence(ValueKind::Tuple, make_values(context, items));
  }
  return not_supported(context, expr.span, "a set");
}

Value eval_comprehension(Context& context, const syntax::Expr& expr) {
  const auto run = [&](syntax::Comprehensions clauses, const syntax::Expr& element,
                       const syntax::Expr* dict_value) {
    ComprehensionRun state{context, clauses, element, dict_value, expr.span, {}};
    if (!state.run(0)) return Value::error();
    const ValueKind kind = dict_value != nullptr ? ValueKind::Dict : ValueKind::List;
    return Value::sequence(kind, make_values(context, state.items));
  };
  if (const auto* list = syntax::as<syntax::ListComp>(&expr)) {
    return run(list->generators, *list->element, nullptr);
  }
  if (const auto* generator = syntax::as<syntax::GeneratorExp>(&expr)) {
    return run(generator->generators, *generator->element, nullptr);
  }
  if (const auto* dict = syntax::as<syntax::DictComp>(&expr)) {
    return run(dict->generators, *dict->key, dict->value);
  }
  return not_supported(context, expr.span, "a set");
}

std::optional<bool> python_contains(const Value& container, const Value& item) {
  const Value wanted = known_number(item).value_or(item);
  if (container.kind == ValueKind::String) {
    if (wanted.kind != ValueKind::String) return std::nullopt;
    return container.text.find(wanted.text) != std::string_view::npos;
  }
  if (container.kind == ValueKind::Range) {
    const std::optional<int128> number = known_int(wanted);
    if (!number) return false;
    const int128 offset = *number - container.range.begin;
    const int128 position = offset / container.range_step;
    return offset % container.range_step == 0 && position >= 0 &&
           position < sequence_size(container);
  }
  const bool is_list = container.kind == ValueKind::List || container.kind == ValueKind::Tuple;
  if (!is_list && container.kind != ValueKind::Dict) return std::nullopt;
  for (std::size_t i = 0; i < container.items.size(); i += is_list ? 1 : 2) {
    if (python_equal(container.items[i], wanted)) return true;
  }
  return false;
}

}  // namespace tirxcc::sema
