// SPDX-License-Identifier: Apache-2.0
//
// `T.cuda.thread_idx`, `A.shape`, `x.astype`: what stands behind a dot.
#include <algorithm>
#include <array>

#include "intrinsics/intrinsics.h"
#include "sema/builtins.h"
#include "sema/expr_internal.h"
#include "sema/foreign_names.h"
#include "sema/suggest.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kUnknownFunction{"unknown-function", Severity::Error, ErrorClass::Name,
                                      "{} has no '{}'"};
constexpr Diagnostic kUnknownAttribute{"unknown-attribute", Severity::Error, ErrorClass::Type,
                                       "{} has no attribute '{}'"};

constexpr std::array kTensorAttributes = {std::string_view("data"),  std::string_view("dtype"),
                                          std::string_view("ndim"),  std::string_view("ptr_to"),
                                          std::string_view("scope"), std::string_view("shape")};
constexpr std::array kLaterTensorAttributes = {
    std::string_view("access_ptr"), std::string_view("elem_offset"), std::string_view("layout"),
    std::string_view("local"),      std::string_view("permute"),     std::string_view("rearrange"),
    std::string_view("strides"),    std::string_view("sub"),         std::string_view("vload"),
    std::string_view("view"),       std::string_view("vstore")};
// NumPy's methods that make one number of all elements.
constexpr std::array kReductions = {std::string_view("all"), std::string_view("any"),
                                    std::string_view("max"), std::string_view("mean"),
                                    std::string_view("min"), std::string_view("prod"),
                                    std::string_view("sum")};
constexpr std::array kStringMethods = {std::string_view("endswith"), std::string_view("join"),
                                       std::string_view("lower"),    std::string_view("replace"),
                                       std::string_view("split"),    std::string_view("startswith"),
                                       std::string_view("strip"),    std::string_view("upper")};
constexpr std::array kDictMethods = {std::string_view("get"), std::string_view("items"),
                                     std::string_view("keys"), std::string_view("values")};
constexpr std::array kSequenceMethods = {std::string_view("count"), std::string_view("index")};

template <typename Names>
bool holds(const Names& names, std::string_view name) {
  for (const std::string_view candidate : names) {
    if (candidate == name) return true;
  }
  return false;
}

Value method(Context& context, const Value& receiver, std::string_view name) {
  Value value;
  value.kind = ValueKind::Method;
  value.text = name;
  value.tensor = receiver.tensor;
  value.constant = context.arena.make<Value>(receiver);
  return value;
}

Value unknown_member(Context& context, const Value& base, const syntax::Attribute& attribute) {
  const std::string owner = base.text == "math" ? "math" : display_name(base.text);
  const std::string note = note_for_member(base.text, attribute.attr, context.dialect_letter());
  auto report = context.diags.report(attribute.attr_span, kUnknownFunction, owner, attribute.attr);
  if (!note.empty()) report.note("{}", note);
  return Value::error();
}

Value builtin_member(Context& context, const Value& base, const syntax::Attribute& attribute) {
  const std::string_view name = attribute.attr;
  // The path is put together on the stack; rows own the text that lives on.
  char buffer[96];
  const std::size_t prefix = base.text.empty() ? 0 : base.text.size() + 1;
  if (prefix + name.size() <= sizeof buffer) {
    std::copy(base.text.begin(), base.text.end(), buffer);
    if (prefix != 0) buffer[prefix - 1] = '.';
    std::copy(name.begin(), name.end(), buffer + prefix);
    const std::string_view path(buffer, prefix + name.size());
    if (const BuiltinRow* row = find_builtin(path)) {
      if (row->family == BuiltinFamily::Type) return Value::of_type(*parse_dtype(path));
      if (const std::optional<double> constant = math_constant(row->path)) {
        return Value::of_float(*constant);
      }
      return Value::of_builtin(row->path);
    }
    if (const intrinsics::Intrinsic* row = intrinsics::find(path, context.dialect_letter())) {
      return Value::of_builtin(row->name);
    }
    if (base.text.empty()) {
      if (const std::optional<DType> type = parse_dtype(path)) return Value::of_type(*type);
    }
  }
  // Families and modifiers of T.ptx chains and nested namespaces are open sets for later versions.
  const BuiltinRow* owner = find_builtin(base.text);
  const bool is_open = base.text.starts_with("ptx") || base.text.starts_with("nvshmem") ||
                       (owner != nullptr && owner->family == BuiltinFamily::Later);
  if (is_open) {
    return Value::of_builtin(context.arena.copy_string(fmt::format("{}.{}", base.text, name)));
  }
  if (owner == nullptr || owner->family == BuiltinFamily::Namespace) {
    if (base.text.empty() || owner != nullptr || base.text == "math") {
      return unknown_member(context, base, attribute);
    }
  }
  auto report = context.diags.report(attribute.attr_span, kUnknownAttribute, describe(base), name);
  if (owner != nullptr && owner->family == BuiltinFamily::LaunchIndex) {
    report.note("in a kernel, write '{}(\"{}\")'", display_name(base.text), name);
  }
  return Value::error();
}

