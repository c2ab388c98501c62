// SPDX-License-Identifier: Apache-2.0
//
// Memory of the kernel's own: T.alloc_local, T.alloc_shared, T.alloc_buffer, T.alloc_tensor
// (arrays) and T.local_scalar, T.shared_scalar, T.alloc_scalar (language.md 5.1).
#include "ir/traverse.h"
#include "sema/expr_internal.h"
#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kConstantSize{"allocation-size", Severity::Error, ErrorClass::Value,
                                   "the size of a {} array must be known while compiling; this "
                                   "extent is only known when the kernel runs"};
constexpr Diagnostic kHostSize{"allocation-host-size", Severity::Error, ErrorClass::Value,
                               "the host must know the size of dynamic shared memory when it "
                               "launches; this extent depends on the thread"};
constexpr Diagnostic kExtent{"extent-type", Severity::Error, ErrorClass::Type,
                             "an extent must be an integer, got {}"};
constexpr Diagnostic kNegativeExtent{"negative-extent", Severity::Error, ErrorClass::Value,
                                     "an extent must not be negative, got {}"};
constexpr Diagnostic kNoElements{
    "allocation-empty", Severity::Error, ErrorClass::Value,
    "an array of the kernel has at least one element; this extent is 0"};
constexpr Diagnostic kSwapped{"shape-after-dtype", Severity::Error, ErrorClass::Type,
                              "the shape comes first, then the dtype"};
constexpr Diagnostic kScope{"unknown-scope", Severity::Error, ErrorClass::Value,
                            "unknown memory scope {}; expected 'global', 'shared', 'shared.dyn' or "
                            "'local'"};
constexpr Diagnostic kGlobalInDevice{"global-allocation", Severity::Error, ErrorClass::Value,
                                     "Cannot allocate global memory when targeting CUDA"};
constexpr Diagnostic kNotYet{"allocation-not-supported", Severity::Error, ErrorClass::Runtime,
                             "{} is not supported yet"};
constexpr Diagnostic kHostAllocation{"host-allocation", Severity::Error, ErrorClass::Runtime,
                                     "an allocation in host code is not supported yet; make it "
                                     "after T.device_entry(...)"};
constexpr Diagnostic kConstant{"constant-expected", Severity::Error, ErrorClass::Type,
                               "{} must be an integer known while compiling, got {}"};
constexpr Diagnostic kTypeArguments{"type-arguments", Severity::Error, ErrorClass::Type,
                                    "T.alloc_tensor expects ty_args=[T.Tensor(shape, dtype, ...)]"};

// Made of literals, sizes and scalar parameters.
bool is_known_to_host(const ir::Expr& extent) {
  return !ir::any_expr(extent, [](const ir::Expr& e) {
    if (const auto* ref = ir::as<ir::VarRef>(&e)) {
      return ref->var->kind != ir::VarKind::Symbol && ref->var->kind != ir::VarKind::Param;
    }
    return !ir::is<ir::IntImm>(&e) && !ir::is<ir::Binary>(&e) && !ir::is<ir::Cast>(&e);
  });
}

const syntax::Call* tensor_type_argument(const syntax::Call& call) {
  for (const syntax::Keyword* keyword : call.keywords) {
    if (keyword->name != "ty_args") continue;
    const auto* list = syntax::as<syntax::List>(keyword->value);
    if (list == nullptr || list->elements.size() != 1) return nullptr;
    return syntax::as<syntax::Call>(list->elements[0]);
  }
  return nullptr;
}

}  // namespace

std::optional<DType> FunctionSema::eval_dtype(const syntax::Expr* expr, DType fallback) {
  if (expr == nullptr) return fallback;
  const Value value = expr_.eval(*expr);
  if (value.is_error()) return std::nullopt;
  const std::optional<DType> type = expr_.as_dtype(value);
  if (!type.has_value()) report_not_a_dtype(context_, value, expr->span);
  return type;
}

std::optional<ir::Scope> FunctionSema::eval_scope(const syntax::Expr* expr, ir::Scope fallback) {
  if (expr == nullptr) return fallback;
  const Value value = expr_.eval(*expr);
  if (value.is_error()) return std::nullopt;
  if (value.kind == ValueKind::String) {
    if (value.text == "global" || value.text.empty()) return ir::Scope::Global;
    if (value.text == "shared") return ir::Scope::Shared;
    if (value.text == "shared.dyn") return ir::Scope::SharedDyn;
    if (value.text == "local") return ir::Scope::Local;
  }
  diags_.report(
      expr->span, kScope,
      value.kind == ValueKind::String ? fmt::format("'{}'", value.text) : describe(value));
  return std::nullopt;
}

