// SPDX-License-Identifier: Apache-2.0
//
// Parameters (language.md 1.4): tensors, scalars of every dtype, handles that T.match_buffer turns
// into tensors. Annotations are read from the text, so they may also be strings and may name later
// parameters.
#include <array>

#include "sema/expr_internal.h"
#include "sema/foreign_names.h"
#include "sema/function_sema.h"
#include "syntax/parser.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kUnannotated{"unannotated-parameter", Severity::Error, ErrorClass::Syntax,
                                  "parameter '{0}' has no type; annotate it, '{0}: T.Tensor((n,), "
                                  "T.float32)' or '{0}: T.int32'"};
constexpr Diagnostic kStarParameter{
    "star-parameter", Severity::Error, ErrorClass::Syntax,
    "'{}{}' is not possible; a kernel has ordinary named parameters"};
constexpr Diagnostic kParameterType{
    "parameter-type", Severity::Error, ErrorClass::Type,
    "parameter '{}' is annotated with {}; expected T.Tensor(shape, dtype), T.Buffer(shape, dtype), "
    "T.handle or a scalar type such as T.int32"};
constexpr Diagnostic kParameterNotYet{"parameter-not-supported", Severity::Error,
                                      ErrorClass::Runtime, "{} is not supported yet"};
constexpr Diagnostic kOptionalParameter{
    "optional-parameter", Severity::Error, ErrorClass::Runtime,
    "an optional parameter ('{}') is not supported yet; write one function with the parameter and "
    "one without it"};
constexpr Diagnostic kMethod{"kernel-method", Severity::Error, ErrorClass::Syntax,
                             "a kernel cannot be a method; define it as a function, without '{}'"};
constexpr Diagnostic kQuotedAnnotation{
    "quoted-annotation", Severity::Error, ErrorClass::Syntax,
    "\"{}\" is not an annotation; write T.Tensor((n,), T.float32), or T.float32 for a scalar"};
constexpr Diagnostic kNoElementType{"missing-dtype", Severity::Error, ErrorClass::Type,
                                    "T.Tensor needs the argument 'dtype'"};
constexpr Diagnostic kParameterTwice{"parameter-twice", Severity::Error, ErrorClass::Syntax,
                                     "duplicate parameter '{}' in function definition"};
constexpr Diagnostic kNamespaceParameter{
    "namespace-parameter", Severity::Error, ErrorClass::Syntax,
    "'{}' is the language's namespace and cannot be a parameter"};
constexpr Diagnostic kDefault{"parameter-default", Severity::Error, ErrorClass::Type,
                              "the default of '{}' must be a number that is known while compiling"};
constexpr Diagnostic kDefaultKind{"parameter-default-kind", Severity::Error, ErrorClass::Type,
                                  "the default {} is not a value of type {}"};
constexpr Diagnostic kTensorDefault{"tensor-default", Severity::Error, ErrorClass::Type,
                                    "the tensor parameter '{}' cannot have a default"};
constexpr Diagnostic kParameterScope{"parameter-scope", Severity::Error, ErrorClass::Value,
                                     "a tensor parameter lies in scope \"global\""};
constexpr Diagnostic kStrideCount{"stride-count", Severity::Error, ErrorClass::Value,
                                  "{} stride{} for {} dimension{}"};
constexpr Diagnostic kNotAHandle{"not-a-handle", Severity::Error, ErrorClass::Type,
                                 "T.match_buffer expects a parameter annotated T.handle, got {}"};
constexpr Diagnostic kMatchedTwice{"matched-twice", Severity::Error, ErrorClass::Value,
                                   "the handle '{}' is matched already"};
constexpr Diagnostic kVectorParameter{"vector-parameter", Severity::Error, ErrorClass::Runtime,
                                      "elements of type {} are not supported yet"};

constexpr std::array<ParamSpec, 9> kTensorParams = {ParamSpec{"shape"},
                                                    ParamSpec{"dtype", false},
                                                    ParamSpec{"scope", false},
                                                    ParamSpec{"align", false},
                                                    ParamSpec{"layout", false},
                                                    ParamSpec{"strides", false},
                                                    ParamSpec{"elem_offset", false},
                                                    ParamSpec{"offset_factor", false},
                                                    ParamSpec{"data", false}};
// T.Tensor has the first five only.
constexpr std::size_t kPlainCount = 5;

