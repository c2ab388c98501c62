// SPDX-License-Identifier: Apache-2.0
//
// @T.inline: a function that is expanded at each call (language.md section 6, rules 5 and 6). Its
// statements go into the caller's list; names that it assigns are fresh for each expansion, but for
// those of a kernel around it. An argument is evaluated once. A parameter that the function assigns
// and that the caller gave as a plain name is the caller's variable.
//
//   @T.inline                       x = A[i]
//   def mag(x):                     with T.block("mag_end"):
//       if x > 0:                       if x > 0: mag_result = x; leave
//           return x           ->       mag_result = -x
//       return -x                   B[i] = mag_result
//   B[i] = mag(A[i])
#include <utility>

#include "sema/expr_internal.h"
#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kTooDeep{"inline-too-deep", Severity::Error, ErrorClass::Runtime,
                              "'{}' is expanded within itself more than {} times; a recursion ends "
                              "by a condition that is known while compiling"};
constexpr Diagnostic kInlineArguments{"inline-arguments", Severity::Error, ErrorClass::Syntax,
                                      "'{}{}' is not supported in a @T.inline function"};
constexpr Diagnostic kInLazyPart{
    "inline-in-condition", Severity::Error, ErrorClass::Type,
    "'{0}' has statements and is called where it may not be evaluated; give its result a name "
    "before, 'x = {0}(...)'"};
constexpr Diagnostic kMissingResult{"inline-missing-return", Severity::Error, ErrorClass::Type,
                                    "'{}' returns a value, but a path through it ends without "
                                    "'return'"};
constexpr Diagnostic kEarlyMeta{"inline-early-return", Severity::Error, ErrorClass::Type,
                                "an early return gives {}; where the kernel decides, a result is a "
                                "number"};
constexpr Diagnostic kMixedResults{"inline-mixed-results", Severity::Error, ErrorClass::Type,
                                   "'{}' returns a value on one path and none on another"};
constexpr Diagnostic kCalleeNotYet{"callee-not-supported", Severity::Error, ErrorClass::Runtime,
                                   "calling '{}'{} is not supported yet"};
constexpr Diagnostic kNestedDecorator{"nested-decorator", Severity::Error, ErrorClass::Syntax,
                                      "a function inside a kernel is expanded where it is called; "
                                      "its decorator is @T.inline, not {}"};

constexpr Diagnostic kTooMany{
    "too-many-expansions", Severity::Error, ErrorClass::Runtime,
    "this call of '{}' makes '{}' go beyond {} expansions of inline functions, which is the limit"};
constexpr Diagnostic kInterrupted{"compilation-interrupted", Severity::Error, ErrorClass::Runtime,
                                  "the compilation was interrupted here"};

constexpr std::size_t kMaxDepth = 64;
// Of one function, all its calls together.
constexpr std::int64_t kMaxExpansions = 100'000;
// So often somebody who wants to stop is heard.
constexpr std::int64_t kExpansionsBetweenLooks = 256;

bool is_scalar_value(const Value& value) {
  return value.is_expr() || value.kind == ValueKind::Int || value.kind == ValueKind::Float ||
         value.kind == ValueKind::Bool || value.kind == ValueKind::Symbol;
}

// Written again at each use it costs nothing and means the same.
bool is_simple(const Value& value) {
  return ir::is<ir::VarRef>(value.expr) || ir::is<ir::IntImm>(value.expr) ||
         ir::is<ir::FloatImm>(value.expr);
}

}  // namespace

Value FunctionSema::call_function(const Value& callee, const syntax::Call& call) {
  const FunctionValue* function = callee.function;
  const bool has_text = function != nullptr && function->def != nullptr;
  if (has_text && (function->decorator == "inline" || function->decorator == "macro")) {
    return expand_inline(*function, call);
  }
  const std::string_view name = has_text ? function->def->name : std::string_view("?");
  const std::string kind = function == nullptr || function->decorator.empty()
                               ? std::string()
                               : fmt::format(", a @T.{} function,", function->decorator);
  auto report = diags_.report(call.func->span, kCalleeNotYet, name, kind);
  if (has_text)
    report.note("with @T.inline instead, '{}' is a part of the kernels that call it", name);
  return Value::error();
}