std::optional<std::int64_t> FunctionSema::eval_constant(const syntax::Expr* expr,
                                                        std::string_view what) {
  const Value value = expr_.eval(*expr);
  if (value.is_error()) return std::nullopt;
  const std::optional<int128> known = expr_.known_int(value);
  if (!known.has_value() || !kInt64.can_hold(*known)) {
    diags_.report(expr->span, kConstant, what, describe(value));
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*known);
}

// `T.Tensor("float32", (n,))`: tells so, and answers true.
bool FunctionSema::is_swapped(const syntax::Expr& shape, const syntax::Expr* dtype) {
  // A tuple or list is no dtype.
  const bool is_plain = syntax::is<syntax::Tuple>(&shape) || syntax::is<syntax::List>(&shape);
  if (dtype == nullptr || is_plain) return false;
  const Value first = expr_.eval(shape);
  const Value second = expr_.eval(*dtype);
  if (!expr_.as_dtype(first).has_value() || second.is_error()) return false;
  const bool is_shape = second.kind == ValueKind::Tuple || second.kind == ValueKind::List ||
                        expr_.type_of(second).is_int();
  if (!is_shape) return false;
  const auto text_of = [&](Span span) { return diags_.sources().text_of(span); };
  diags_.report(cover(shape.span, dtype->span), kSwapped)
      .note("write '{}, {}'", text_of(dtype->span), text_of(shape.span));
  return true;
}

// A tuple, a list, or one extent.
bool FunctionSema::eval_shape(const syntax::Expr& shape, std::vector<const Expr*>& extents,
                              std::vector<Span>& spans) {
  const Value value = expr_.eval(shape);
  if (value.is_error()) return false;
  Values items(&value, 1);
  syntax::Exprs written;
  if (value.kind == ValueKind::Tuple || value.kind == ValueKind::List) {
    items = value.items;
    if (const auto* tuple = syntax::as<syntax::Tuple>(&shape)) written = tuple->elements;
    if (const auto* list = syntax::as<syntax::List>(&shape)) written = list->elements;
  }
  extents.reserve(items.size());
  spans.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Span span = written.size() == items.size() ? written[i]->span : shape.span;
    if (items[i].is_error()) return false;
    const DType type = expr_.type_of(items[i]);
    if (!type.is_int() || !type.is_scalar()) {
      auto report = diags_.report(span, kExtent, describe(items[i]));
      if (items[i].kind == ValueKind::String && context_.dialect == ir::Dialect::A) {
        report.note("a size that the arguments determine is a symbol: '{0} = T.dynamic(\"{0}\")'",
                    items[i].text);
      }
      return false;
    }
    const std::optional<int128> known = expr_.known_int(items[i]);
    if (known.has_value() && *known < 0) {
      diags_.report(span, kNegativeExtent, static_cast<std::int64_t>(*known));
      return false;
    }
    const Expr* extent = nullptr;
    if (known.has_value()) {
      extent = context_.build.int_imm(kInt32.can_hold(*known) ? kInt32 : kInt64,
                                      static_cast<std::int64_t>(*known), span);
    } else {
      const DType wanted = type.bits == 64 ? kInt64 : kInt32;
      extent = expr_.convert(items[i], wanted, span, Conversion::Explicit);
    }
    if (extent == nullptr) return false;
    extents.push_back(extent);
    spans.push_back(span);
  }
  return true;
}

const ir::Tensor* FunctionSema::make_array(std::string_view name, DType type,
                                           const std::vector<const Expr*>& shape,
                                           const std::vector<Span>& spans, ir::Scope scope,
                                           std::int32_t align, Span span) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (const ir::IntImm* known = ir::as_int(shape[i])) {
      if (known->value != 0) continue;
      diags_.report(spans[i], kNoElements);
      return nullptr;
    }
    // The host computes the size of what is allocated at launch.
    if (scope == ir::Scope::SharedDyn && is_known_to_host(*shape[i])) continue;
    auto report = diags_.report(spans[i], scope == ir::Scope::SharedDyn ? kHostSize : kConstantSize,
                                scope == ir::Scope::Local ? "local" : "shared");
    if (scope == ir::Scope::Shared) {
      report.note("shared memory whose size the launch decides has 'scope=\"shared.dyn\"'");
    }
    return nullptr;
  }
  if (region_.number == 0 && has_device_code_) {
    diags_.report(span, kHostAllocation);
    return nullptr;
  }
  auto* tensor = module_.arena.make<ir::Tensor>();
  tensor->name = name;
  tensor->dtype = type;
  tensor->shape = module_.arena.copy(shape);
  tensor->scope = scope;
  tensor->align = align;
  tensor->span = span;
  frames_[frame_].has_declarations = true;
  emit(context_.build.stmt<ir::Alloc>(span, static_cast<const ir::Tensor*>(tensor)));
  return tensor;
}

