// SPDX-License-Identifier: Apache-2.0
//
// Integer and bool arithmetic. Nothing here traps or is undefined for any operands: results wrap,
// a zero divisor gives quotient 0 and remainder a, MIN // -1 is MIN, shifts by the width or more
// give 0 or the sign (language.md section 12, rules 18 and 20).
#include "codegen/llvm/emit.h"

namespace tirxcc::cpu_codegen {
namespace {

using ir::BinaryOp;

llvm::CmpInst::Predicate integer_predicate(BinaryOp op, bool is_signed) {
  using Predicate = llvm::CmpInst::Predicate;
  if (op == BinaryOp::Eq) return Predicate::ICMP_EQ;
  if (op == BinaryOp::Ne) return Predicate::ICMP_NE;
  if (op == BinaryOp::Lt) return is_signed ? Predicate::ICMP_SLT : Predicate::ICMP_ULT;
  if (op == BinaryOp::Le) return is_signed ? Predicate::ICMP_SLE : Predicate::ICMP_ULE;
  if (op == BinaryOp::Gt) return is_signed ? Predicate::ICMP_SGT : Predicate::ICMP_UGT;
  return is_signed ? Predicate::ICMP_SGE : Predicate::ICMP_UGE;
}

// Ordered: false when an operand is NaN, but for `!=`.
llvm::CmpInst::Predicate float_predicate(BinaryOp op) {
  using Predicate = llvm::CmpInst::Predicate;
  if (op == BinaryOp::Eq) return Predicate::FCMP_OEQ;
  if (op == BinaryOp::Ne) return Predicate::FCMP_UNE;
  if (op == BinaryOp::Lt) return Predicate::FCMP_OLT;
  if (op == BinaryOp::Le) return Predicate::FCMP_OLE;
  if (op == BinaryOp::Gt) return Predicate::FCMP_OGT;
  return Predicate::FCMP_OGE;
}

}  // namespace

llvm::Value* Emitter::emit_int_unary(const ir::Unary& expr) {
  llvm::Value* a = emit(*expr.a);
  if (expr.op == ir::UnaryOp::Neg) return builder_.CreateNeg(a);
  return builder_.CreateNot(a);
}

llvm::Value* Emitter::emit_bool_binary(const ir::Binary& expr) {
  auto [a, b] = emit_both(*expr.a, *expr.b);
  // A bool result of arithmetic is "not 0".
  if (expr.op == BinaryOp::BitOr || expr.op == BinaryOp::Add) return builder_.CreateOr(a, b);
  if (expr.op == BinaryOp::BitAnd || expr.op == BinaryOp::Mul) return builder_.CreateAnd(a, b);
  TIRXCC_CHECK(expr.op == BinaryOp::BitXor || expr.op == BinaryOp::Sub, "operator {} on bool",
               static_cast<int>(expr.op));
  return builder_.CreateXor(a, b);
}

llvm::Value* Emitter::emit_int_binary(const ir::Binary& expr) {
  if (ir::is_shift(expr.op)) return emit_shift(expr);
  if (expr.op >= BinaryOp::FloorDiv && expr.op <= BinaryOp::TruncMod) return emit_division(expr);
  if (expr.op == BinaryOp::Add || expr.op == BinaryOp::Sub || expr.op == BinaryOp::Mul) {
    return emit_linear(expr);
  }
  if (lanes_ != nullptr && is_even(expr)) return value_of(index_of(expr), expr.dtype);
  auto [a, b] = emit_both(*expr.a, *expr.b);
  if (expr.op == BinaryOp::BitAnd) return builder_.CreateAnd(a, b);
  if (expr.op == BinaryOp::BitOr) return builder_.CreateOr(a, b);
  TIRXCC_CHECK(expr.op == BinaryOp::BitXor, "operator {} on integers", static_cast<int>(expr.op));
  return builder_.CreateXor(a, b);
}

llvm::Value* Emitter::emit_linear(const ir::Binary& expr) {
  const bool cannot_wrap = ranges_.cannot_wrap(expr);
  const bool nsw = cannot_wrap && expr.dtype.is_signed_int();
  const bool nuw = cannot_wrap && expr.dtype.is_unsigned_int();
  auto [a, b] = emit_both(*expr.a, *expr.b);
  if (expr.op == BinaryOp::Add) return builder_.CreateAdd(a, b, "", nuw, nsw);
  if (expr.op == BinaryOp::Sub) return builder_.CreateSub(a, b, "", nuw, nsw);
  return builder_.CreateMul(a, b, "", nuw, nsw);
}

llvm::Value* Emitter::emit_division(const ir::Binary& expr) {
  const DType type = expr.dtype;
  const bool is_signed = type.is_signed_int();
  const bool is_floor = expr.op == BinaryOp::FloorDiv || expr.op == BinaryOp::FloorMod;
  const bool wants_quotient = expr.op == BinaryOp::FloorDiv || expr.op == BinaryOp::TruncDiv;
  const ir::Range a_range = ranges_.of(*expr.a);
  const ir::Range b_range = ranges_.of(*expr.b);
  // Where some lanes are not under way, nothing is known about theirs.
  const bool knows_all = lanes_ == nullptr || lanes_->mask == nullptr || ir::is<ir::IntImm>(expr.b);
  const bool may_be_zero = !knows_all || b_range.contains(0);
  const bool may_overflow =
      is_signed && (!knows_all || (b_range.contains(-1) && a_range.contains(type.min_int())));
  // Quotients of non-negative numbers need no rounding down and are cheaper unsigned.
  const bool is_natural = a_range.is_non_negative() && b_range.is_non_negative();
  auto [a, b] = emit_both(*expr.a, *expr.b);
  llvm::Value* const zero = llvm::Constant::getNullValue(a->getType());
  llvm::Value* const one = llvm::ConstantInt::get(a->getType(), 1);

  llvm::Value* divisor = b;
  llvm::Value* is_zero = builder_.CreateICmpEQ(b, zero);
  if (may_be_zero) divisor = builder_.CreateSelect(is_zero, one, divisor);
  if (may_overflow) {
    llvm::Value* least = llvm::ConstantInt::get(
        a->getType(), static_cast<std::uint64_t>(static_cast<std::int64_t>(type.min_int())), true);
    llvm::Value* overflows =
        builder_.CreateAnd(builder_.CreateICmpEQ(a, least),
                           builder_.CreateICmpEQ(b, llvm::Constant::getAllOnesValue(a->getType())));
    // MIN / 1 is MIN with remainder 0, as MIN / -1 must be.
    divisor = builder_.CreateSelect(overflows, one, divisor);
  }
  const bool divides_signed = is_signed && !is_natural;
  llvm::Value* quotient =
      divides_signed ? builder_.CreateSDiv(a, divisor) : builder_.CreateUDiv(a, divisor);
  llvm::Value* remainder = builder_.CreateSub(a, builder_.CreateMul(quotient, divisor));
  if (is_floor && divides_signed) {
    llvm::Value* signs_differ =
        builder_.CreateICmpSLT(builder_.CreateXor(remainder, divisor), zero);
    llvm::Value* rounds = builder_.CreateAnd(builder_.CreateICmpNE(remainder, zero), signs_differ);
    quotient = builder_.CreateSub(quotient, builder_.CreateZExt(rounds, a->getType()));
    remainder = builder_.CreateAdd(remainder, builder_.CreateSelect(rounds, divisor, zero));
  }
  if (wants_quotient)
    return may_be_zero ? builder_.CreateSelect(is_zero, zero, quotient) : quotient;
  return may_be_zero ? builder_.CreateSelect(is_zero, a, remainder) : remainder;
}

llvm::Value* Emitter::emit_shift(const ir::Binary& expr) {
  if (lanes_ != nullptr && is_even(expr)) return value_of(index_of(expr), expr.dtype);
  auto [a, b] = emit_both(*expr.a, *expr.b);
  const unsigned width = expr.dtype.bits;
  llvm::Type* type = a->getType();
  const ir::Range amount_range = ranges_.of(*expr.b);
  const bool is_known = amount_range.low >= 0 && amount_range.high < width;
  // A negative amount counts as a huge one.
  llvm::Value* is_small = builder_.CreateICmpULT(b, llvm::ConstantInt::get(b->getType(), width));
  llvm::Value* amount = builder_.CreateZExtOrTrunc(b, type);
  llvm::Value* const zero = llvm::Constant::getNullValue(type);
  if (expr.op == BinaryOp::ShiftLeft) {
    llvm::Value* shifted = builder_.CreateShl(a, amount);
    return is_known ? shifted : builder_.CreateSelect(is_small, shifted, zero);
  }
  if (!expr.dtype.is_signed_int()) {
    llvm::Value* shifted = builder_.CreateLShr(a, amount);
    return is_known ? shifted : builder_.CreateSelect(is_small, shifted, zero);
  }
  if (!is_known) {
    amount = builder_.CreateSelect(is_small, amount, llvm::ConstantInt::get(type, width - 1));
  }
  return builder_.CreateAShr(a, amount);
}

llvm::Value* Emitter::emit_comparison(const ir::Binary& expr) {
  const DType type = expr.a->dtype;
  auto [a, b] = emit_both(*expr.a, *expr.b);
  if (type.is_float()) {
    if (type.is_bfloat16()) {
      a = bfloat_to_float(a);
      b = bfloat_to_float(b);
    }
    return builder_.CreateFCmp(float_predicate(expr.op), a, b);
  }
  return builder_.CreateICmp(integer_predicate(expr.op, type.is_signed_int()), a, b);
}

}  // namespace tirxcc::cpu_codegen