// A function inside a kernel is expanded at its calls, decorated or not.
void FunctionSema::translate(const syntax::FunctionDef& stmt) {
  for (const syntax::Expr* decorator : stmt.decorators) {
    const Value value = expr_.eval(*decorator);
    if (value.is_builtin("inline") || value.is_builtin("macro")) continue;
    if (!value.is_error()) diags_.report(decorator->span, kNestedDecorator, describe(value));
    bind_meta(entry_of(stmt.name), key_of(&stmt), Value::error(), stmt.name_span);
    return;
  }
  note_shared_names(stmt, stmt.body);
  auto* function = module_.arena.make<FunctionValue>();
  function->def = &stmt;
  function->decorator = "inline";
  function->scope = scope_->captured;
  nested_scopes_[function] = scope_;
  Value value;
  value.kind = ValueKind::Function;
  value.function = function;
  bind_meta(entry_of(stmt.name), key_of(&stmt), value, stmt.name_span);
}

Value FunctionSema::eval_lazy(const syntax::Expr& expr, bool is_lazy) {
  const LazyOperand lazy(context_, is_lazy);
  return expr_.eval(expr);
}

const void* FunctionSema::key_of(const void* node) {
  if (scope_ == &root_scope_) return node;
  const void*& key = scope_->keys[node];
  if (key == nullptr) key = module_.arena.make<char>();
  return key;
}

NameEntry& FunctionSema::fresh_entry(std::string_view name) {
  auto* entry = module_.arena.make<NameEntry>();
  entry->name = name;
  entry->captured_scope = scope_->captured;
  scope_->entries.push_back(entry);
  entries_.push_back(entry);
  return *entry;
}

// The names of the expansion at this call; the same ones in every round, and in every copy of an
// unrolled body, where each expansion starts with none of them assigned.
NameScope& FunctionSema::enter_scope(const FunctionValue& function, const syntax::Call& call) {
  NameScope*& scope = scope_->children[&call];
  if (scope == nullptr) {
    name_scopes_.push_back(std::make_unique<NameScope>());
    scope = name_scopes_.back().get();
  }
  NameScope** around = nested_scopes_.find(&function);
  scope->parent = around != nullptr ? *around : nullptr;
  scope->captured = function.scope != nullptr ? function.scope : root_scope_.captured;
  for (NameEntry* entry : scope->entries) {
    entry->current = entry->variable = nullptr;
    entry->has_several = entry->is_assigned = false;
  }
  return *scope;
}

// The names that the function assigns, its parameters first.
void FunctionSema::scan_inline(const syntax::FunctionDef& def) {
  if (scope_->params.empty()) {
    for (const syntax::Param* param : def.params) {
      NameEntry& entry = fresh_entry(param->name);
      entry.is_local = true;
      entry.first_site = param->name_span;
      scope_->params.push_back(&entry);
    }
  }
  for (NameEntry* param : scope_->params)
    scope_->names[param->name.data()] = param;
  if (scope_->is_scanned) return;
  scope_->is_scanned = true;
  const bool had_device_code = has_device_code_;
  scan(def.body);
  has_device_code_ = had_device_code;
}

// The arguments of the call, one per parameter; a null expression where the default is taken.
bool FunctionSema::bind_inline_arguments(const syntax::FunctionDef& def, const syntax::Call& call,
                                         std::vector<Argument>& args) {
  std::vector<ParamSpec> specs;
  for (const syntax::Param* param : def.params) {
    const bool is_list = param->kind == syntax::ParamKind::VarPositional;
    if (is_list || param->kind == syntax::ParamKind::VarKeyword) {
      diags_.report(param->name_span, kInlineArguments, is_list ? "*" : "**", param->name);
      return false;
    }
    specs.push_back({param->name, param->default_value == nullptr});
  }
  args.resize(specs.size());
  return bind_arguments(context_, call, Callee(def.name).defined_at(def.name_span), specs, args);
}