Value FunctionSema::allocate(std::string_view callee, const syntax::Call& whole) {
  static constexpr std::array<ParamSpec, 6> kParams = {
      ParamSpec{"shape"},        ParamSpec{"dtype", false},  ParamSpec{"scope", false},
      ParamSpec{"align", false}, ParamSpec{"layout", false}, ParamSpec{"name", false}};
  const syntax::Call* call = &whole;
  if (callee == "alloc_tensor") {
    call = tensor_type_argument(whole);
    if (call == nullptr) {
      diags_.report(whole.span, kTypeArguments);
      return Value::error();
    }
  }
  std::array<Argument, 6> args;
  if (!bind_arguments(context_, *call, Callee::builtin(callee), kParams, args))
    return Value::error();
  ir::Scope scope = ir::Scope::Global;
  if (callee == "alloc_local") scope = ir::Scope::Local;
  if (callee == "alloc_shared") scope = ir::Scope::Shared;
  if (is_swapped(*args[0].expr, args[1].expr)) return Value::error();
  const std::optional<DType> type = eval_dtype(args[1].expr, kFloat32);
  const std::optional<ir::Scope> wanted = eval_scope(args[2].expr, scope);
  std::vector<const Expr*> shape;
  std::vector<Span> spans;
  const bool has_shape = eval_shape(*args[0].expr, shape, spans);
  if (!type.has_value() || !wanted.has_value() || !has_shape) return Value::error();
  std::int64_t align = 0;
  if (args[3]) {
    const std::optional<std::int64_t> given = eval_constant(args[3].expr, "align");
    if (!given.has_value()) return Value::error();
    align = std::max<std::int64_t>(*given, 0);
  }
  if (args[4]) {
    const Value layout = expr_.eval(*args[4].expr);
    if (layout.kind != ValueKind::None && layout.kind != ValueKind::String) {
      diags_.report(args[4].span(), kNotYet, "a layout");
      return Value::error();
    }
  }
  if (*wanted == ir::Scope::Global) {
    diags_.report(call->span, kGlobalInDevice);
    return Value::error();
  }
  const bool is_named = named_call_ == &whole;
  const ir::Tensor* tensor =
      make_array(is_named ? call_name_ : "buffer", *type, shape, spans, *wanted,
                 static_cast<std::int32_t>(align), is_named ? call_name_span_ : whole.span);
  return tensor != nullptr ? Value::of_tensor(tensor) : Value::error();
}

// `x = T.local_scalar("float32", init)`: a mutable scalar used by name. False: it was reported.
void FunctionSema::allocate_scalar(std::string_view callee, const syntax::Call& call,
                                   const syntax::Name& target) {
  static constexpr std::array<ParamSpec, 2> kLocal = {ParamSpec{"dtype"}, ParamSpec{"init", false}};
  static constexpr std::array<ParamSpec, 2> kAny = {ParamSpec{"dtype"}, ParamSpec{"scope", false}};
  static constexpr std::array<ParamSpec, 1> kShared = {ParamSpec{"dtype"}};
  std::array<Argument, 2> args;
  const bool has_scope = callee == "alloc_scalar";
  std::span<const ParamSpec> params = kLocal;
  if (callee != "local_scalar") params = kShared;
  if (has_scope) params = kAny;
  const bool is_bound = bind_arguments(context_, call, Callee::builtin(callee), params,
                                       std::span(args).first(params.size()));
  const std::optional<DType> type = is_bound ? eval_dtype(args[0].expr, kFloat32) : std::nullopt;
  std::optional<ir::Scope> scope = ir::Scope::Local;
  if (callee == "shared_scalar") scope = ir::Scope::Shared;
  if (has_scope && type.has_value()) scope = eval_scope(args[1].expr, ir::Scope::Local);
  if (!type.has_value() || !scope.has_value()) {
    assign_name(target, Value::error(), call.span);
    return;
  }
  if (*scope == ir::Scope::Global) {
    diags_.report(call.span, kGlobalInDevice);
    assign_name(target, Value::error(), call.span);
    return;
  }
  if (*scope != ir::Scope::Local) {
    const Expr* one = context_.build.int_imm(kInt32, 1, call.span);
    const ir::Tensor* cell =
        make_array(target.id, *type, {one}, {call.span}, *scope, 0, target.span);
    const Value value = cell != nullptr ? Value::of_tensor(cell) : Value::error();
    bind_meta(entry_of(target.id), key_of(&target), value, target.span)->is_cell = cell != nullptr;
    return;
  }
  declare_scalar(target, *type, has_scope ? nullptr : args[1].expr);
}

}  // namespace tirxcc::sema
