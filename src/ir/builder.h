// SPDX-License-Identifier: Apache-2.0
//
// Making nodes. Functions here set kinds, dtypes and spans; make_* does no folding, fold_* folds
// what is exact (language.md 3.4: integers in their own type with wrap; floats only where IEEE
// gives the same bits; never x * 0 on floats) and returns the simplest equal expression.
#pragma once

#include "ir/ir.h"

namespace tirxcc::ir {

class Builder {
 public:
  explicit Builder(Arena& arena) : arena_(&arena) {}
  Arena& arena() const { return *arena_; }

  const Expr* int_imm(DType type, std::int64_t value, Span span = {}, bool is_hex = false) const;
  const Expr* bool_imm(bool value, Span span = {}) const;
  const Expr* float_imm(DType type, double value, Span span = {}) const;  // rounds to type
  const Expr* var(const Var* var, Span span = {}) const;
  const Expr* local(const Local* local, Span span = {}) const;
  const Expr* load(const Tensor* tensor, ExprList indices, Span span) const;
  const Expr* launch_index(LaunchIndexKind kind, int axis, Span span = {}) const;

  // Operands must already have the right dtypes (see Binary).
  const Expr* make_unary(UnaryOp op, const Expr* a, Span span) const;
  const Expr* make_binary(BinaryOp op, const Expr* a, const Expr* b, Span span) const;
  const Expr* make_select(const Expr* c, const Expr* a, const Expr* b, Span span) const;
  const Expr* make_cast(DType type, const Expr* a, Span span, bool is_bits = false) const;
  const Expr* make_call(const intrinsics::Intrinsic* callee, DType type, ExprList args,
                        Span span) const;

  // The same, folded: literals; x + 0, x - 0, x * 1, x * 0 and x - x (ints without effects), x //
  // 1, x % 1, x >> 0, not not x, True and x, ...; casts of literals; a cast to the same dtype.
  const Expr* fold_unary(UnaryOp op, const Expr* a, Span span) const;
  const Expr* fold_binary(BinaryOp op, const Expr* a, const Expr* b, Span span) const;
  const Expr* fold_select(const Expr* c, const Expr* a, const Expr* b, Span span) const;
  const Expr* fold_cast(DType type, const Expr* a, Span span) const;

  template <typename T, typename... Args>
  const T* stmt(Span span, Args&&... fields) const;  // aggregate-initialises after {kind, span}

 private:
  Arena* arena_;
};

template <typename T, typename... Args>
const T* Builder::stmt(Span span, Args&&... fields) const {
  return arena_->make<T>(Stmt{KindOf<T>::kKind, span}, std::forward<Args>(fields)...);
}

// A literal's value; null if it is none.
const IntImm* as_int(const Expr* expr);
bool is_int_value(const Expr* expr, std::int64_t value);
// The comparison that holds when this one does not (of integers: NaN has neither).
BinaryOp negated(BinaryOp comparison);
// Same structure and same variables (spans do not matter).
bool equal(const Expr* a, const Expr* b);
// Nothing but arithmetic: no loads, no calls with effects, no reads of mutable scalars.
bool is_pure_value(const Expr* expr);
// No effect if evaluated more often or never (loads allowed).
bool has_no_effect(const Expr* expr);
// What a pointer (an expression of type handle) points to.
Pointee pointee_of(const Expr* pointer);

}  // namespace tirxcc::ir
