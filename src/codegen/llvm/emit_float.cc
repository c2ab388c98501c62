// SPDX-License-Identifier: Apache-2.0
//
// Floats and conversions. Each operation rounds once to its own type. float16 is LLVM's half;
// bfloat16 is kept as its 16 bits and computed in float32, because LLVM would call a library
// routine for its conversions (float32 has more than twice its precision plus two bits, so
// rounding twice gives the same bits).
#include "codegen/llvm/emit.h"

namespace tirxcc::cpu_codegen {

using ir::BinaryOp;

llvm::Constant* Emitter::float_constant(DType type, double value) {
  if (!type.is_bfloat16()) return llvm::ConstantFP::get(type_of(type), value);
  llvm::APFloat bits(value);
  bool loses = false;
  bits.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven, &loses);
  return llvm::ConstantInt::get(context_, bits.bitcastToAPInt());
}

llvm::Value* Emitter::bfloat_to_float(llvm::Value* bits) {
  llvm::Value* wide = builder_.CreateZExt(bits, like(builder_.getInt32Ty(), bits));
  return builder_.CreateBitCast(builder_.CreateShl(wide, 16), like(builder_.getFloatTy(), bits));
}

llvm::Value* Emitter::float_to_bfloat(llvm::Value* value) {
  llvm::Type* type = like(builder_.getInt32Ty(), value);
  const auto word = [&](std::uint64_t number) { return llvm::ConstantInt::get(type, number); };
  llvm::Value* bits = builder_.CreateBitCast(value, type);
  llvm::Value* high = builder_.CreateLShr(bits, 16);
  // Nearest, ties to even: add half of the last place, less one if the last bit kept is 0.
  llvm::Value* bias = builder_.CreateAdd(builder_.CreateAnd(high, 1), word(0x7fff));
  llvm::Value* rounded = builder_.CreateLShr(builder_.CreateAdd(bits, bias), 16);
  // A NaN stays one (quiet) whatever its low bits are.
  llvm::Value* nan = builder_.CreateOr(high, word(0x40));
  llvm::Value* result = builder_.CreateSelect(builder_.CreateFCmpUNO(value, value), nan, rounded);
  return builder_.CreateTrunc(result, like(builder_.getInt16Ty(), value));
}

// float64 to float32, rounded to odd: an inexact result has its last bit set. Rounding it again to
// a type with at least two bits less gives what rounding once would have given.
llvm::Value* Emitter::double_to_float_odd(llvm::Value* value) {
  llvm::Type* word = like(builder_.getInt32Ty(), value);
  llvm::Value* nearest = builder_.CreateFPTrunc(value, like(builder_.getFloatTy(), value));
  llvm::Value* back = builder_.CreateFPExt(nearest, value->getType());
  llvm::Value* bits = builder_.CreateBitCast(nearest, word);
  llvm::Value* is_inexact = builder_.CreateFCmpONE(back, value);
  llvm::Value* is_even =
      builder_.CreateICmpEQ(builder_.CreateAnd(bits, 1), llvm::ConstantInt::get(word, 0));
  const auto magnitude = [&](llvm::Value* v) {
    return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v);
  };
  // The neighbour on the other side of the value is the odd one.
  llvm::Value* is_below = builder_.CreateFCmpOLT(magnitude(back), magnitude(value));
  llvm::Value* step = builder_.CreateSelect(is_below, llvm::ConstantInt::get(word, 1),
                                            llvm::Constant::getAllOnesValue(word));
  llvm::Value* odd = builder_.CreateAdd(bits, step);
  llvm::Value* chosen = builder_.CreateSelect(builder_.CreateAnd(is_inexact, is_even), odd, bits);
  return builder_.CreateBitCast(chosen, nearest->getType());
}

llvm::Value* Emitter::widen_half(llvm::Value* value, DType type) {
  if (type.is_bfloat16()) return bfloat_to_float(value);
  if (type.is_float16()) return builder_.CreateFPExt(value, like(builder_.getFloatTy(), value));
  return value;
}