bool FunctionSema::may_expand(const syntax::FunctionDef& def, const syntax::Call& call) {
  if (expansions_.size() >= kMaxDepth) {
    diags_.report(call.span, kTooDeep, def.name, kMaxDepth)
        .label(expansions_.front().call, "the kernel's call is here");
    return false;
  }
  if (expanded_ > kMaxExpansions) return false;
  ++expanded_;
  const Span outermost = expansions_.empty() ? call.span : expansions_.front().call;
  if (expanded_ > kMaxExpansions) {
    const std::string_view name =
        expansions_.empty() ? def.name : std::string_view(expansions_.front().def->name);
    auto report = diags_.report(outermost, kTooMany, name, def_.name, kMaxExpansions);
    if (!expansions_.empty()) report.label(call.span, "the first that is too many is here");
    return false;
  }
  if (expanded_ % kExpansionsBetweenLooks == 0 && root_scope_.captured->is_interrupted()) {
    diags_.report(outermost, kInterrupted);
    expanded_ = kMaxExpansions + 1;
    return false;
  }
  return true;
}

Value FunctionSema::expand_inline(const FunctionValue& function, const syntax::Call& call) {
  const syntax::FunctionDef& def = *function.def;
  if (!may_expand(def, call)) return Value::error();
  std::vector<Argument> args;
  if (!bind_inline_arguments(def, call, args)) return Value::error();
  std::vector<Value> values;
  std::vector<NameEntry*> given_names;
  std::vector<StatementMark> marks;
  for (const Argument& arg : args) {
    values.push_back(arg ? expr_.eval(*arg.expr) : Value{});
    marks.push_back(mark());
    if (arg && values.back().is_error()) return Value::error();
    const auto* name = arg ? syntax::as<syntax::Name>(arg.expr) : nullptr;
    given_names.push_back(name != nullptr ? &entry_of(name->id) : nullptr);
  }
  for (std::size_t i = args.size(); i-- > 0;) {
    if (args[i]) values[i] = settle(marks[i], values[i], args[i].span());
  }
  const std::size_t statements_before = stack_.size();
  NameScope* caller = scope_;
  scope_ = &enter_scope(function, call);
  const std::size_t outer_bindings = hide_bindings();
  scan_inline(def);
  Expansion expansion;
  expansion.def = &def;
  expansion.call = call.span;
  expansion.loop_base = loops_.size();
  expansion.mark = trail_.size();
  expansion.frame = open_frame();
  expansions_.push_back(expansion);
  const int lazy_depth = std::exchange(context_.lazy_depth, 0);
  bool is_good = true;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const syntax::Param& param = *def.params[i];
    if (!args[i]) values[i] = default_of(param);
    is_good = is_good && !values[i].is_error();
    bind_inline_param(i, param, values[i], given_names[i], args[i] ? args[i].span() : call.span);
  }
  if (is_good) translate_block(def.body);
  is_static_jump_ = false;
  const Value result = close_expansion(call);
  context_.lazy_depth = lazy_depth;
  scope_ = caller;
  exchange_base(outer_bindings);
  if (context_.lazy_depth > 0 && stack_.size() != statements_before) {
    diags_.report(call.span, kInLazyPart, def.name);
    return Value::error();
  }
  return is_good ? result : Value::error();
}

// Defaults mean what they mean where the function is defined.
Value FunctionSema::default_of(const syntax::Param& param) {
  const bool was_in_signature = std::exchange(in_signature_, true);
  const Value value = expr_.eval(*param.default_value);
  in_signature_ = was_in_signature;
  return value;
}

