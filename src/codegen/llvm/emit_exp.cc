// SPDX-License-Identifier: Apache-2.0
//
// exp of float32 in plain arithmetic, so that it is the same in lanes and out of them, bit for bit.
// It is computed in float64, where the error is far below float32's last place, and rounded once:
//
//   e^x = 2^n * e^r,  n = round(x / ln 2),  r = x - n * ln 2,  |r| <= ln 2 / 2
//
// with e^r by its series to r^11 (the next term is below 2^-46).
#include "codegen/llvm/emit.h"

namespace tirxcc::cpu_codegen {

llvm::Value* Emitter::emit_exp(llvm::Value* x) {
  llvm::Type* type = like(builder_.getDoubleTy(), x);
  llvm::Type* bits = like(builder_.getInt64Ty(), x);
  const auto number = [&](double value) { return llvm::ConstantFP::get(type, value); };
  // Beyond these the result is 0 or infinite in float32, whatever x is.
  constexpr double kReach = 200.0;
  llvm::Value* wide = builder_.CreateFPExt(x, type);
  wide =
      builder_.CreateSelect(builder_.CreateFCmpOLT(wide, number(-kReach)), number(-kReach), wide);
  wide = builder_.CreateSelect(builder_.CreateFCmpOGT(wide, number(kReach)), number(kReach), wide);
  // Adding 1.5 * 2^52 rounds to an integer, which is then in the low bits.
  constexpr double kLog2E = 0x1.71547652b82fep+0;
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  constexpr double kShift = 0x1.8p52;
  llvm::Value* shifted =
      builder_.CreateFAdd(builder_.CreateFMul(wide, number(kLog2E)), number(kShift));
  llvm::Value* n = builder_.CreateFSub(shifted, number(kShift));
  llvm::Value* r = builder_.CreateFSub(wide, builder_.CreateFMul(n, number(kLn2)));
  constexpr int kTerms = 11;
  double factorial = 1;
  for (int k = 2; k <= kTerms; ++k)
    factorial *= k;
  llvm::Value* sum = number(1 / factorial);
  for (int k = kTerms; k > 0; --k) {
    factorial /= k;
    sum = builder_.CreateFAdd(builder_.CreateFMul(sum, r), number(1 / factorial));
  }
  // 2^n: n is the exponent, n + 1023 its biased form.
  llvm::Value* exponent = builder_.CreateBitCast(shifted, bits);
  exponent = builder_.CreateAdd(exponent, llvm::ConstantInt::get(bits, 1023));
  exponent = builder_.CreateShl(exponent, 52);
  llvm::Value* power = builder_.CreateBitCast(exponent, type);
  llvm::Value* result = builder_.CreateFPTrunc(builder_.CreateFMul(sum, power), x->getType());
  return builder_.CreateSelect(builder_.CreateFCmpUNO(x, x), x, result);
}

}  // namespace tirxcc::cpu_codegen
