// SPDX-License-Identifier: Apache-2.0
//
// Assignments: `x = e`, `x = y = e`, `a, b = b, a`, `A[i] = e` and the augmented forms. Right sides
// are evaluated first and once, indices of an augmented element once.
//
//   a, b = b, a        ->   b_new = a; a = b; b = b_new
//   A[f[i]] += 1       ->   A_idx = f[i]; A[A_idx] = A[A_idx] + 1
#include "base/check.h"
#include "ir/traverse.h"
#include "sema/expr_internal.h"
#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kTooFewValues{"too-few-values", Severity::Error, ErrorClass::Value,
                                   "not enough values to unpack (expected {}, got {})"};
constexpr Diagnostic kTooManyValues{"too-many-values", Severity::Error, ErrorClass::Value,
                                    "too many values to unpack (expected {}, got {})"};
constexpr Diagnostic kNotUnpackable{"not-unpackable", Severity::Error, ErrorClass::Type,
                                    "cannot unpack {} into {} names"};
constexpr Diagnostic kTwoStars{"two-stars", Severity::Error, ErrorClass::Syntax,
                               "multiple starred expressions in assignment"};
constexpr Diagnostic kAttributeTarget{
    "attribute-target", Severity::Error, ErrorClass::Type,
    "cannot assign to attribute '{}'; only objects of a @T.meta_class have fields to assign"};
constexpr Diagnostic kStarredTarget{
    "starred-target", Severity::Error, ErrorClass::Syntax,
    "a name with '*' takes what is left of several values, 'a, *rest = ...', and cannot stand "
    "alone"};
constexpr Diagnostic kNotATensor{"store-to-non-tensor", Severity::Error, ErrorClass::Type,
                                 "cannot store to an element of {}"};
constexpr Diagnostic kHandleStore{"store-to-handle", Severity::Error, ErrorClass::Type,
                                  "'{0}' is a handle and has no elements; make it a tensor first, "
                                  "'A = T.match_buffer({0}, shape, dtype)'"};
constexpr Diagnostic kSliceStore{"slice-store", Severity::Error, ErrorClass::Type,
                                 "a store to a slice is not supported yet; store its elements in a "
                                 "loop, 'for i in range(...)'"};
constexpr Diagnostic kHostStore{
    "host-store", Severity::Error, ErrorClass::Type,
    "host code cannot store to '{}': its memory is the device's; store in the kernel"};

// Evaluating it twice costs nothing and gives the same value while only `A[...]` is stored.
bool is_cheap_index(const ir::Expr& index) {
  return !ir::any_expr(
      index, [](const ir::Expr& e) { return ir::is<ir::Load>(&e) || ir::is<ir::Call>(&e); });
}

struct Reads {
  bool memory = false;
  std::vector<const ir::Local*> locals;
};

void collect_reads(const Value& value, Reads& reads) {
  for (const Value& item : value.items)
    collect_reads(item, reads);
  if (!value.is_expr()) return;
  ir::walk_exprs(*value.expr, [&](const ir::Expr& e) {
    if (const auto* read = ir::as<ir::LocalRead>(&e)) reads.locals.push_back(read->local);
    if (ir::is<ir::Load>(&e) || ir::is<ir::Call>(&e)) reads.memory = true;
  });
}

std::string_view target_name(const syntax::Expr& target) {
  if (const auto* name = syntax::as<syntax::Name>(&target)) return name->id;
  if (const auto* subscript = syntax::as<syntax::Subscript>(&target)) {
    return target_name(*subscript->value);
  }
  return "value";
}

syntax::Exprs elements_of(const syntax::Expr& expr) {
  if (const auto* tuple = syntax::as<syntax::Tuple>(&expr)) return tuple->elements;
  if (const auto* list = syntax::as<syntax::List>(&expr)) return list->elements;
  return {};
}

bool has_star(syntax::Exprs exprs) {
  for (const syntax::Expr* expr : exprs) {
    if (syntax::is<syntax::Starred>(expr)) return true;
  }
  return false;
}

bool is_sequence_target(const syntax::Expr& expr) {
  return syntax::is<syntax::Tuple>(&expr) || syntax::is<syntax::List>(&expr);
}

}  // namespace

