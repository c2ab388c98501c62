// SPDX-License-Identifier: Apache-2.0
//
// What a name or expression of kernel text stands for while it is being translated. Sema is a
// partial evaluator: a Value is either known while compiling (a "meta value": Python number,
// string, dtype, tuple, function, ...) or an IR value that exists only when the kernel runs.
// Values are small and trivially copyable; what they point to lives in the compilation's arena.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "abi/dtype.h"
#include "base/int128.h"
#include "ir/ir.h"
#include "syntax/ast.h"

namespace tirxcc::sema {

using source::Span;

enum class ValueKind : std::uint8_t {
  Error,  // a complaint was made; stay silent about it
  None,
  Ellipsis,
  Bool,   // Python bool
  Int,    // Python int; beyond 128 bits is an error when it arises
  Float,  // Python float: exact double until it meets a type (rule 4)
  String,
  Tuple,
  List,
  Dict,      // items: key, value, key, value, ...
  Range,     // Python range(...) of meta ints, as a sequence (len, indexing, comprehension)
  Type,      // a dtype: T.float32; calling it is a cast
  Expr,      // an IR value
  Tensor,    // a tensor, array or view
  Region,    // A[lo:hi]
  Symbol,    // a T.dynamic object; maps to an ir::Var of the function being translated
  Builtin,   // a name of the language: "cuda.thread_idx", or "" for T itself, "py.range" for
             // Python's own functions, "math.sqrt" for module math
  Function,  // a decorated function of the module, or a captured one
  Method,    // a method of a value: A.ptr_to, x.astype
  Object,    // a structure only some calls make and take: LaunchConfig, KernelAttributes, ...
  Host,      // an object of the embedding program (Python), known only to its CapturedScope
};

struct Value;
using Values = std::span<const Value>;

// T.dynamic("n"): identity is the address.
struct DynamicSymbol {
  std::string_view name;
  DType dtype;
  Span span;
};

// LaunchConfig(grid=..., block=...) and the like: the callee's name and its arguments by keyword.
struct ObjectField {
  std::string_view name;
  const Value* value = nullptr;
  Span span;
};
struct Object {
  std::string_view type;  // "cuda.LaunchConfig"
  std::span<const ObjectField> fields;
  Span span;
};

// A function visible by name: its definition and where its free names are looked up.
class CapturedScope;
// A name that is bound only inside an expression. Turns of a comprehension share one cell.
struct Binding {
  std::string_view name;
  Value* cell = nullptr;
};
struct FunctionValue {
  const syntax::FunctionDef* def = nullptr;
  std::string_view decorator;  // "function", "prim_func", "inline", "jit", "macro", "" (plain)
  const syntax::Lambda* lambda = nullptr;  // instead of def; called by expressions themselves
  CapturedScope* scope = nullptr;
  // A lambda's: the names bound around it, its parameters' defaults in order (an Error where there
  // is none), and the names of the function that it stands in (NameResolver::names_here).
  std::span<const Binding> bound;
  Values defaults;
  const void* home = nullptr;
};

struct Value {
  ValueKind kind = ValueKind::Error;
  bool is_hex = false;  // Int: written in hexadecimal
  bool bool_value = false;
  DType dtype;  // Type
  union {
    int128 int_value = 0;  // Int
    double float_value;
    struct {
      std::int64_t begin, end;
    } range;  // Range, with step in range_step
  };
  std::int64_t range_step = 1;
  std::string_view text;               // String, Builtin (path), Method (name), Host (printed form)
  Values items;                        // Tuple, List, Dict; Region: per dimension Tuple(lo, hi)
  const ir::Expr* expr = nullptr;      // Expr
  const ir::Tensor* tensor = nullptr;  // Tensor, Region, Method of a tensor
  // Expr bound to a name that stands for a literal (rule 28): its value, known for conditions,
  // extents and shapes; null otherwise. Method: the receiver.
  const Value* constant = nullptr;
  const syntax::BoolOp* choice = nullptr;  // Expr: the `and` or `or` of numbers that gave this bool
  const DynamicSymbol* symbol = nullptr;
  const FunctionValue* function = nullptr;
  const Object* object = nullptr;
  const void* host = nullptr;  // Host: the CapturedScope's handle

  bool is_error() const { return kind == ValueKind::Error; }
  bool is_expr() const { return kind == ValueKind::Expr; }
  bool is_builtin(std::string_view path) const {
    return kind == ValueKind::Builtin && text == path;
  }
  // Known while compiling and a number or bool (also through `constant`).
  bool is_meta_number() const;

  static Value error() { return {}; }
  static Value none();
  static Value of_bool(bool value);
  static Value of_int(int128 value, bool is_hex = false);
  static Value of_float(double value);
  static Value of_string(std::string_view value);
  static Value of_type(DType type);
  static Value of_expr(const ir::Expr* expr, const Value* constant = nullptr);
  static Value of_tensor(const ir::Tensor* tensor);
  static Value of_builtin(std::string_view path);
  static Value sequence(ValueKind kind, Values items);
};

// For messages: "int32", "a list", "tensor A", "T.serial", "the string 'x'".
std::string describe(const Value& value);

}  // namespace tirxcc::sema
