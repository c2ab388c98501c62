// SPDX-License-Identifier: Apache-2.0
//
// Printing expressions: C's minimum of parentheses, plus those around `&&` inside `||`, around
// anything but a plain operand beside a shift or bitwise operator, and around a comparison that is
// compared. Casts print where C would not convert by itself (conversions.h).
//
// Long sums lean to the left; the printer goes down the left side in a loop, so their length does
// not cost stack.
#pragma once

#include <vector>

#include "codegen/cuda/conversions.h"
#include "codegen/cuda/emission.h"

namespace tirxcc::codegen_cuda {

// C++ operator precedence, weakest first.
enum class Prec : std::uint8_t {
  Lowest,
  Conditional,
  Or,
  And,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relational,
  Shift,
  Additive,
  Multiplicative,
  Unary,
  Postfix,
};

class ExprPrinter {
 public:
  explicit ExprPrinter(Emission& emission) : emission_(emission), out_(emission.out) {}

  // Where C converts to the expression's dtype: initialiser, assignment, return.
  void value(const ir::Expr& expr);
  // In `if (...)`, `!(...)`, `while (...)`.
  void condition(const ir::Expr& expr) {
    print(expr, {Need::Kind::Condition, kBool}, Prec::Lowest);
  }
  // The right side of `i < end`, whose left side has the bound's dtype.
  void loop_bound(const ir::Expr& expr) {
    print(expr, {Need::Kind::Operand, expr.dtype}, Prec::Shift);
  }
  // `A_ptr[offset]`.
  void element(const ir::Tensor& tensor, const ir::Expr& offset);
  // `total_ptr[0]`, `total` under plain_scalars, `A_v` for a vector.
  void local(const ir::Local& local);
  // `A_v.y`.
  void lane(const ir::Local& vector, int lane, bool is_store);
  // A call as a statement.
  void call(const ir::Expr& expr) { print(expr, {Need::Kind::Unused, expr.dtype}, Prec::Lowest); }
  // `__shfl_sync(0xffffffffu, (int)threadIdx.x >> 5, 0, 32)`.
  void warp_id_formula();
  // An operand that must have its own type.
  void exact(const ir::Expr& expr, Prec least) {
    print(expr, {Need::Kind::Exact, expr.dtype}, least);
  }

 private:
  // One operator on the way down the left side of an expression.
  struct Frame {
    const ir::Binary* node = nullptr;
    Need right = {};
    Prec prec = Prec::Lowest;
    bool in_index = false;
    std::uint8_t closing = 0;  // parentheses to close behind the right operand
  };

  void print(const ir::Expr& expr, Need need, Prec least, bool in_index = false);

  void on(const ir::IntImm& e, Need need, Prec least, bool in_index);
  void on(const ir::FloatImm& e, Need need, Prec least, bool in_index);
  void on(const ir::StringImm& e, Need need, Prec least, bool in_index);
  void on(const ir::VarRef& e, Need need, Prec least, bool in_index);
  void on(const ir::LocalRead& e, Need need, Prec least, bool in_index);
  void on(const ir::Load& e, Need need, Prec least, bool in_index);
  void on(const ir::LaunchIndex& e, Need need, Prec least, bool in_index);
  void on(const ir::Unary& e, Need need, Prec least, bool in_index);
  void on(const ir::Binary& e, Need need, Prec least, bool in_index);
  void on(const ir::Select& e, Need need, Prec least, bool in_index);
  void on(const ir::Cast& e, Need need, Prec least, bool in_index);
  void on(const ir::Call& e, Need need, Prec least, bool in_index);
  void on(const ir::AddressOf& e, Need need, Prec least, bool in_index);
  void on(const ir::VectorLoad& e, Need need, Prec least, bool in_index);
  void on(const ir::LaneRead& e, Need need, Prec least, bool in_index);

  // expr.cc
  bool open_if(bool needed);
  void close_if(bool opened);
  bool open_narrow_cast(DType type);
  Frame open_operator(const ir::Binary& e, Need need, Prec least, bool in_index, Need& left);
  void finish_operator(const Frame& frame);
  bool negated_literal(const ir::Binary& e, const ir::Expr& right, Need need, bool in_index);
  void function_of_two(std::string_view name, const ir::Binary& e);
  void function_operator(const ir::Binary& e, Need need);

  // casts.cc
  void cast_bits(const ir::Cast& e);
  void cast_to_bool(const ir::Cast& e, Prec least);
  void cast_to_half(const ir::Cast& e);
  void cast_float_to_int(const ir::Cast& e);
  void as_float(const ir::Expr& e, Prec least);

  // calls.cc
  void spelled(const intrinsics::Intrinsic& row, std::string_view spelling, ir::ExprList args,
               bool through_float);
  void function(std::string_view name, ir::ExprList args);
  void table_call(const ir::Call& e, Need need, Prec least);
  void nan_extremum(const ir::Call& e, bool is_max);
  void extremum(const ir::Call& e, bool is_max);
  void absolute(const ir::Call& e, Need need, Prec least);
  void classify(const ir::Call& e, Need need, Prec least);
  void sigmoid(const ir::Call& e, Prec least);

  Emission& emission_;
  std::string& out_;
  std::vector<Frame> frames_;
};

}  // namespace tirxcc::codegen_cuda