void FunctionSema::translate(const syntax::Assign& stmt) {
  if (assign_special_call(stmt)) return;
  const Span value_span = stmt.value->span;
  if (stmt.targets.size() == 1) {
    const syntax::Expr& target = *stmt.targets[0];
    const syntax::Exprs targets = elements_of(target);
    const syntax::Exprs values = elements_of(*stmt.value);
    const bool is_parallel = is_sequence_target(target) && is_sequence_target(*stmt.value) &&
                             targets.size() == values.size() && !has_star(targets) &&
                             !has_star(values);
    if (!is_parallel) {
      assign_to(target, expr_.eval(*stmt.value), value_span);
      return;
    }
    std::vector<Value> results;
    std::vector<Span> spans;
    std::vector<StatementMark> marks;
    for (const syntax::Expr* value : values) {
      results.push_back(expr_.eval(*value));
      spans.push_back(value->span);
      marks.push_back(mark());
    }
    for (std::size_t k = results.size(); k-- > 0;)
      results[k] = settle(marks[k], results[k], spans[k]);
    assign_in_parallel(targets, results, spans);
    return;
  }
  Value value = expr_.eval(*stmt.value);
  const auto* first = syntax::as<syntax::Name>(stmt.targets[0]);
  const bool is_simple = !value.is_expr() || ir::is<ir::VarRef>(value.expr) ||
                         ir::is<ir::IntImm>(value.expr) || ir::is<ir::FloatImm>(value.expr);
  const bool is_named_by_first =
      first != nullptr && !facts_of(key_of(first), entry_of(first->id)).is_mutable;
  if (!is_simple && !is_named_by_first) {
    const std::string_view name = name_with(target_name(*stmt.targets[0]), "_new");
    value = Value::of_expr(context_.build.var(emit_let(name, value.expr, value_span), value_span),
                           value.constant);
  }
  for (std::size_t i = 0; i < stmt.targets.size(); ++i) {
    assign_to(*stmt.targets[i], value, value_span);
    if (i > 0 || is_simple || !is_named_by_first) continue;
    const Variable* bound = entry_of(first->id).current;
    if (bound != nullptr && bound->form == VariableForm::Value) value = bound->value;
  }
}

void FunctionSema::assign_to(const syntax::Expr& target, const Value& value, Span value_span) {
  if (const auto* name = syntax::as<syntax::Name>(&target)) {
    assign_name(*name, value, value_span);
  } else if (const auto* subscript = syntax::as<syntax::Subscript>(&target)) {
    store_element(*subscript, value, value_span);
  } else if (is_sequence_target(target)) {
    assign_sequence(elements_of(target), value, value_span);
  } else if (const auto* attribute = syntax::as<syntax::Attribute>(&target)) {
    diags_.report(attribute->attr_span, kAttributeTarget, attribute->attr);
  } else {
    diags_.report(target.span, kStarredTarget);
  }
}

// `a, *rest, b = value`.
void FunctionSema::assign_sequence(syntax::Exprs targets, const Value& value, Span value_span) {
  if (value.is_error()) {
    for (const syntax::Expr* target : targets) {
      const auto* starred = syntax::as<syntax::Starred>(target);
      assign_to(starred != nullptr ? *starred->value : *target, value, value_span);
    }
    return;
  }
  if (!is_sequence(value)) {
    diags_.report(value_span, kNotUnpackable, describe(value), targets.size());
    assign_sequence(targets, Value::error(), value_span);
    return;
  }
  const std::optional<Values> items = sequence_items(context_, value, value_span);
  if (!items.has_value()) return;
  std::size_t star = targets.size();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!syntax::is<syntax::Starred>(targets[i])) continue;
    if (star != targets.size()) {
      diags_.report(targets[i]->span, kTwoStars);
      assign_sequence(targets, Value::error(), value_span);
      return;
    }
    star = i;
  }
  const bool has_rest = star != targets.size();
  const std::size_t fixed = targets.size() - (has_rest ? 1 : 0);
  if (items->size() < fixed || (!has_rest && items->size() > fixed)) {
    diags_.report(value_span, items->size() < fixed ? kTooFewValues : kTooManyValues, fixed,
                  items->size());
    assign_sequence(targets, Value::error(), value_span);
    return;
  }
  std::vector<const syntax::Expr*> places;
  std::vector<Value> values;
  std::size_t next = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (i != star) {
      places.push_back(targets[i]);
      values.push_back((*items)[next++]);
      continue;
    }
    const std::size_t count = items->size() - fixed;
    places.push_back(syntax::as<syntax::Starred>(targets[i])->value);
    values.push_back(Value::sequence(ValueKind::List, items->subspan(next, count)));
    next += count;
  }
  assign_in_parallel(places, values, std::vector<Span>(values.size(), value_span));
}

// Stores happen in order, so a value that reads what an earlier target overwrites gets a name
// first (and with it what must be evaluated before it).
void FunctionSema::assign_in_parallel(syntax::Exprs targets, std::vector<Value>& values,
                                      const std::vector<Span>& spans) {
  std::vector<const ir::Local*> written;
  bool writes_memory = false;
  std::size_t named = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    Reads reads;
    collect_reads(values[k], reads);
    bool conflicts = writes_memory && reads.memory;
    for (const ir::Local* local : reads.locals) {
      for (const ir::Local* other : written)
        conflicts = conflicts || local == other;
    }
    if (conflicts) named = k + 1;
    if (const auto* name = syntax::as<syntax::Name>(targets[k])) {
      const Variable* variable = entry_of(name->id).current;
      if (variable != nullptr && variable->local != nullptr) written.push_back(variable->local);
    } else {
      writes_memory = true;
    }
  }
  for (std::size_t k = 0; k < named; ++k) {
    const bool must_come_first =
        k + 1 == named || (values[k].is_expr() && !ir::has_no_effect(values[k].expr));
    Reads reads;
    collect_reads(values[k], reads);
    if (k == 0 && !must_come_first) continue;
    if (!must_come_first && !reads.memory && reads.locals.empty()) continue;
    values[k] = materialize(values[k], name_with(target_name(*targets[k]), "_new"), spans[k]);
  }
  for (std::size_t k = 0; k < values.size(); ++k)
    assign_to(*targets[k], values[k], spans[k]);
}

