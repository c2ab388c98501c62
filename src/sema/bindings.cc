// SPDX-License-Identifier: Apache-2.0
//
// Binding names: which variable an assignment belongs to, and whether that is a value, a mutable
// scalar or a compile-time value (rules 26-28).
#include "ir/constant.h"
#include "sema/expr_internal.h"
#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kNoValue{"no-value", Severity::Error, ErrorClass::Type,
                              "this call gives no value that '{}' could be bound to"};
constexpr Diagnostic kTensorName{"assigned-tensor-name", Severity::Error, ErrorClass::Type,
                                 "'{0}' is a tensor and cannot be assigned; store to an element, "
                                 "'{0}[...] = ...', or use another name"};
constexpr Diagnostic kImmutable{"assigned-let", Severity::Error, ErrorClass::Type,
                                "'{}' is immutable: it was declared with T.let"};
constexpr Diagnostic kNamespaceAlias{"assigned-namespace", Severity::Error, ErrorClass::Syntax,
                                     "'{}' is the language's namespace and cannot be assigned"};
constexpr Diagnostic kNoCommonType{"no-common-type", Severity::Error, ErrorClass::Type,
                                   "'{}' is assigned {} here and {} elsewhere; no type holds both"};
constexpr Diagnostic kTypeChanges{"type-changes", Severity::Warning, ErrorClass::Type,
                                  "'{}' was {} and is {} from here on; this starts a new variable"};
constexpr Diagnostic kMetaInLoop{
    "meta-value-in-loop", Severity::Error, ErrorClass::Type,
    "'{}' is {}, which cannot change from turn to turn of a loop that runs in the kernel"};

bool is_scalar(const Value& value) {
  switch (value.kind) {
    case ValueKind::Bool:
    case ValueKind::Int:
    case ValueKind::Float:
    case ValueKind::Symbol:
    case ValueKind::Expr: return true;
    case ValueKind::Error:
    case ValueKind::None:
    case ValueKind::Ellipsis:
    case ValueKind::String:
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict:
    case ValueKind::Range:
    case ValueKind::Type:
    case ValueKind::Tensor:
    case ValueKind::Region:
    case ValueKind::Builtin:
    case ValueKind::Function:
    case ValueKind::Method:
    case ValueKind::Object:
    case ValueKind::Host: return false;
  }
  return false;
}

std::optional<DType> join_types(DType a, DType b) {
  if (a.is_error()) return b;
  if (b.is_error() || a == b) return a;
  return promote(a, b);
}

}  // namespace

Variable* FunctionSema::make_variable(NameEntry& name, const void* key, Span span) {
  auto* variable = module_.arena.make<Variable>();
  variable->name = &name;
  variable->key = key;
  variable->span = span;
  variable->region = region_.number;
  variable->made = ++clock_;
  variable->first_frame = frame_;
  variables_.push_back(variable);
  if (name.variable != nullptr && name.variable->key != key) name.has_several = true;
  name.current = variable;
  name.variable = variable;
  return variable;
}

Variable* FunctionSema::make_local(NameEntry& name, const void* key, Span span, DType type) {
  Variable* variable = make_variable(name, key, span);
  variable->form = VariableForm::Local;
  variable->local = module_.arena.make<MutableLocal>();
  variable->local->name = name.name;
  variable->local->dtype = type;
  variable->local->span = span;
  return variable;
}

Variable* FunctionSema::bind_meta(NameEntry& entry, const void* key, const Value& value,
                                  Span span) {
  Variable* variable = make_variable(entry, key, span);
  variable->form = VariableForm::Meta;
  variable->value = value;
  set_assigned(entry, span);
  return variable;
}

// A loop that runs in the kernel is around this point, the variable was made before it and read in
// it: an assignment here would be seen by that read in the next turn.
bool FunctionSema::is_carried_by_loop(const Variable& variable) const {
  for (std::size_t i = loops_.size(); i-- > 0;) {
    if (loops_[i].kind == Loop::Kind::Unrolled) continue;
    return variable.made < loops_[i].started && variable.last_read > loops_[i].started;
  }
  return false;
}

void FunctionSema::assign_name(const syntax::Name& target, const Value& value, Span value_span) {
  NameEntry& entry = entry_of(target.id);
  if (value.is_error()) {
    if (entry.current == nullptr) bind_meta(entry, key_of(&target), value, target.span);
    set_assigned(entry, target.span);
    return;
  }
  const Variable* current = entry.current;
  if (current != nullptr && current->is_cell) {
    store_cell(*current, value, value_span, target.span);
    return;
  }
  if (current != nullptr && current->is_tensor_name) {
    diags_.report(target.span, kTensorName, entry.name)
        .label(current->span, "'{}' is made here", entry.name);
    return;
  }
  if (entry.is_namespace) {
    diags_.report(target.span, kNamespaceAlias, entry.name);
    return;
  }
  if (is_scalar(value)) {
    assign_scalar(target, entry, value, value_span);
    return;
  }
  if (current != nullptr && current->form == VariableForm::Meta && is_carried_by_loop(*current)) {
    diags_.report(target.span, kMetaInLoop, entry.name, describe(value))
        .label(current->span, "it comes from here");
  }
  bind_meta(entry, key_of(&target), materialize(value, entry.name, value_span), target.span);
}

