// SPDX-License-Identifier: Apache-2.0
//
// Calls of the language that are statements, or that only mean something as the value of an
// assignment: T.gpu_thread_return(), T.evaluate(e), x = T.alloc_local(...), tx = T.thread_id([n]).
#include <algorithm>
#include <array>

#include "sema/expr_internal.h"
#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kOnlyLoop{"only-in-for", Severity::Error, ErrorClass::Syntax,
                               "{}(...) is only for 'for' loops: 'for i in {}(...):'"};
constexpr Diagnostic kOnlyStatement{"only-statement", Severity::Error, ErrorClass::Syntax,
                                    "{}(...) is a statement and has no value"};
constexpr Diagnostic kOnlyAssigned{"only-assigned", Severity::Error, ErrorClass::Syntax,
                                   "{0}(...) needs a name: 'x = {0}(...)'"};
constexpr Diagnostic kOnlyAnnotation{"only-annotation", Severity::Error, ErrorClass::Type,
                                     "{} is for annotations of parameters"};
constexpr Diagnostic kNestedEntry{"nested-device-entry", Severity::Error, ErrorClass::Syntax,
                                  "T.device_entry(...) inside a kernel; a kernel cannot start "
                                  "another one"};
constexpr Diagnostic kThreadReturnOnHost{"thread-return-on-host", Severity::Error,
                                         ErrorClass::Syntax,
                                         "T.gpu_thread_return() outside a device region; host code "
                                         "leaves by 'return'"};
constexpr Diagnostic kStaticAssert{"static-assert", Severity::Error, ErrorClass::Value,
                                   "static assertion failed{}"};
constexpr Diagnostic kStaticAssertUnknown{
    "static-assert-unknown", Severity::Error, ErrorClass::Value,
    "T.static_assert needs a condition that is known while compiling"};
constexpr Diagnostic kCallNotYet{"call-not-supported", Severity::Error, ErrorClass::Runtime,
                                 "{} is not supported yet"};
constexpr Diagnostic kIdCount{"scope-id-count", Severity::Error, ErrorClass::Value,
                              "{} names for {} extent{}; each extent gives one id"};
constexpr Diagnostic kAttrArguments{"attribute-arguments", Severity::Error, ErrorClass::Type,
                                    "{} expects one dict of attributes"};
constexpr Diagnostic kAttrName{"global-symbol", Severity::Error, ErrorClass::Type,
                               "\"global_symbol\" must be a string that is a name, got {}"};
constexpr Diagnostic kNoEffect{"no-effect", Severity::Warning, ErrorClass::Syntax,
                               "this statement has no effect; nothing uses its value"};

constexpr std::array<std::string_view, 6> kLoopCalls = {"grid",   "parallel",       "serial",
                                                        "unroll", "thread_binding", "vectorized"};
constexpr std::array<std::string_view, 4> kArrayCalls = {"alloc_buffer", "alloc_local",
                                                         "alloc_shared", "alloc_tensor"};
constexpr std::array<std::string_view, 3> kScalarCalls = {"alloc_scalar", "local_scalar",
                                                          "shared_scalar"};
constexpr std::array<std::string_view, 10> kScopeIds = {
    "cluster_id", "cta_id",          "cta_id_in_cluster", "cta_id_in_pair", "lane_id",
    "thread_id",  "thread_id_in_wg", "warp_id",           "warp_id_in_wg",  "warpgroup_id"};

template <typename List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// A call of a function of the embedding program may do something there; the language's own may not.
bool may_have_effect(Context& context, const syntax::Expr& expr) {
  const auto* call = syntax::as<syntax::Call>(&expr);
  return call != nullptr && eval_expr(context, *call->func).kind != ValueKind::Builtin;
}

}  // namespace

// The language's function that a call calls, without a word when it is none.
std::string_view FunctionSema::builtin_callee(const syntax::Expr& expr) {
  const auto* call = syntax::as<syntax::Call>(&expr);
  if (call == nullptr || !syntax::is<syntax::Attribute>(call->func)) return {};
  const syntax::Expr* root = call->func;
  std::string_view member;
  while (const auto* attribute = syntax::as<syntax::Attribute>(root)) {
    member = attribute->attr;
    root = attribute->value;
  }
  const auto* name = syntax::as<syntax::Name>(root);
  if (name == nullptr) return {};
  NameEntry& entry = entry_of(name->id);
  if (entry.is_local) return {};
  context_.member_of_name = member;
  const bool is_of_the_language = read_captured(entry, name->span).is_builtin("");
  context_.member_of_name = {};
  if (!is_of_the_language) return {};
  const Value callee = expr_.eval(*call->func);
  return callee.kind == ValueKind::Builtin ? callee.text : std::string_view();
}