void FunctionSema::bind_inline_param(std::size_t index, const syntax::Param& param,
                                     const Value& value, NameEntry* given, Span span) {
  NameEntry& entry = *scope_->params[index];
  const Variable* variable = given != nullptr ? given->current : nullptr;
  const bool is_caller_scalar = given != nullptr && given->is_local && variable != nullptr &&
                                variable->region == region_.number && is_scalar_value(value);
  const void* key = key_of(&param);
  VariableFacts& facts = facts_[key];
  facts.is_known = true;
  // Assigned here, or by a function that this one passes it on to.
  if ((entry.sites > 0 || facts.is_mutable) && is_caller_scalar) {
    scope_->names[param.name.data()] = given;
    return;
  }
  if (facts.is_mutable && is_scalar_value(value)) {
    const DType type = expr_.type_of(value);
    facts.type = facts.type.is_error() ? type : promote(facts.type, type).value_or(type);
    Variable* copy = make_local(entry, key, param.name_span, facts.type);
    copy->is_param = true;
    store_local(*copy, value, span, param.name_span);
    return;
  }
  Value bound = value;
  if (!value.is_expr()) {
    bound = materialize(value, param.name, span);
  } else if (!is_simple(value) && !value.expr->dtype.is_void()) {
    bound = Value::of_expr(context_.build.var(emit_let(param.name, value.expr, span), span),
                           value.constant);
  }
  Variable* made = make_variable(entry, key, param.name_span);
  made->form = bound.is_expr() ? VariableForm::Value : VariableForm::Meta;
  made->value = bound;
  made->is_param = true;
  made->is_tensor_name = bound.kind == ValueKind::Tensor;
  set_assigned(entry, param.name_span);
}

void FunctionSema::translate_inline_return(const syntax::Return& stmt) {
  const Value value = stmt.value != nullptr ? expr_.eval(*stmt.value) : Value::none();
  Expansion& expansion = expansions_.back();
  const bool is_certain = frame_ == expansion.frame;
  const bool has_value = value.kind != ValueKind::None;
  if (is_certain && !expansion.has_early_return) {
    expansion.value = value;
    expansion.is_done = true;
    is_static_jump_ = true;
    return;
  }
  if (expansion.has_early_return && expansion.has_result != has_value && !value.is_error()) {
    diags_.report(stmt.span, kMixedResults, expansion.def->name);
  }
  if (has_value && !value.is_error()) store_result(expansion, value, stmt);
  expansion.has_early_return = true;
  expansion.has_result = has_value;
  if (is_certain) {
    expansion.is_done = true;
    is_static_jump_ = true;
    return;
  }
  join_into(expansion.exits, expansion.mark);
  if (expansion.label == nullptr) {
    expansion.label =
        module_.arena.make<ir::Label>(ir::Label{name_with(expansion.def->name, "_end")});
  }
  emit(context_.build.stmt<ir::Leave>(stmt.span, expansion.label));
  is_reachable_ = false;
}

// An early result lives in a mutable scalar of the expansion.
void FunctionSema::store_result(Expansion& expansion, const Value& value,
                                const syntax::Return& stmt) {
  if (!is_scalar_value(value)) {
    diags_.report(stmt.value->span, kEarlyMeta, describe(value));
    return;
  }
  if (expansion.result == nullptr) {
    const void* key = key_of(expansion.def);
    VariableFacts& facts = facts_[key];
    facts.is_known = true;
    if (facts.type.is_error()) facts.type = expr_.type_of(value);
    NameEntry& entry = fresh_entry(name_with(expansion.def->name, "_result"));
    expansion.result = make_local(entry, key, stmt.span, facts.type);
  }
  store_local(*expansion.result, value, stmt.value->span, stmt.span);
}

Value FunctionSema::close_expansion(const syntax::Call& call) {
  const Expansion expansion = std::move(expansions_.back());
  expansions_.pop_back();
  if (expansion.label != nullptr) {
    auto* block = make_stmt<ir::Block>(call.span);
    block->label = expansion.label;
    close_frame(&block->body);
    emit(block);
  } else {
    splice_frame();
  }
  if (expansion.has_result && !expansion.is_done && is_reachable_) {
    diags_.report(expansion.def->name_span, kMissingResult, expansion.def->name)
        .label(call.span, "it is called here");
  }
  if (expansion.exits.is_reached) {
    Flow exits = expansion.exits;
    join_into(exits, expansion.mark);
    forget_since(expansion.mark);
    continue_from(exits);
  }
  if (!expansion.has_early_return) return expansion.value;
  if (expansion.result == nullptr) return expansion.has_result ? Value::error() : Value::none();
  touch(*expansion.result);
  return Value::of_expr(context_.build.local(expansion.result->local, call.span));
}

}  // namespace tirxcc::sema