// Tensor and indices of `A[i, j]` as a place to store to; null after an error.
const ir::Tensor* FunctionSema::element_target(const syntax::Subscript& target,
                                               std::vector<const Expr*>& indices) {
  const Value base = expr_.eval(*target.value);
  if (base.is_error()) return nullptr;
  if (base.is_expr() && base.expr->dtype == kHandle) {
    diags_.report(target.value->span, kHandleStore, diags_.sources().text_of(target.value->span));
    return nullptr;
  }
  if (base.kind != ValueKind::Tensor) {
    auto report = diags_.report(target.value->span, kNotATensor, describe(base));
    if (is_sequence(base)) {
      report.note("lists are fixed while compiling; declare a local array, 'x: T.float32[4]'");
    }
    return nullptr;
  }
  const syntax::Exprs parts = elements_of(*target.index);
  bool has_slice = syntax::is<syntax::Slice>(target.index);
  for (const syntax::Expr* part : parts)
    has_slice = has_slice || syntax::is<syntax::Slice>(part);
  if (has_slice) {
    diags_.report(target.index->span, kSliceStore);
    return nullptr;
  }
  if (region_.number == 0 && has_device_code_ && base.tensor->is_param) {
    diags_.report(target.value->span, kHostStore, base.tensor->name);
    return nullptr;
  }
  return expr_.eval_indices(*base.tensor, target, indices) ? base.tensor : nullptr;
}

void FunctionSema::store_element(const syntax::Subscript& target, const Value& value,
                                 Span value_span) {
  std::vector<const Expr*> indices;
  const StatementMark before = mark();
  const ir::Tensor* tensor = element_target(target, indices);
  if (tensor == nullptr || value.is_error()) return;
  const Value old = settle(before, value, value_span);
  const Expr* stored = expr_.convert(old, tensor->dtype, value_span, Conversion::Store);
  if (stored == nullptr) return;
  emit(context_.build.stmt<ir::Store>(cover(target.span, value_span), tensor,
                                      module_.arena.copy(indices), stored));
}

void FunctionSema::translate(const syntax::AugAssign& stmt) {
  if (const auto* name = syntax::as<syntax::Name>(stmt.target)) {
    augment_name(stmt, *name);
  } else if (const auto* subscript = syntax::as<syntax::Subscript>(stmt.target)) {
    augment_element(stmt, *subscript);
  } else {
    // The parser lets nothing else through.
    const auto* attribute = syntax::as<syntax::Attribute>(stmt.target);
    TIRXCC_CHECK(attribute != nullptr, "an augmented assignment without a target");
    diags_.report(attribute->attr_span, kAttributeTarget, attribute->attr);
  }
}

void FunctionSema::augment_name(const syntax::AugAssign& stmt, const syntax::Name& target) {
  const Value read = expr_.eval(target);
  const StatementMark before = mark();
  const Value value = expr_.eval(*stmt.value);
  const Value old = settle(before, read, target.span);
  const Value result = old.is_error() || value.is_error()
                           ? Value::error()
                           : expr_.binary(stmt.op, old, value, stmt.op_span, stmt.span);
  assign_name(target, result, stmt.span);
}

void FunctionSema::augment_element(const syntax::AugAssign& stmt, const syntax::Subscript& target) {
  std::vector<const Expr*> indices;
  const ir::Tensor* tensor = element_target(target, indices);
  if (tensor == nullptr) {
    expr_.eval(*stmt.value);
    return;
  }
  for (const Expr*& index : indices) {
    if (is_cheap_index(*index)) continue;
    const ir::Var* var = emit_let(name_with(tensor->name, "_idx"), index, index->span);
    index = context_.build.var(var, index->span);
  }
  const ir::ExprList read_list = module_.arena.copy(indices);
  const Value read = Value::of_expr(context_.build.load(tensor, read_list, target.span));
  const StatementMark before = mark();
  const Value value = expr_.eval(*stmt.value);
  if (value.is_error()) return;
  const Value old = settle(before, read, target.span);
  for (const Expr*& index : indices)
    index = settle(before, Value::of_expr(index), index->span).expr;
  const ir::ExprList list = module_.arena.copy(indices);
  const Value result = expr_.binary(stmt.op, old, value, stmt.op_span, stmt.span);
  if (result.is_error()) return;
  const Expr* stored = expr_.convert(result, tensor->dtype, stmt.span, Conversion::Store);
  if (stored == nullptr) return;
  emit(context_.build.stmt<ir::Store>(stmt.span, tensor, list, stored));
}

}  // namespace tirxcc::sema