// `X | None`.
bool is_optional(const syntax::Expr& annotation) {
  const auto* either = syntax::as<syntax::BinOp>(&annotation);
  if (either == nullptr || either->op != syntax::BinaryOperator::BitOr) return false;
  const auto* none = syntax::as<syntax::Constant>(either->right);
  return none != nullptr && none->constant_kind == syntax::ConstantKind::None;
}

}  // namespace

// The annotation as an expression; text in quotes is parsed, with positions in the file.
const syntax::Expr* FunctionSema::read_annotation(const syntax::Expr* annotation) {
  const auto* text = syntax::as<syntax::Constant>(annotation);
  if (text == nullptr || text->constant_kind != syntax::ConstantKind::String) return annotation;
  const syntax::Expr*& parsed = parsed_annotations_[annotation];
  // A wrong one is read, and told, in each round.
  if (parsed == nullptr) {
    auto file = std::make_unique<source::SourceFile>();
    const source::SourceFile* whole = diags_.sources().file_of(text->span);
    file->path = whole != nullptr ? whole->path : "";
    file->text = text->text;
    file->base = text->span.begin + 1;
    file->line_starts = {0};
    // What begins as one of ours is told where it goes wrong; other text is of another language.
    const bool is_ours =
        file->text.starts_with("T.") || file->text.find_first_not_of(" \t\n") == std::string::npos;
    source::Diagnostics unread(diags_.sources());
    parsed = syntax::parse_expression(*file, module_.arena, is_ours ? diags_ : unread);
    if (parsed == nullptr && !is_ours) diags_.report(text->span, kQuotedAnnotation, text->text);
    annotation_files_.push_back(std::move(file));
  }
  return parsed;
}

void FunctionSema::translate_signature() {
  in_signature_ = true;
  params_.assign(def_.params.size(), {});
  const auto is_tensor_call = [&](const syntax::Expr* annotation) {
    return syntax::is<syntax::Call>(annotation);
  };
  // Scalars first: shapes may name them.
  for (const bool tensors : {false, true}) {
    for (std::size_t i = 0; i < def_.params.size(); ++i) {
      const syntax::Param& param = *def_.params[i];
      params_[i].name = param.name;
      params_[i].span = param.name_span;
      const bool is_bad = param.annotation == nullptr ||
                          param.kind == syntax::ParamKind::VarPositional ||
                          param.kind == syntax::ParamKind::VarKeyword;
      if (is_bad) {
        if (!tensors) reject_param(param);
        continue;
      }
      const syntax::Expr* annotation = read_annotation(param.annotation);
      if (annotation == nullptr) {
        if (!tensors) bind_param(param, Value::error());
      } else if (is_tensor_call(annotation) == tensors) {
        translate_param(param, static_cast<std::uint16_t>(i), *annotation);
      }
    }
  }
  in_signature_ = false;
}

void FunctionSema::reject_param(const syntax::Param& param) {
  const bool is_star = param.kind == syntax::ParamKind::VarPositional;
  if (is_star || param.kind == syntax::ParamKind::VarKeyword) {
    diags_.report(param.name_span, kStarParameter, is_star ? "*" : "**", param.name);
  } else {
    const bool is_self = param.name == "self" && &param == def_.params[0];
    diags_.report(param.name_span, is_self ? kMethod : kUnannotated, param.name);
  }
  bind_param(param, Value::error());
}

Variable* FunctionSema::bind_param(const syntax::Param& param, const Value& value) {
  NameEntry& entry = entry_of(param.name);
  if (entry.is_assigned) {
    diags_.report(param.name_span, kParameterTwice, param.name)
        .label(entry.assigned_span, "the first one is here");
  }
  if (entry.is_namespace) diags_.report(param.name_span, kNamespaceParameter, param.name);
  Variable* variable = make_variable(entry, &param, param.name_span);
  variable->form = value.is_expr() ? VariableForm::Value : VariableForm::Meta;
  variable->value = value;
  variable->is_param = true;
  variable->is_tensor_name = value.kind == ValueKind::Tensor;
  set_assigned(entry, param.name_span);
  return variable;
}

