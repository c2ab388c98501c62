// SPDX-License-Identifier: Apache-2.0
//
// Reading names. A read gives the variable's value if its Let is still in scope, the present value
// of a mutable scalar, or a compile-time value; and it may show that the round's assumptions about
// the name do not hold (see names.h).
#include "base/overloaded.h"
#include "sema/foreign_names.h"
#include "sema/function_sema.h"
#include "sema/module_scope.h"
#include "sema/suggest.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kUnknownName{"unknown-name", Severity::Error, ErrorClass::Name,
                                  "name '{}' is not defined"};
constexpr Diagnostic kUnavailable{"unavailable-name", Severity::Error, ErrorClass::Name,
                                  "'{}' {}; a file is only read: compile from Python to use it"};
constexpr Diagnostic kUnusableName{"unusable-name", Severity::Error, ErrorClass::Name, "'{}' {}"};
constexpr Diagnostic kUsedBeforeAssigned{"used-before-assigned", Severity::Error, ErrorClass::Name,
                                         "'{}' is used before it is assigned"};
constexpr Diagnostic kMaybeUnassigned{"maybe-unassigned", Severity::Error, ErrorClass::Name,
                                      "'{}' is not assigned on every path to this use"};
constexpr Diagnostic kLoopVariableAfterLoop{"loop-variable-after-loop", Severity::Error,
                                            ErrorClass::Name,
                                            "loop variable '{}' is not defined after its loop"};
constexpr Diagnostic kMetaOutOfScope{
    "meta-value-out-of-scope", Severity::Error, ErrorClass::Name,
    "'{}' is {} that was bound in a branch or loop which the kernel may skip; bind it before"};

}  // namespace

NameEntry& FunctionSema::entry_of(std::string_view name) {
  NameEntry*& entry = scope_->names[name.data()];
  if (entry != nullptr) return *entry;
  // In a function inside the kernel a name that the kernel assigns is the kernel's.
  for (NameScope* around = scope_->parent; around != nullptr; around = around->parent) {
    NameEntry** found = around->names.find(name.data());
    if (found != nullptr && (*found)->is_local) return *(entry = *found);
  }
  entry = &fresh_entry(name);
  return *entry;
}

VariableFacts& FunctionSema::facts_of(const void* key, const NameEntry& name) {
  VariableFacts& facts = facts_[key];
  if (!facts.is_known) {
    facts.is_known = true;
    facts.is_guess = facts.is_mutable = name.sites > 1;
  }
  return facts;
}

void FunctionSema::set_changed(bool& fact) {
  if (fact) return;
  fact = true;
  is_changed_ = true;
}

Value FunctionSema::lookup(const syntax::Name& name) {
  if (const Value* bound = find_binding(name.id)) return *bound;
  NameEntry& entry = entry_of(name.id);
  if (in_signature_ || !entry.is_local) return read_captured(entry, name.span);
  return read_variable(entry, name.span);
}

// Names in the body of a lambda mean what they mean where it was made, wherever it is called. What
// the body expands has its names beside those of this call.
const void* FunctionSema::enter_names_of(const FunctionValue& function) {
  NameScope* former = scope_;
  if (function.home == scope_) return former;
  NameScope*& scope = scope_->children[function.lambda->body];
  if (scope == nullptr) {
    name_scopes_.push_back(std::make_unique<NameScope>());
    scope = name_scopes_.back().get();
  }
  auto* home = static_cast<NameScope*>(const_cast<void*>(function.home));
  scope->parent = home;
  scope->captured = home != nullptr ? home->captured : function.scope;
  scope_ = scope;
  return former;
}

void FunctionSema::leave_names(const void* former) {
  scope_ = static_cast<NameScope*>(const_cast<void*>(former));
}

Value FunctionSema::keep(const Value& value, std::string_view name, Span span) {
  return context_.lazy_depth > 0 ? value : materialize(value, name, span);
}

Value FunctionSema::read_captured(NameEntry& entry, Span span) {
  if (entry.is_captured_known) return entry.captured;
  CapturedScope& scope = *entry.captured_scope;
  std::optional<Value> found = scope.lookup(entry.name);
  if (!found.has_value() && in_signature_) {
    // A size that a scalar parameter gives: `def f(A: T.Tensor((n,), ...), n: T.int32)`.
    for (const ir::Param& param : params_) {
      if (param.name == entry.name && param.var != nullptr) {
        return Value::of_expr(context_.build.var(param.var, span));
      }
    }
  }
  if (found.has_value()) {
    entry.is_captured_known = true;
    entry.captured = *found;
    return *found;
  }
  const std::string advice =
      advice_for_name(entry.name, context_.member_of_name, context_.dialect_letter());
  if (const auto missing = scope.unavailable(entry.name)) {
    const Diagnostic& kind = missing->is_for_lack_of_python ? kUnavailable : kUnusableName;
    auto message = diags_.report(span, kind, entry.name, missing->reason);
    if (missing->span.is_valid()) message.label(missing->span, "'{}' is made here", entry.name);
    if (entry.name == "T") {
      message.note("the language is imported by 'from tirxcc.script import tirx as T'");
    } else if (!advice.empty() && !context_.member_of_name.empty()) {
      message.note("{}", advice);
    } else if (missing->reason == kPlainFunction) {
      message.note("with @T.inline above it, '{}' is a part of the kernels that call it",
                   entry.name);
    }
    return Value::error();
  }
  NearestName near(entry.name);
  for (const NameEntry* other : entries_) {
    if (other->is_local) near.offer(other->name);
  }
  for (const std::string_view known : scope.names())
    near.offer(known);
  auto message = diags_.report(span, kUnknownName, entry.name);
  if (entry.name == "T") {
    message.note("import it: 'from tirxcc.script import tirx as T'");
  } else if (!advice.empty()) {
    message.note("{}", advice);
  } else if (!near.result().empty()) {
    message.note("did you mean '{}'?", near.result());
  } else if (context_.dialect != ir::Dialect::A && region_.number == 0) {
    message.note("if it is a size, declare it in the body, before T.match_buffer: '{} = T.int32()'",
                 entry.name);
  } else if (in_signature_) {
    message.note("if it is a size, declare it at the top of the file: '{0} = T.dynamic(\"{0}\")'",
                 entry.name);
  }
  return Value::error();
}