Value tensor_shape(Context& context, const ir::Tensor& tensor) {
  std::vector<Value> extents;
  for (const ir::Expr* extent : tensor.shape) {
    const ir::IntImm* literal = ir::as_int(extent);
    extents.push_back(literal != nullptr ? Value::of_int(literal->value) : Value::of_expr(extent));
  }
  return Value::sequence(ValueKind::Tuple, make_values(context, extents));
}

Value tensor_data(Context& context, const ir::Tensor& tensor, Span span) {
  std::vector<const ir::Expr*> zeros(tensor.shape.size(), context.build.int_imm(kInt32, 0, span));
  const ir::Expr head{ir::ExprKind::AddressOf, kHandle, span};
  return Value::of_expr(
      context.arena.make<ir::AddressOf>(head, &tensor, context.arena.copy(zeros)));
}

std::optional<Value> tensor_attribute(Context& context, const Value& base,
                                      const syntax::Attribute& attribute) {
  const std::string_view name = attribute.attr;
  if (name == "shape") return tensor_shape(context, *base.tensor);
  if (name == "dtype") return Value::of_type(base.tensor->dtype);
  if (name == "ndim") return Value::of_int(static_cast<int128>(base.tensor->shape.size()));
  if (name == "data") return tensor_data(context, *base.tensor, attribute.span);
  if (name == "scope" || name == "ptr_to") return method(context, base, name);
  if (holds(kLaterTensorAttributes, name)) {
    return not_supported(context, attribute.attr_span, fmt::format("'.{}' of a tensor", name));
  }
  return std::nullopt;
}

std::optional<Value> type_attribute(const Value& base, std::string_view name) {
  if (name == "bits") return Value::of_int(base.dtype.bits);
  if (name == "lanes") return Value::of_int(base.dtype.lanes);
  if (name == "itemsize" || name == "bytes") return Value::of_int(base.dtype.bytes());
  return std::nullopt;
}

std::optional<Value> find_attribute(Context& context, const Value& base,
                                    const syntax::Attribute& attribute) {
  const std::string_view name = attribute.attr;
  const bool is_number =
      base.kind == ValueKind::Expr || base.kind == ValueKind::Symbol || base.is_meta_number();
  if (is_number && name == "astype") return method(context, base, name);
  if (base.kind == ValueKind::Expr && name == "dtype") return Value::of_type(base.expr->dtype);
  if (base.kind == ValueKind::Tensor) return tensor_attribute(context, base, attribute);
  if (base.kind == ValueKind::Type) return type_attribute(base, name);
  if (base.kind == ValueKind::Host) return context.scope.attribute(base, name, attribute.span);
  const bool is_method = (base.kind == ValueKind::String && holds(kStringMethods, name)) ||
                         (base.kind == ValueKind::Dict && holds(kDictMethods, name)) ||
                         ((base.kind == ValueKind::List || base.kind == ValueKind::Tuple) &&
                          holds(kSequenceMethods, name));
  if (is_method) return method(context, base, name);
  return std::nullopt;
}

}  // namespace

Value eval_attribute(Context& context, const syntax::Attribute& attribute) {
  context.member_of_name = attribute.attr;
  const Value base = eval_expr(context, *attribute.value);
  context.member_of_name = {};
  if (base.is_error()) return base;
  if (base.kind == ValueKind::Builtin) return builtin_member(context, base, attribute);
  if (const std::optional<Value> found = find_attribute(context, base, attribute)) return *found;
  auto report =
      context.diags.report(attribute.attr_span, kUnknownAttribute, describe(base), attribute.attr);
  if (base.kind == ValueKind::Tensor) {
    NearestName nearest(attribute.attr);
    for (const std::string_view name : kTensorAttributes) {
      nearest.offer(name);
    }
    if (attribute.attr == "astype") {
      report.note("elements are converted: 'T.float32({}[i])'", base.tensor->name);
    } else if (std::find(std::begin(kReductions), std::end(kReductions), attribute.attr) !=
               std::end(kReductions)) {
      report.note("a kernel takes the elements one by one, in a loop such as 'for k in range({}):'",
                  context.diags.sources().text_of(base.tensor->shape.empty()
                                                      ? base.tensor->span
                                                      : base.tensor->shape[0]->span));
    } else if (nearest.result().empty()) {
      report.note(
          "a tensor has shape, dtype, ndim, data, scope and ptr_to; its first extent is "
          "'shape[0]'");
    } else {
      report.note("did you mean '{}'?", nearest.result());
    }
  }
  if (base.kind == ValueKind::Expr) {
    // `A[i].to(T.float32)`, as torch and Triton have it.
    std::string advice = advice_for_member(attribute.attr, context.dialect_letter());
    if (attribute.attr == "to") advice = "in a kernel, write 'T.float32(x)'";
    if (const ir::Load* load = ir::as<ir::Load>(base.expr);
        load != nullptr && attribute.attr == "ptr_to") {
      advice = fmt::format("the address of an element is '{}.ptr_to([i])'", load->tensor->name);
    }
    if (!advice.empty()) report.note("{}", advice);
  }
  if (base.kind == ValueKind::List) {
    report.note("lists are fixed while compiling; declare a local array, 'x: T.float32[4]'");
  }
  return Value::error();
}

}  // namespace tirxcc::sema
