// SPDX-License-Identifier: Apache-2.0
//
// Making values and naming them in messages.
#include "sema/value.h"

#include <fmt/format.h>

namespace tirxcc::sema {

bool Value::is_meta_number() const {
  if (kind == ValueKind::Expr && constant != nullptr) return constant->is_meta_number();
  return kind == ValueKind::Bool || kind == ValueKind::Int || kind == ValueKind::Float;
}

Value Value::none() {
  Value value;
  value.kind = ValueKind::None;
  return value;
}

Value Value::of_bool(bool v) {
  Value value;
  value.kind = ValueKind::Bool;
  value.bool_value = v;
  return value;
}

Value Value::of_int(int128 v, bool is_hex) {
  Value value;
  value.kind = ValueKind::Int;
  value.int_value = v;
  value.is_hex = is_hex;
  return value;
}

Value Value::of_float(double v) {
  Value value;
  value.kind = ValueKind::Float;
  value.float_value = v;
  return value;
}

Value Value::of_string(std::string_view v) {
  Value value;
  value.kind = ValueKind::String;
  value.text = v;
  return value;
}

Value Value::of_type(DType type) {
  Value value;
  value.kind = ValueKind::Type;
  value.dtype = type;
  return value;
}

Value Value::of_expr(const ir::Expr* expr, const Value* constant) {
  Value value;
  value.kind = ValueKind::Expr;
  value.expr = expr;
  value.constant = constant;
  return value;
}

Value Value::of_tensor(const ir::Tensor* tensor) {
  Value value;
  value.kind = ValueKind::Tensor;
  value.tensor = tensor;
  return value;
}

Value Value::of_builtin(std::string_view path) {
  Value value;
  value.kind = ValueKind::Builtin;
  value.text = path;
  return value;
}

Value Value::sequence(ValueKind kind, Values items) {
  Value value;
  value.kind = kind;
  value.items = items;
  return value;
}

std::string describe(const Value& value) {
  switch (value.kind) {
    case ValueKind::Error: return "<error>";
    case ValueKind::None: return "None";
    case ValueKind::Ellipsis: return "'...'";
    case ValueKind::Bool: return "a Python bool";
    case ValueKind::Int: return "a Python int";
    case ValueKind::Float: return "a Python float";
    case ValueKind::String: return fmt::format("the string '{}'", value.text);
    case ValueKind::Tuple: return "a tuple";
    case ValueKind::List: return "a list";
    case ValueKind::Dict: return "a dict";
    case ValueKind::Range: return "a range";
    case ValueKind::Type: return "the type " + to_string(value.dtype);
    case ValueKind::Expr:
      return value.expr->dtype == kHandle ? "a pointer" : to_string(value.expr->dtype);
    case ValueKind::Tensor: return fmt::format("tensor {}", value.tensor->name);
    case ValueKind::Region: return fmt::format("a region of tensor {}", value.tensor->name);
    case ValueKind::Symbol: return fmt::format("the symbol {}", value.symbol->name);
    case ValueKind::Builtin:
      if (value.text.empty()) return "T";
      if (value.text.starts_with("py.")) return fmt::format("'{}'", value.text.substr(3));
      if (value.text.starts_with("math")) return fmt::format("'{}'", value.text);
      return fmt::format("'T.{}'", value.text);
    case ValueKind::Function:
      if (value.function->def == nullptr) return "a lambda";
      return fmt::format("function {}", value.function->def->name);
    case ValueKind::Method: return fmt::format("the method '{}'", value.text);
    case ValueKind::Object: return fmt::format("a T.{}", value.object->type);
    case ValueKind::Host: return fmt::format("the Python object {}", value.text);
  }
  __builtin_unreachable();
}

}  // namespace tirxcc::sema