Value FunctionSema::read_variable(NameEntry& entry, Span span) {
  Variable* variable = entry.current;
  if (variable == nullptr) {
    if (is_reachable_) {
      auto message = diags_.report(span, kUsedBeforeAssigned, entry.name);
      if (entry.first_site.begin > span.begin) {
        message.label(entry.first_site, "'{}' is first assigned here", entry.name);
      }
      if (entry.captured_scope->lookup(entry.name).has_value()) {
        message.note(
            "'{0}' is the kernel's own name here because it is assigned at line {1}; the '{0}' "
            "outside is another one, so give one of them another name",
            entry.name, diags_.sources().position(entry.first_site).line);
      } else if (entry.first_site.begin <= span.begin) {
        NearestName near(entry.name);
        for (const NameEntry* other : entries_) {
          if (other != &entry && other->current != nullptr) near.offer(other->name);
        }
        if (near.result().empty()) {
          message.note("give it its first value before, '{} = 0.0'", entry.name);
        } else {
          message.note("did you mean '{}'?", near.result());
        }
      }
    }
    return Value::error();
  }
  variable->last_read = ++clock_;
  const bool is_in_scope = frames_[variable->first_frame].is_open;
  if (variable->is_loop && !is_in_scope) {
    diags_.report(span, kLoopVariableAfterLoop, entry.name)
        .label(variable->span, "its loop is here")
        .note("give its last value another name inside the loop");
    return Value::error();
  }
  if (variable->form == VariableForm::Meta && variable->value.is_error()) return Value::error();
  if (!entry.is_assigned && is_reachable_) {
    diags_.report(span, kMaybeUnassigned, entry.name)
        .label(entry.assigned_span, "'{}' is assigned only here", entry.name)
        .note("give it a first value before the branch or loop");
    // Said once is enough.
    set_assigned(entry, entry.assigned_span);
    return Value::error();
  }
  if (!is_in_scope) {
    variable->is_justified = true;
    if (entry.has_several && variable->form != VariableForm::Meta) {
      set_changed(entry.is_one_variable);
    }
  }
  if (variable->region != region_.number) return read_host_variable(*variable, span);
  switch (variable->form) {
    case VariableForm::Local:
      touch(*variable);
      return Value::of_expr(context_.build.local(variable->local, span));
    case VariableForm::Value:
      if (!is_in_scope) set_changed(facts_of(variable->key, entry).is_mutable);
      break;
    case VariableForm::Meta:
      if (!is_in_scope && !variable->is_param) {
        diags_.report(span, kMetaOutOfScope, entry.name, describe(variable->value))
            .label(variable->span, "it is bound here");
        return Value::error();
      }
      if (variable->is_cell) return Value::of_expr(load_cell(*variable, span));
      return variable->value;
  }
  // The reference at this place, so that messages point here.
  const auto* bound = ir::as<ir::VarRef>(variable->value.expr);
  if (bound == nullptr) return variable->value;
  return Value::of_expr(context_.build.var(bound->var, span), variable->value.constant);
}

// The element of a scalar that lives in shared memory.
const ir::Expr* FunctionSema::load_cell(const Variable& variable, Span span) {
  const Expr* zero = context_.build.int_imm(kInt32, 0, span);
  return context_.build.load(variable.value.tensor, module_.arena.copy({zero}), span);
}

// A name of host code, read in a kernel: values become kernel arguments.
Value FunctionSema::read_host_variable(Variable& variable, Span span) {
  if (variable.form != VariableForm::Local) {
    const auto* bound = ir::as<ir::VarRef>(variable.value.expr);
    if (!variable.value.is_expr() || bound == nullptr) return variable.value;
    return Value::of_expr(context_.build.var(bound->var, span), variable.value.constant);
  }
  touch(variable);
  if (variable.snapshot == nullptr || variable.snapshot_region != region_.number) {
    const ir::Local* local = variable.local;
    const auto* var =
        module_.arena.make<ir::Var>(ir::Var{local->name, local->dtype, span, ir::VarKind::Let});
    snapshots_.push_back(
        context_.build.stmt<ir::Let>(span, var, context_.build.local(local, span)));
    variable.snapshot = var;
    variable.snapshot_region = region_.number;
  }
  return Value::of_expr(context_.build.var(variable.snapshot, span));
}

// Elements of containers are bound when the container is built: a later store does not change them.
Value FunctionSema::materialize(const Value& value, std::string_view name, Span span) {
  if (value.is_expr()) {
    if (ir::is_pure_value(value.expr) || value.expr->dtype.is_void()) return value;
    const ir::Var* var = emit_let(name, value.expr, span);
    return Value::of_expr(context_.build.var(var, span), value.constant);
  }
  const bool is_container = value.kind == ValueKind::Tuple || value.kind == ValueKind::List ||
                            value.kind == ValueKind::Dict;
  if (!is_container || value.items.empty()) return value;
  std::vector<Value> items;
  items.reserve(value.items.size());
  for (const Value& item : value.items)
    items.push_back(materialize(item, name, span));
  Value copy = value;
  copy.items = module_.arena.copy(items);
  return copy;
}

}  // namespace tirxcc::sema
