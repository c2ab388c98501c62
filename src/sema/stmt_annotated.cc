// SPDX-License-Identifier: Apache-2.0
//
// Declarations with a type (language.md 4.2):
//
//   x: T.int32 = 0        a mutable scalar with its first value
//   x: T.int32            the same, not initialised
//   x: T.float32[4]       an array of this thread
//   x: T.let = e          a value; T.let[T.int32] says its type
#include "sema/expr_internal.h"
#include "sema/foreign_names.h"
#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kAnnotatedTarget{"annotated-target", Severity::Error, ErrorClass::Syntax,
                                      "only a plain name can be declared with a type"};
constexpr Diagnostic kAnnotation{
    "bad-annotation", Severity::Error, ErrorClass::Type,
    "'{}' is declared as {}, which is no type of a local; write T.int32, T.float32[4] or T.let"};
constexpr Diagnostic kLetNeedsValue{"let-without-value", Severity::Error, ErrorClass::Syntax,
                                    "'{}: T.let' needs a value"};
constexpr Diagnostic kLetType{"let-type", Severity::Error, ErrorClass::Type,
                              "'{}' is declared T.let[T.{}] but its value is {}"};
constexpr Diagnostic kArrayInitializer{"array-initializer", Severity::Error, ErrorClass::Syntax,
                                       "the local array '{}' cannot have an initial value; store "
                                       "to its elements"};
constexpr Diagnostic kTensorDeclared{"declared-tensor-name", Severity::Error, ErrorClass::Type,
                                     "'{}' is a tensor and cannot be declared again as a scalar"};
constexpr Diagnostic kTypeDiffers{
    "declaration-type-differs", Severity::Warning, ErrorClass::Type,
    "'{}' was declared {} before and is {} from here on; this starts a new variable"};

}  // namespace

void FunctionSema::translate(const syntax::AnnAssign& stmt) {
  const auto* target = syntax::as<syntax::Name>(stmt.target);
  if (target == nullptr) {
    diags_.report(stmt.target->span, kAnnotatedTarget);
    return;
  }
  const syntax::Expr* read = read_annotation(stmt.annotation);
  if (read == nullptr) {
    assign_name(*target, Value::error(), target->span);
    return;
  }
  const syntax::Expr& annotation = *read;
  if (const auto* subscript = syntax::as<syntax::Subscript>(&annotation)) {
    const Value base = expr_.eval(*subscript->value);
    if (base.is_builtin("let")) {
      const std::optional<DType> type = eval_dtype(subscript->index, kError);
      if (type.has_value()) declare_let(*target, type, stmt.value, annotation.span);
      return;
    }
    if (const std::optional<DType> type = expr_.as_dtype(base)) {
      declare_array(*target, *type, *subscript, stmt.value);
      return;
    }
  }
  const Value value = expr_.eval(annotation);
  if (value.is_error()) {
    assign_name(*target, value, annotation.span);
  } else if (value.is_builtin("let")) {
    declare_let(*target, std::nullopt, stmt.value, annotation.span);
  } else if (const std::optional<DType> type = expr_.as_dtype(value)) {
    declare_scalar(*target, *type, stmt.value);
  } else {
    auto report = diags_.report(annotation.span, kAnnotation, target->id, describe(value));
    const std::string advice =
        advice_for_member(diags_.sources().text_of(annotation.span), context_.dialect_letter());
    if (!advice.empty()) report.note("{}", advice);
    assign_name(*target, Value::error(), annotation.span);
  }
}