void FunctionSema::store_cell(const Variable& variable, const Value& value, Span value_span,
                              Span span) {
  const ir::Tensor* tensor = variable.value.tensor;
  const Expr* stored = expr_.convert(value, tensor->dtype, value_span, Conversion::Store);
  if (stored == nullptr) return;
  const Expr* zero = context_.build.int_imm(kInt32, 0, span);
  emit(context_.build.stmt<ir::Store>(cover(span, value_span), tensor, module_.arena.copy({zero}),
                                      stored));
}

// Rule 26: another type in the same statement list is a new variable.
bool FunctionSema::starts_new_variable(const NameEntry& entry, const Variable& variable,
                                       DType type) const {
  if (entry.is_one_variable || variable.is_annotated || variable.is_param || variable.is_loop) {
    return false;
  }
  if (variable.first_frame != frame_) return false;
  const DType old =
      variable.form == VariableForm::Local ? variable.local->dtype : variable.value.expr->dtype;
  return old != type;
}

// The variable that `target = ...` assigns once more, or null if it makes a new one.
Variable* FunctionSema::variable_to_continue(const syntax::Name& target, NameEntry& entry,
                                             DType type) {
  Variable* variable = entry.current;
  const void* key = key_of(&target);
  if (variable == nullptr) return nullptr;
  if (variable->region != region_.number) {
    set_changed(facts_of(variable->key, entry).is_mutable_in_device);
    return nullptr;
  }
  if (variable->is_loop && !frames_[variable->first_frame].is_open) variable = entry.variable;
  if (variable == nullptr || variable->region != region_.number) return nullptr;
  if (variable->is_param || variable->is_loop) {
    if (variable->form == VariableForm::Local) return variable;
    VariableFacts& facts = facts_of(variable->key, entry);
    set_changed(facts.is_mutable);
    return nullptr;
  }
  if (variable->form == VariableForm::Meta) return nullptr;
  if (starts_new_variable(entry, *variable, type) && variable->key != key) {
    const DType old = variable->form == VariableForm::Local ? variable->local->dtype
                                                            : variable->value.expr->dtype;
    diags_.report(target.span, kTypeChanges, entry.name, to_string(old), to_string(type))
        .label(variable->span, "the first one is here");
    return nullptr;
  }
  if (variable->key != key) variable->is_justified = true;
  if (variable->form == VariableForm::Local) return variable;
  // The copies of an unrolled body each have their own value.
  if (variable->key == key) return nullptr;
  set_changed(facts_of(variable->key, entry).is_mutable);
  raise_type(*variable, type, target.span);
  return nullptr;
}

void FunctionSema::raise_type(Variable& variable, DType type, Span span) {
  if (variable.is_annotated) return;
  VariableFacts& facts = facts_of(variable.key, *variable.name);
  const std::optional<DType> joined = join_types(facts.type, type);
  if (!joined.has_value()) {
    diags_.report(span, kNoCommonType, variable.name->name, to_string(type), to_string(facts.type))
        .label(variable.span, "the first assignment is here");
    return;
  }
  if (*joined == facts.type) return;
  facts.type = *joined;
  is_changed_ = true;
}

void FunctionSema::assign_scalar(const syntax::Name& target, NameEntry& entry, const Value& value,
                                 Span value_span) {
  const DType type = expr_.type_of(value);
  if (type.is_void()) {
    diags_.report(value_span, kNoValue, entry.name);
    return;
  }
  if (entry.current != nullptr && entry.current->is_let &&
      frames_[entry.current->first_frame].is_open) {
    diags_.report(target.span, kImmutable, entry.name)
        .label(entry.current->span, "it is declared here");
    return;
  }
  warn_if_choice_is_named(context_, value);
  Variable* variable = variable_to_continue(target, entry, type);
  if (variable == nullptr) {
    const void* key = key_of(&target);
    VariableFacts& facts = facts_of(key, entry);
    const std::optional<DType> joined = join_types(facts.type, type);
    if (joined.has_value()) facts.type = *joined;
    if (!facts.is_mutable) {
      bind_value(*make_variable(entry, key, target.span), value, target.span);
      set_assigned(entry, target.span);
      return;
    }
    variable = make_local(entry, key, target.span, facts.type);
  }
  store_local(*variable, value, value_span, target.span);
}