void FunctionSema::translate_param(const syntax::Param& param, std::uint16_t index,
                                   const syntax::Expr& annotation) {
  if (const auto* call = syntax::as<syntax::Call>(&annotation)) {
    const Value callee = expr_.eval(*call->func);
    if (callee.is_builtin("Tensor") || callee.is_builtin("Buffer")) {
      const bool is_plain = callee.text == "Tensor";
      const std::size_t count = is_plain ? kPlainCount : kTensorParams.size();
      Argument args[kTensorParams.size()];
      const bool is_bound =
          bind_arguments(context_, *call, is_plain ? "T.Tensor" : "T.Buffer",
                         std::span(kTensorParams).first(count), std::span(args).first(count));
      if (is_bound && is_plain && !args[1]) diags_.report(call->span, kNoElementType);
      const ir::Tensor* tensor =
          is_bound ? make_param_tensor(param.name, param.name_span, index, args, call->span)
                   : nullptr;
      params_[index].tensor = tensor;
      if (param.default_value != nullptr) {
        diags_.report(param.default_value->span, kTensorDefault, param.name);
      }
      bind_param(param, tensor != nullptr ? Value::of_tensor(tensor) : Value::error());
      return;
    }
    if (!callee.is_error()) {
      const bool is_known = callee.kind == ValueKind::Builtin || callee.kind == ValueKind::Type;
      diags_.report(annotation.span, is_known ? kParameterNotYet : kParameterType,
                    is_known ? fmt::format("a parameter of type {}(...)",
                                           diags_.sources().text_of(call->func->span))
                             : std::string(param.name),
                    describe(callee));
    }
    bind_param(param, Value::error());
    return;
  }
  if (is_optional(annotation)) {
    diags_.report(annotation.span, kOptionalParameter, diags_.sources().text_of(annotation.span));
    bind_param(param, Value::error());
    return;
  }
  const Value value = expr_.eval(annotation);
  const std::optional<DType> type = expr_.as_dtype(value);
  if (type.has_value() && type->is_scalar() && !type->is_void()) {
    translate_scalar_param(param, index, *type);
  } else if (value.is_builtin("handle")) {
    translate_scalar_param(param, index, kHandle);
  } else {
    if (!value.is_error()) {
      auto report = diags_.report(annotation.span, kParameterType, param.name, describe(value));
      const bool is_python = value.kind == ValueKind::Builtin && value.text.starts_with("py.");
      const std::string_view ours = is_python ? type_for(value.text.substr(3)) : std::string_view();
      if (!ours.empty()) report.note("did you mean '{}'?", ours);
      if (value.is_builtin("constexpr")) {
        report.note("what is known while compiling is a name around the kernel, '{} = 256'",
                    param.name);
      }
    }
    bind_param(param, Value::error());
  }
}

void FunctionSema::translate_scalar_param(const syntax::Param& param, std::uint16_t index,
                                          DType type) {
  const auto* var =
      module_.arena.make<ir::Var>(ir::Var{param.name, type, param.name_span, ir::VarKind::Param});
  params_[index].var = var;
  if (param.default_value != nullptr) {
    const Value value = expr_.eval(*param.default_value);
    const std::optional<Value> known = known_number(value);
    const bool is_fraction =
        type.is_int_or_bool() && known.has_value() && known->kind == ValueKind::Float;
    if (is_fraction) {
      diags_.report(param.default_value->span, kDefaultKind,
                    diags_.sources().text_of(param.default_value->span), to_string(type));
    }
    const Expr* number =
        known.has_value() && !is_fraction
            ? expr_.convert(*known, type, param.default_value->span, Conversion::Store)
            : nullptr;
    if (number != nullptr && (ir::is<ir::IntImm>(number) || ir::is<ir::FloatImm>(number))) {
      params_[index].default_value = number;
    } else if (!value.is_error() && (number != nullptr || !known.has_value())) {
      diags_.report(param.default_value->span, kDefault, param.name);
    }
  }
  bind_param(param, Value::of_expr(context_.build.var(var, param.name_span)));
}

// The tensor of a parameter, from the arguments of T.Tensor, T.Buffer or T.match_buffer.
const ir::Tensor* FunctionSema::make_param_tensor(std::string_view name, Span name_span,
                                                  std::uint16_t index,
                                                  std::span<const Argument> args, Span span) {
  if (is_swapped(*args[0].expr, args[1].expr)) return nullptr;
  std::vector<const Expr*> shape;
  std::vector<Span> spans;
  const bool has_shape = eval_shape(*args[0].expr, shape, spans);
  const std::optional<DType> type = eval_dtype(args[1].expr, kFloat32);
  const std::optional<ir::Scope> scope = eval_scope(args[2].expr, ir::Scope::Global);
  std::int64_t align = 0;
  if (args[3]) align = eval_constant(args[3].expr, "align").value_or(0);
  if (args[4]) {
    const Value layout = expr_.eval(*args[4].expr);
    if (layout.kind != ValueKind::None && layout.kind != ValueKind::String) {
      diags_.report(args[4].span(), kParameterNotYet, "a layout");
      return nullptr;
    }
  }
  if (!has_shape || !type.has_value() || !scope.has_value()) return nullptr;
  if (*scope != ir::Scope::Global) {
    diags_.report(args[2].span(), kParameterScope);
    return nullptr;
  }
  if (!type->is_scalar() || !type->is_numeric()) {
    diags_.report(args[1] ? args[1].span() : span, kVectorParameter, to_string(*type));
    return nullptr;
  }
  for (std::size_t i = 0; i < shape.size(); ++i)
    places_.push_back({index, static_cast<std::uint16_t>(i), false, shape[i], spans[i]});
  auto* tensor = module_.arena.make<ir::Tensor>();
  tensor->name = name;
  tensor->dtype = *type;
  tensor->shape = module_.arena.copy(shape);
  tensor->span = name_span;
  tensor->align = static_cast<std::int32_t>(std::max<std::int64_t>(align, 0));
  tensor->is_param = true;
  if (args.size() > kPlainCount) read_strides(*tensor, index, args.subspan(kPlainCount));
  return tensor;
}