bool FunctionSema::assign_special_call(const syntax::Assign& stmt) {
  const auto* call = syntax::as<syntax::Call>(stmt.value);
  if (call == nullptr || stmt.targets.size() != 1) return false;
  const syntax::Expr& target = *stmt.targets[0];
  const auto* name = syntax::as<syntax::Name>(&target);
  if (name != nullptr && call->args.empty() && call->keywords.empty()) {
    const Value callee = expr_.eval(*call->func);
    if (callee.is_error()) {
      assign_name(*name, callee, call->span);
      return true;
    }
    if (callee.kind == ValueKind::Type && callee.dtype.is_int()) {
      declare_symbol(*name, callee.dtype);
      return true;
    }
  }
  const std::string_view callee = builtin_callee(*stmt.value);
  if (callee.empty()) return false;
  if (contains(kScopeIds, callee) || callee == "launch_thread") {
    bind_scope_id(target, expr_.eval(*call), call->span);
    return true;
  }
  if (name == nullptr) return false;
  NameEntry& entry = entry_of(name->id);
  if (callee == "meta_var") {
    bind_meta(entry, key_of(name), expr_.eval(*call), name->span);
    return true;
  }
  if (contains(kScalarCalls, callee)) {
    allocate_scalar(callee, *call, *name);
    return true;
  }
  if (contains(kArrayCalls, callee) || callee == "match_buffer") {
    named_call_ = call;
    call_name_ = name->id;
    call_name_span_ = name->span;
    const Value value = expr_.eval(*call);
    named_call_ = nullptr;
    bind_meta(entry, key_of(name), value, name->span)->is_tensor_name = !value.is_error();
    return true;
  }
  return false;
}

// Ids are values with names; an id of extent 1 is the constant 0 and stays one.
void FunctionSema::bind_scope_id(const syntax::Expr& target, const Value& value, Span span) {
  const auto* name = syntax::as<syntax::Name>(&target);
  if (name != nullptr && value.is_expr() && ir::as_int(value.expr) != nullptr) {
    bind_meta(entry_of(name->id), key_of(name), value, name->span);
    return;
  }
  syntax::Exprs targets;
  if (const auto* tuple = syntax::as<syntax::Tuple>(&target)) targets = tuple->elements;
  if (const auto* list = syntax::as<syntax::List>(&target)) targets = list->elements;
  const std::size_t count = value.kind == ValueKind::Tuple ? value.items.size() : 1;
  if (!value.is_error() && !targets.empty() && targets.size() != count) {
    diags_.report(target.span, kIdCount, targets.size(), count, count == 1 ? "" : "s");
    assign_to(target, Value::error(), span);
  } else if (value.kind == ValueKind::Tuple && !targets.empty()) {
    for (std::size_t i = 0; i < targets.size(); ++i)
      bind_scope_id(*targets[i], value.items[i], span);
  } else {
    assign_to(target, value, span);
  }
}

void FunctionSema::warn_no_effect(const syntax::Expr& expr, const Value& value) {
  const std::string_view text = diags_.sources().text_of(expr.span);
  auto warning = diags_.report(expr.span, kNoEffect);
  const auto* compare = syntax::as<syntax::Compare>(&expr);
  const bool is_short = text.size() <= 40 && text.find('\n') == std::string_view::npos;
  if (value.kind == ValueKind::Object) {
    warning.note("give it to the launch: 'T.device_entry(launch={})'", is_short ? text : "...");
  } else if (syntax::is<syntax::Attribute>(&expr) && value.kind == ValueKind::Builtin) {
    warning.note("a call has parentheses: '{}()'", text);
  } else if (compare != nullptr && compare->ops.size() == 1 &&
             compare->ops[0] == syntax::CompareOperator::Eq) {
    warning.note("'==' compares; an assignment has one '='");
  } else {
    warning.note("store the value, 'x = {}', or remove the statement", is_short ? text : "...");
  }
}

void FunctionSema::evaluate_for_effect(const syntax::Expr& expr) {
  const Value value = expr_.eval(expr);
  if (!value.is_expr() || ir::has_no_effect(value.expr)) return;
  emit(context_.build.stmt<ir::Evaluate>(expr.span, value.expr));
}

void FunctionSema::translate(const syntax::ExprStmt& stmt) {
  if (syntax::is<syntax::Constant>(stmt.value)) return;
  const std::string_view callee = builtin_callee(*stmt.value);
  if (!callee.empty() && translate_call_stmt(callee, *syntax::as<syntax::Call>(stmt.value))) return;
  const Value value = expr_.eval(*stmt.value);
  // These declare the launch, whether or not their value gets a name.
  if (contains(kScopeIds, callee) || callee == "launch_thread") return;
  if (value.is_expr() && !ir::has_no_effect(value.expr)) {
    emit(context_.build.stmt<ir::Evaluate>(stmt.value->span, value.expr));
  } else if (!value.is_error() && value.kind != ValueKind::Ellipsis &&
             value.kind != ValueKind::None && !may_have_effect(context_, *stmt.value)) {
    warn_no_effect(*stmt.value, value);
  }
}