llvm::Value* Emitter::narrow_half(llvm::Value* value, DType type) {
  if (type.is_bfloat16()) return float_to_bfloat(value);
  if (type.is_float16()) return builder_.CreateFPTrunc(value, like(builder_.getHalfTy(), value));
  return value;
}

llvm::Value* Emitter::emit_float_unary(const ir::Unary& expr) {
  TIRXCC_CHECK(expr.op == ir::UnaryOp::Neg, "operator {} on a float", static_cast<int>(expr.op));
  llvm::Value* a = emit(*expr.a);
  if (!expr.dtype.is_bfloat16()) return builder_.CreateFNeg(a);
  return builder_.CreateXor(a, llvm::ConstantInt::get(a->getType(), 0x8000));
}

llvm::Value* Emitter::float_operation(BinaryOp op, llvm::Value* a, llvm::Value* b) {
  if (op == BinaryOp::Add) return builder_.CreateFAdd(a, b);
  if (op == BinaryOp::Sub) return builder_.CreateFSub(a, b);
  if (op == BinaryOp::Mul) return builder_.CreateFMul(a, b);
  TIRXCC_CHECK(op == BinaryOp::Div, "operator {} on floats", static_cast<int>(op));
  return builder_.CreateFDiv(a, b);
}

llvm::Value* Emitter::emit_float_binary(const ir::Binary& expr) {
  const DType type = expr.dtype;
  auto [a, b] = emit_both(*expr.a, *expr.b);
  if (expr.op == BinaryOp::FloorDiv) {
    llvm::Value* quotient =
        narrow_half(builder_.CreateFDiv(widen_half(a, type), widen_half(b, type)), type);
    return narrow_half(
        builder_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, widen_half(quotient, type)), type);
  }
  if (expr.op == BinaryOp::FloorMod) {
    // C's remainder, moved into the sign of the divisor; a zero has that sign too, as in Python.
    llvm::Value* divisor = widen_half(b, type);
    llvm::Value* rest = builder_.CreateFRem(widen_half(a, type), divisor);
    llvm::Value* const zero = llvm::ConstantFP::get(rest->getType(), 0.0);
    llvm::Value* signs_differ = builder_.CreateXor(builder_.CreateFCmpOLT(rest, zero),
                                                   builder_.CreateFCmpOLT(divisor, zero));
    llvm::Value* moves = builder_.CreateAnd(builder_.CreateFCmpONE(rest, zero), signs_differ);
    llvm::Value* moved = builder_.CreateFAdd(rest, divisor);
    llvm::Value* signed_zero =
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, zero, divisor);
    llvm::Value* result = builder_.CreateSelect(moves, moved, rest);
    llvm::Value* is_zero = builder_.CreateFCmpOEQ(rest, zero);
    return narrow_half(builder_.CreateSelect(is_zero, signed_zero, result), type);
  }
  if (!type.is_bfloat16()) return float_operation(expr.op, a, b);
  return float_to_bfloat(float_operation(expr.op, bfloat_to_float(a), bfloat_to_float(b)));
}

llvm::Value* Emitter::is_true(llvm::Value* value, DType type) {
  if (type.is_bool()) return value;
  if (type.is_float()) {
    llvm::Value* wide = widen_half(value, type);
    return builder_.CreateFCmpUNE(wide, llvm::Constant::getNullValue(wide->getType()));
  }
  return builder_.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
}

llvm::Value* Emitter::emit_cast(const ir::Cast& cast) {
  const DType from = cast.a->dtype;
  const DType to = cast.dtype;
  // A chain of additions that cannot wrap is computed in the wide type at once.
  if (from.is_int() && to.is_int() && to.bits == 64 && from.bits < 64 && !cast.is_bits) {
    return emit_wide(*cast.a);
  }
  llvm::Value* value = emit(*cast.a);
  if (from == to) return value;
  if (cast.is_bits) return emit_bit_cast(value, from, to);
  if (to.is_bool()) return is_true(value, from);
  if (from.is_bool()) {
    if (to.is_float()) return int_to_float(value, from, to);
    return builder_.CreateZExt(value, like(type_of(to), value));
  }
  if (from.is_int() && to.is_int()) {
    return from.is_signed_int() ? builder_.CreateSExtOrTrunc(value, like(type_of(to), value))
                                : builder_.CreateZExtOrTrunc(value, like(type_of(to), value));
  }
  if (from.is_int() && to.is_float()) return int_to_float(value, from, to);
  if (from.is_float() && to.is_int()) return float_to_int(value, from, to);
  if (from.is_float() && to.is_float()) return float_to_float(value, from, to);
  return emit_bit_cast(value, from, to);
}