// strides= and elem_offset= of T.Buffer and T.match_buffer.
void FunctionSema::read_strides(ir::Tensor& tensor, std::uint16_t index,
                                std::span<const Argument> args) {
  if (args[0]) {
    const Value given = expr_.eval(*args[0].expr);
    std::vector<const Expr*> strides;
    std::vector<Span> spans;
    const bool is_none =
        given.kind == ValueKind::None ||
        ((given.kind == ValueKind::Tuple || given.kind == ValueKind::List) && given.items.empty());
    if (!is_none && eval_shape(*args[0].expr, strides, spans)) {
      if (strides.size() != tensor.shape.size()) {
        const auto plural = [](std::size_t count) { return count == 1 ? "" : "s"; };
        diags_.report(args[0].span(), kStrideCount, strides.size(), plural(strides.size()),
                      tensor.shape.size(), plural(tensor.shape.size()));
        return;
      }
      for (std::size_t i = 0; i < strides.size(); ++i)
        places_.push_back({index, static_cast<std::uint16_t>(i), true, strides[i], spans[i]});
      tensor.strides = module_.arena.copy(strides);
    }
  }
  if (args[1]) {
    const Value offset = expr_.eval(*args[1].expr);
    if (offset.kind == ValueKind::None || expr_.known_int(offset) == int128{0}) return;
    const DType type = expr_.type_of(offset);
    if (offset.is_error() || !type.is_int()) return;
    tensor.elem_offset = expr_.convert(offset, type.bits == 64 ? kInt64 : kInt32, args[1].span(),
                                       Conversion::Explicit);
  }
}

// A = T.match_buffer(a, shape, dtype, ...): the parameter `a` is the tensor A.
Value FunctionSema::match_buffer(const syntax::Call& call) {
  std::array<ParamSpec, kTensorParams.size() + 1> specs = {ParamSpec{"param"}};
  std::copy(kTensorParams.begin(), kTensorParams.end(), specs.begin() + 1);
  std::array<Argument, specs.size()> args;
  if (!bind_arguments(context_, call, "T.match_buffer", specs, args)) return Value::error();
  // In the order of the signature: scope, align, layout are keywords there.
  const Value handle = expr_.eval(*args[0].expr);
  if (handle.is_error()) return handle;
  const auto* ref = handle.is_expr() ? ir::as<ir::VarRef>(handle.expr) : nullptr;
  std::size_t index = 0;
  while (index < params_.size() && (ref == nullptr || params_[index].var != ref->var))
    ++index;
  if (ref == nullptr || ref->dtype != kHandle || index == params_.size()) {
    for (const ir::Param& param : params_) {
      if (ref == nullptr || ref->dtype != kHandle || param.name != ref->var->name) continue;
      diags_.report(args[0].span(), kMatchedTwice, param.name);
      return Value::error();
    }
    diags_.report(args[0].span(), kNotAHandle, describe(handle));
    return Value::error();
  }
  const bool is_named = named_call_ == &call;
  const std::string_view name = is_named ? call_name_ : params_[index].name;
  const Span span = is_named ? call_name_span_ : call.span;
  const ir::Tensor* tensor =
      make_param_tensor(name, span, static_cast<std::uint16_t>(index),
                        std::span<const Argument>(args).subspan(1), call.span);
  if (tensor == nullptr) return Value::error();
  params_[index].tensor = tensor;
  params_[index].var = nullptr;
  return Value::of_tensor(tensor);
}

}  // namespace tirxcc::sema