// `name = value`, once: a Let. A literal's name keeps its value for compile time (rule 28).
void FunctionSema::bind_value(Variable& variable, const Value& value, Span span) {
  variable.form = VariableForm::Value;
  const Expr* expr = expr_.to_expr(value, span);
  if (expr == nullptr) {
    variable.form = VariableForm::Meta;
    variable.value = Value::error();
    return;
  }
  const Value* constant = value.constant;
  if (value.is_meta_number() && !value.is_expr()) {
    constant = module_.arena.make<Value>(value);
  } else if (const ir::IntImm* literal = ir::as_int(expr)) {
    constant = module_.arena.make<Value>(literal->dtype.is_bool()
                                             ? Value::of_bool(literal->value != 0)
                                             : Value::of_int(ir::int_value(*literal)));
  }
  const ir::Var* var = emit_let(variable.name->name, expr, span);
  variable.value = Value::of_expr(context_.build.var(var, span), constant);
}

void FunctionSema::store_local(Variable& variable, const Value& value, Span value_span, Span span) {
  raise_type(variable, expr_.type_of(value), span);
  const Expr* expr = expr_.convert(value, variable.local->dtype, value_span, Conversion::Store);
  touch(variable);
  // `v = v`: an inline function that changes its argument and returns it gives that.
  const auto* same = ir::as<ir::LocalRead>(expr);
  if (expr != nullptr && (same == nullptr || same->local != variable.local)) {
    emit(
        context_.build.stmt<ir::Assign>(span, static_cast<const ir::Local*>(variable.local), expr));
  }
  variable.local->last_assigned = ++clock_;
  set_assigned(*variable.name, span);
}

// Targets of `for`: names, or nested tuples of them.
void FunctionSema::bind_loop_variable(const syntax::Expr& target, const Value& value) {
  const auto* name = syntax::as<syntax::Name>(&target);
  if (name == nullptr) {
    syntax::Exprs targets;
    if (const auto* tuple = syntax::as<syntax::Tuple>(&target)) targets = tuple->elements;
    if (const auto* list = syntax::as<syntax::List>(&target)) targets = list->elements;
    const bool is_pairwise = value.kind == ValueKind::Tuple || value.kind == ValueKind::List;
    if (!is_pairwise || targets.empty() || targets.size() != value.items.size()) {
      assign_to(target, value, target.span);
      return;
    }
    for (std::size_t i = 0; i < targets.size(); ++i)
      bind_loop_variable(*targets[i], value.items[i]);
    return;
  }
  NameEntry& entry = entry_of(name->id);
  if (entry.is_namespace) {
    diags_.report(name->span, kNamespaceAlias, entry.name);
    return;
  }
  const void* key = key_of(name);
  Variable* ordinary = entry.variable;
  const bool had_several = entry.has_several;
  if (!is_scalar(value) || value.is_error()) {
    bind_meta(entry, key, value, name->span)->is_loop = true;
    entry.variable = ordinary;
    entry.has_several = had_several;
    return;
  }
  VariableFacts& facts = facts_[key];
  facts.is_known = true;
  if (facts.is_mutable) {
    // The body assigns it: it works on a copy, and the loop goes on as it would have.
    const DType type = expr_.type_of(value);
    const std::optional<DType> joined = join_types(facts.type, type);
    facts.type = joined.value_or(type);
    Variable* variable = make_local(entry, key, name->span, facts.type);
    variable->is_loop = true;
    store_local(*variable, value, name->span, name->span);
  } else {
    Variable* variable = make_variable(entry, key, name->span);
    variable->form = value.is_expr() ? VariableForm::Value : VariableForm::Meta;
    variable->value = value;
    variable->is_loop = true;
    set_assigned(entry, name->span);
  }
  entry.variable = ordinary;
  entry.has_several = had_several;
}

// Parameters (and host values, in a kernel) that are assigned: a mutable copy at entry.
void FunctionSema::copy_assigned_at_entry() {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    NameEntry& entry = *entries_[i];
    Variable* outer = entry.current;
    if (outer == nullptr || outer->form == VariableForm::Meta) continue;
    VariableFacts* facts = facts_.find(outer->key);
    if (facts == nullptr) continue;
    const bool is_needed =
        region_.number > 0 ? facts->is_mutable_in_device : outer->is_param && facts->is_mutable;
    if (!is_needed) continue;
    const Value value = read_variable(entry, outer->span);
    if (!value.is_expr()) continue;
    const DType type = join_types(facts->type, value.expr->dtype).value_or(value.expr->dtype);
    facts->type = type;
    Variable* copy = make_local(entry, outer->key, outer->span, type);
    copy->is_param = true;
    store_local(*copy, value, outer->span, outer->span);
  }
}

}  // namespace tirxcc::sema