llvm::Value* Emitter::emit_bit_cast(llvm::Value* value, DType from, DType to) {
  value = to_memory(value, from);
  llvm::Type* type = like(memory_type_of(to), value);
  if (value->getType()->isPointerTy() && !type->isPointerTy()) {
    value = builder_.CreatePtrToInt(value, builder_.getInt64Ty());
  }
  if (!value->getType()->isPointerTy() && type->isPointerTy()) {
    return builder_.CreateIntToPtr(value, type);
  }
  return from_memory(builder_.CreateBitCast(value, type), to);
}

llvm::Value* Emitter::int_to_float(llvm::Value* value, DType from, DType to) {
  const bool is_signed = from.is_signed_int();
  const auto convert = [&](llvm::Value* integer, llvm::Type* type) {
    llvm::Type* made = like(type, integer);
    return is_signed ? builder_.CreateSIToFP(integer, made) : builder_.CreateUIToFP(integer, made);
  };
  if (!to.is_half_like()) return convert(value, type_of(to));
  // Integers that float32 cannot hold are beyond float16's largest value anyway.
  if (to.is_float16() || from.is_bool() || from.bits <= 16) {
    llvm::Value* wide = convert(value, builder_.getFloatTy());
    // InstCombine takes float16 for exact where it has digits enough, and forgets that large
    // integers become infinite: it must not see both conversions at once.
    if (to.is_float16() && from.bits > 16) {
      wide = builder_.CreateIntrinsic(llvm::Intrinsic::arithmetic_fence, {wide->getType()}, {wide});
    }
    return narrow_half(wide, to);
  }
  if (from.bits == 64) {
    // float64 may not hold it: gather the low bits, which only break ties, in bit 12.
    llvm::Type* type = value->getType();
    llvm::Value* low = builder_.CreateAnd(value, llvm::ConstantInt::get(type, 0xfff));
    llvm::Value* high = builder_.CreateXor(value, low);
    llvm::Value* sticky = builder_.CreateOr(high, llvm::ConstantInt::get(type, 0x1000));
    llvm::Value* is_inexact = builder_.CreateICmpNE(low, llvm::Constant::getNullValue(type));
    llvm::Value* gathered = builder_.CreateSelect(is_inexact, sticky, high);
    const std::uint64_t bound = std::uint64_t{1} << 53;
    llvm::Constant* limit = llvm::ConstantInt::get(type, bound);
    llvm::Value* is_small = is_signed
                                ? builder_.CreateICmpULE(builder_.CreateAdd(value, limit),
                                                         llvm::ConstantInt::get(type, 2 * bound))
                                : builder_.CreateICmpULE(value, limit);
    value = builder_.CreateSelect(is_small, value, gathered);
  }
  llvm::Value* exact = convert(value, builder_.getDoubleTy());
  return float_to_bfloat(double_to_float_odd(exact));
}

llvm::Value* Emitter::float_to_int(llvm::Value* value, DType from, DType to) {
  llvm::Value* wide = widen_half(value, from);
  return builder_.CreateIntrinsic(
      to.is_signed_int() ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
      {like(type_of(to), wide), wide->getType()}, {wide});
}

llvm::Value* Emitter::float_to_float(llvm::Value* value, DType from, DType to) {
  if (from.is_float64() && to.is_half_like()) {
    return narrow_half(double_to_float_odd(value), to);
  }
  llvm::Value* wide = widen_half(value, from);
  if (to.is_float64()) return builder_.CreateFPExt(wide, like(builder_.getDoubleTy(), wide));
  if (from.is_float64()) return builder_.CreateFPTrunc(wide, like(builder_.getFloatTy(), wide));
  return narrow_half(wide, to);
}

}  // namespace tirxcc::cpu_codegen
