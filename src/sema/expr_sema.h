// SPDX-License-Identifier: Apache-2.0
//
// Expressions: evaluation of what is known while compiling, typing and translation of the rest
// (language.md section 3, rules 2-4, 18-25).
#pragma once

#include <optional>
#include <vector>

#include "sema/context.h"

namespace tirxcc::sema {

// Where a value is converted to, for messages and for the strictness of the conversion.
enum class Conversion : std::uint8_t {
  Explicit,  // T.int8(x), T.cast: literals are range-checked, everything else is silent
  Store,     // assignment to a tensor, array or mutable scalar: a literal that does not fit is an
             // error, narrowing of a run-time value is a warning (language.md 4.2)
  Argument,  // operand of an intrinsic: as its row says, silent
};

class ExprSema {
 public:
  explicit ExprSema(Context& context) : context_(context) {}

  // Any expression of the language. Errors are reported once; the result is then Error.
  Value eval(const syntax::Expr& expr);

  // The value as a typed IR expression: int literals become int32 or int64 (uint64 from 2^63),
  // float literals float32, Python bools bool. A tensor, tuple, string, type, ... is an error that
  // says what it is and what was wanted. Null after an error.
  const ir::Expr* to_expr(const Value& value, Span span);

  // The value converted to `type`. Null after an error.
  const ir::Expr* convert(const Value& value, DType type, Span span, Conversion how);

  // The type a name gets that is bound to the value; Error type for values that are not scalars.
  DType type_of(const Value& value) const;

  // Truth of a value that is known while compiling (meta numbers, None, strings, containers, names
  // bound to literals); nullopt when only the kernel can know.
  std::optional<bool> known_truth(const Value& value) const;
  // A bool IR expression: number != 0 (rule 22). Null after an error.
  const ir::Expr* condition(const Value& value, Span span);

  // An integer known while compiling (also through a name bound to a literal).
  std::optional<int128> known_int(const Value& value) const;
  // A dtype given as T.float32, "float32", or a name bound to one.
  std::optional<DType> as_dtype(const Value& value) const;

  // `a op b` for values that were evaluated already (augmented assignment, sema's own sums).
  Value binary(syntax::BinaryOperator op, const Value& a, const Value& b, Span op_span, Span span);

  // Indices of `A[...]` for a load, store or address: checks count, integer types, constant bounds.
  // False after an error, or when they hold slices (then use eval, which gives a Region).
  bool eval_indices(const ir::Tensor& tensor, const syntax::Subscript& subscript,
                    std::vector<const ir::Expr*>& indices);

 private:
  Context& context_;
};

// Usual promotion of two types (language.md 3.2); nullopt when they do not go together.
std::optional<DType> promote(DType a, DType b);

}  // namespace tirxcc::sema