// A declaration starts a new variable, unless a read sees several of them: then all are one.
Variable* FunctionSema::start_declared(const syntax::Name& target, DType type) {
  NameEntry& entry = entry_of(target.id);
  const void* key = key_of(&target);
  Variable* before = entry.variable;
  if (entry.current != nullptr && entry.current->is_tensor_name) {
    diags_.report(target.span, kTensorDeclared, entry.name)
        .label(entry.current->span, "'{}' is made here", entry.name);
    return nullptr;
  }
  const bool is_local =
      before != nullptr && before->form == VariableForm::Local && before->region == region_.number;
  if (is_local && entry.is_one_variable) {
    VariableFacts& facts = facts_of(before->key, entry);
    const DType joined = promote(facts.type, type).value_or(facts.type);
    if (joined != facts.type) {
      facts.type = joined;
      is_changed_ = true;
    }
    entry.current = before;
    return before;
  }
  if (is_local && before->key != key) {
    if (is_carried_by_loop(*before)) set_changed(entry.is_one_variable);
    const bool is_visible = frames_[before->first_frame].is_open;
    if (is_visible && before->is_annotated && before->local->dtype != type) {
      diags_
          .report(target.span, kTypeDiffers, entry.name, to_string(before->local->dtype),
                  to_string(type))
          .label(before->span, "the first declaration is here");
    }
  }
  VariableFacts& facts = facts_[key];
  facts.is_known = true;
  if (!entry.is_one_variable || facts.type.is_error()) facts.type = type;
  Variable* variable = make_local(entry, key, target.span, facts.type);
  variable->is_annotated = true;
  return variable;
}

void FunctionSema::declare_scalar(const syntax::Name& target, DType type,
                                  const syntax::Expr* value) {
  Value first;
  if (value != nullptr) first = expr_.eval(*value);
  Variable* variable = start_declared(target, type);
  if (variable == nullptr) return;
  if (value == nullptr) {
    touch(*variable);
    frames_[frame_].has_declarations = true;
    set_assigned(*variable->name, target.span);
  } else if (first.is_error()) {
    touch(*variable);
    set_assigned(*variable->name, target.span);
  } else {
    store_local(*variable, first, value->span, target.span);
  }
}

void FunctionSema::declare_let(const syntax::Name& target, std::optional<DType> type,
                               const syntax::Expr* value, Span type_span) {
  NameEntry& entry = entry_of(target.id);
  if (value == nullptr) {
    diags_.report(target.span, kLetNeedsValue, entry.name);
    assign_name(target, Value::error(), target.span);
    return;
  }
  Value bound = expr_.eval(*value);
  if (type.has_value() && !bound.is_error()) {
    const bool is_literal = bound.is_meta_number() && !bound.is_expr();
    if (!is_literal && expr_.type_of(bound) != *type) {
      diags_.report(type_span, kLetType, entry.name, to_string(*type), describe(bound))
          .label(value->span, "this is {}", describe(bound));
      bound = Value::error();
    } else if (is_literal) {
      const Expr* typed = expr_.convert(bound, *type, value->span, Conversion::Store);
      bound = typed == nullptr ? Value::error()
                               : Value::of_expr(typed, module_.arena.make<Value>(bound));
    }
  }
  const bool is_scalar = !expr_.type_of(bound).is_error() && !expr_.type_of(bound).is_void();
  if (bound.is_error() || !is_scalar) {
    assign_name(target, bound, value->span);
    return;
  }
  const void* key = key_of(&target);
  VariableFacts& facts = facts_[key];
  facts.is_known = true;
  if (facts.is_mutable) {
    facts.type = expr_.type_of(bound);
    store_local(*make_local(entry, key, target.span, facts.type), bound, value->span, target.span);
  } else {
    bind_value(*make_variable(entry, key, target.span), bound, target.span);
    set_assigned(entry, target.span);
  }
  entry.current->is_let = true;
}

void FunctionSema::declare_array(const syntax::Name& target, DType type,
                                 const syntax::Subscript& annotation, const syntax::Expr* value) {
  if (value != nullptr) {
    diags_.report(value->span, kArrayInitializer, target.id);
    expr_.eval(*value);
  }
  std::vector<const Expr*> shape;
  std::vector<Span> spans;
  if (!eval_shape(*annotation.index, shape, spans)) {
    assign_name(target, Value::error(), target.span);
    return;
  }
  const ir::Tensor* tensor =
      make_array(target.id, type, shape, spans, ir::Scope::Local, 0, target.span);
  const Value bound = tensor != nullptr ? Value::of_tensor(tensor) : Value::error();
  bind_meta(entry_of(target.id), key_of(&target), bound, target.span)->is_tensor_name = true;
}

}  // namespace tirxcc::sema