bool FunctionSema::translate_call_stmt(std::string_view callee, const syntax::Call& call) {
  if (callee == "gpu_thread_return") {
    if (!bind_arguments(context_, call, "T.gpu_thread_return", {}, {})) return true;
    if (region_.number > 0) {
      end_thread(call.span);
    } else {
      diags_.report(call.span, kThreadReturnOnHost);
    }
  } else if (callee == "evaluate") {
    static constexpr ParamSpec kParams[] = {{"value"}};
    Argument args[1];
    if (bind_arguments(context_, call, "T.evaluate", kParams, args)) {
      evaluate_for_effect(*args[0].expr);
    }
  } else if (callee == "static_assert") {
    translate_static_assert(call);
  } else if (callee == "func_attr" || callee == "attr") {
    translate_attributes(callee, call);
  } else if (callee == "hint") {
    for (const syntax::Expr* arg : call.args)
      expr_.eval(*arg);
  } else if (callee == "leave") {
    translate_leave(call);
  } else if (callee == "device_entry") {
    diags_.report(call.span, kNestedEntry);
  } else {
    return false;
  }
  return true;
}

void FunctionSema::translate_static_assert(const syntax::Call& call) {
  static constexpr ParamSpec kParams[] = {{"condition"}, {"message", false}};
  Argument args[2];
  if (!bind_arguments(context_, call, "T.static_assert", kParams, args)) return;
  const Value value = expr_.eval(*args[0].expr);
  if (value.is_error()) return;
  std::string text;
  if (args[1]) {
    const Value message = expr_.eval(*args[1].expr);
    if (message.is_error()) return;
    text = fmt::format(
        ": {}", message.kind == ValueKind::String ? std::string(message.text) : describe(message));
  }
  const std::optional<bool> truth = expr_.known_truth(value);
  if (!truth.has_value()) {
    diags_.report(args[0].span(), kStaticAssertUnknown);
  } else if (!*truth) {
    diags_.report(args[0].span(), kStaticAssert, text);
  }
}

// T.func_attr({"global_symbol": "name"}) renames the function; other attributes are notes.
void FunctionSema::translate_attributes(std::string_view callee, const syntax::Call& call) {
  const Value value = call.args.size() == 1 ? expr_.eval(*call.args[0]) : Value::none();
  if (value.is_error()) return;
  if (value.kind != ValueKind::Dict) {
    if (callee == "attr") return;  // T.attr(node, key, value): a note of older kernels
    diags_.report(call.span, kAttrArguments, display_name(callee));
    return;
  }
  for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
    const Value& key = value.items[i];
    const Value& item = value.items[i + 1];
    if (key.kind != ValueKind::String) continue;
    if (key.text == "global_symbol") {
      if (item.kind == ValueKind::String && !item.text.empty()) {
        global_symbol_ = item.text;
      } else {
        diags_.report(call.span, kAttrName, describe(item));
      }
    }
    if (key.text == "tirx.launch_bounds_min_blocks_per_sm" && region_.kernel != nullptr) {
      const std::optional<int128> count = expr_.known_int(item);
      if (count.has_value() && *count > 0 && *count <= 64) {
        region_.kernel->launch.min_blocks_per_sm = static_cast<std::int32_t>(*count);
      }
    }
  }
}

// Statement calls where a value is wanted.
Value FunctionSema::call_statement_builtin(const Value& callee, const syntax::Call& call) {
  const std::string_view path = callee.text;
  if (path == "cuda.LaunchConfig" || path == "cuda.KernelAttributes" ||
      !launch_structure_parts(path).empty()) {
    return make_object(path, call);
  }
  if (contains(kScopeIds, path)) return scope_id(path, call);
  if (path == "launch_thread") {
    static constexpr ParamSpec kParams[] = {{"thread"}, {"extent"}};
    Argument args[2];
    if (!bind_arguments(context_, call, display_name(path), kParams, args)) return Value::error();
    return launch_thread(args[0].expr, args[1].expr, call);
  }
  if (contains(kArrayCalls, path)) return allocate(path, call);
  if (path == "match_buffer") return match_buffer(call);
  const std::string name = display_name(path);
  if (contains(kScalarCalls, path)) {
    diags_.report(call.span, kOnlyAssigned, name);
  } else if (contains(kLoopCalls, path)) {
    diags_.report(call.span, kOnlyLoop, name, name);
  } else if (path == "Tensor" || path == "Buffer" || path == "handle" || path == "Ptr") {
    diags_.report(call.func->span, kOnlyAnnotation, name);
  } else if (path == "gpu_thread_return" || path == "evaluate" || path == "static_assert" ||
             path == "func_attr" || path == "attr" || path == "hint" || path == "device_entry") {
    diags_.report(call.span, kOnlyStatement, name);
  } else {
    diags_.report(call.func->span, kCallNotYet, name);
  }
  return Value::error();
}

}  // namespace tirxcc::sema
