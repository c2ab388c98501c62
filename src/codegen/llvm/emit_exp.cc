// SPDX-License-Identifier: Apache-2.0
//
// exp and exp2 of float32 in plain arithmetic, so that they are the same in lanes and out of them,
// bit for bit, and cost a lane no call:
//
//   e^x = 2^n * e^r,  n = round(x / ln 2),  r = x - n * ln 2,  |r| <= ln 2 / 2
//   e^r = 1 + (r + r^2 * q(r))
//
// with a q of degree 4 whose error is below 2^-27 of e^r. Of all float32 arguments the results are
// within one unit of the last place (0.99; three in a hundred are not the nearest float), results
// below the normal range and the edge to infinity included.
#include "codegen/llvm/emit.h"

namespace tirxcc::cpu_codegen {
namespace {

// Adding it rounds to an integer, which is then in the low bits.
constexpr double kShift = 0x1.8p23;
constexpr std::uint32_t kShiftBits = 0x4b400000;

}  // namespace

llvm::Value* Emitter::emit_exp(llvm::Value* x, bool is_exp2) {
  llvm::Type* type = x->getType();
  const auto number = [&](double value) { return llvm::ConstantFP::get(type, value); };
  const auto add = [&](llvm::Value* a, llvm::Value* b) { return builder_.CreateFAdd(a, b); };
  const auto mul = [&](llvm::Value* a, llvm::Value* b) { return builder_.CreateFMul(a, b); };
  // Beyond these the result is 0 or infinite, whatever x is. A NaN is not beyond, and stays one.
  llvm::Value* const low = number(is_exp2 ? -151.0 : -104.0);
  llvm::Value* const high = number(is_exp2 ? 129.0 : 89.0);
  llvm::Value* near = builder_.CreateSelect(builder_.CreateFCmpOLT(x, low), low, x);
  near = builder_.CreateSelect(builder_.CreateFCmpOGT(near, high), high, near);
  constexpr double kLog2E = 0x1.715476p0;
  llvm::Value* shifted = add(is_exp2 ? near : mul(near, number(kLog2E)), number(kShift));
  llvm::Value* n = builder_.CreateFSub(shifted, number(kShift));
  llvm::Value* r = nullptr;
  if (is_exp2) {
    constexpr double kLn2 = 0x1.62e43p-1;
    r = mul(builder_.CreateFSub(near, n), number(kLn2));
  } else {
    // ln 2 in two parts, of which the first has so few digits that its product with n is exact.
    constexpr double kLn2High = 0x1.62ep-1;
    constexpr double kLn2Low = 0x1.0bfbe8p-15;
    r = builder_.CreateFSub(near, mul(n, number(kLn2High)));
    r = builder_.CreateFSub(r, mul(n, number(kLn2Low)));
  }
  llvm::Value* q = number(0x1.6a224p-10);
  for (const double factor : {0x1.123b02p-7, 0x1.5558f8p-5, 0x1.55549p-3, 0x1.fffffcp-2})
    q = add(mul(q, r), number(factor));
  llvm::Value* sum = add(number(1.0), add(r, mul(mul(r, r), q)));
  // 2^n as a product of two powers, of which none is beyond float32 even where the result is.
  llvm::Type* word = like(builder_.getInt32Ty(), x);
  llvm::Value* exponent = builder_.CreateSub(builder_.CreateBitCast(shifted, word),
                                             llvm::ConstantInt::get(word, kShiftBits));
  llvm::Value* half = builder_.CreateAShr(exponent, 1);
  for (llvm::Value* part : {half, builder_.CreateSub(exponent, half)}) {
    constexpr std::uint32_t kOne = 0x3f800000;
    llvm::Value* bits = builder_.CreateShl(part, 23);
    bits = builder_.CreateAdd(bits, llvm::ConstantInt::get(word, kOne));
    sum = mul(sum, builder_.CreateBitCast(bits, type));
  }
  return sum;
}

}  // namespace tirxcc::cpu_codegen
