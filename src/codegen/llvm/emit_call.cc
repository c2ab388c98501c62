// SPDX-License-Identifier: Apache-2.0
//
// Calls of device functions, by the `cpu` column of their row: an LLVM intrinsic, a function of
// the C library, or one of the special rows. Halves are computed in float32 and rounded back.
#include <llvm/IR/Intrinsics.h>

#include <array>

#include "codegen/llvm/emit.h"
#include "intrinsics/intrinsics.h"

namespace tirxcc::cpu_codegen {
namespace {

using intrinsics::Special;

llvm::StringRef to_ref(std::string_view text) {
  return {text.data(), text.size()};
}

bool is_nonzero_constant(const ir::Expr& expr) {
  const auto* literal = ir::as<ir::FloatImm>(&expr);
  return literal != nullptr && literal->value != 0.0;
}

// Of zeros, -0.0 is the lesser, as on the GPU; LLVM's maxnum and minnum leave it open. Operands
// that are equal differ at most in their sign bits.
llvm::Value* choose_zero(llvm::IRBuilder<>& builder, bool is_max, llvm::Value* are_equal,
                         const std::array<llvm::Value*, 3>& a_b_chosen) {
  const auto [a, b, chosen] = a_b_chosen;
  if (builder.getFastMathFlags().noSignedZeros()) return chosen;
  llvm::Type* type = a->getType();
  llvm::Type* bits = builder.getIntNTy(type->getScalarSizeInBits());
  if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type)) {
    bits = llvm::VectorType::get(bits, vector->getElementCount());
  }
  llvm::Value* a_bits = builder.CreateBitCast(a, bits);
  llvm::Value* b_bits = builder.CreateBitCast(b, bits);
  llvm::Value* joint =
      is_max ? builder.CreateAnd(a_bits, b_bits) : builder.CreateOr(a_bits, b_bits);
  return builder.CreateSelect(are_equal, builder.CreateBitCast(joint, type), chosen);
}

}  // namespace

llvm::Value* Emitter::emit_call(const ir::Call& call) {
  const intrinsics::Intrinsic& row = *call.callee;
  const bool is_meeting =
      row.convergence != intrinsics::Convergence::Thread || row.name == "cuda.nano_sleep";
  if (kernel_.is_fibers && is_meeting) return emit_meeting(call);
  if (row.special != Special::None) return emit_special(call);
  if (row.effect == intrinsics::Effect::Atomic) return emit_atomic(call);
  if (row.name == "cuda.nano_sleep") return builder_.getInt32(0);  // about no time at all
  constexpr std::string_view kIntrinsic = "llvm.";
  constexpr std::string_view kSymbol = "sym:";
  if (row.name == "fma" && call.dtype.is_half_like()) return emit_fma(call);
  if (row.cpu.starts_with(kIntrinsic)) return call_intrinsic(call, row.cpu);
  if (row.cpu.starts_with(kSymbol)) return call_symbol(call, row.cpu.substr(kSymbol.size()));
  TIRXCC_CHECK(row.effect == intrinsics::Effect::Barrier &&
                   row.convergence == intrinsics::Convergence::Thread,
               "the CPU target cannot call {}", row.name);
  return builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
}

llvm::Value* Emitter::call_intrinsic(const ir::Call& call, std::string_view name) {
  const llvm::Intrinsic::ID id = llvm::Function::lookupIntrinsicID(to_ref(name));
  TIRXCC_CHECK(id != llvm::Intrinsic::not_intrinsic, "unknown LLVM intrinsic {}", name);
  if (call.args.empty()) return builder_.CreateIntrinsic(id, {}, {});
  const DType type = call.args[0]->dtype;
  if (type.is_int_or_bool()) {
    // popcount, clz: of at least 32 bits, as C promotes; the result is int32.
    llvm::Value* a = emit(*call.args[0]);
    if (type.bits < 32) {
      a = type.is_signed_int() ? builder_.CreateSExt(a, like(builder_.getInt32Ty(), a))
                               : builder_.CreateZExt(a, like(builder_.getInt32Ty(), a));
    }
    llvm::SmallVector<llvm::Value*, 2> operands = {a};
    if (id == llvm::Intrinsic::ctlz || id == llvm::Intrinsic::cttz) {
      operands.push_back(builder_.getFalse());
    }
    llvm::Value* result = builder_.CreateIntrinsic(id, {a->getType()}, operands);
    return builder_.CreateZExtOrTrunc(result, like(type_of(call.dtype), result));
  }
  llvm::SmallVector<llvm::Value*, 4> operands;
  for (const ir::Expr* arg : call.args)
    operands.push_back(widen_half(emit(*arg), arg->dtype));
  match(operands);
  const bool is_exp2 = id == llvm::Intrinsic::exp2;
  if ((is_exp2 || id == llvm::Intrinsic::exp) && is_own_exp(operands[0])) {
    return narrow_half(emit_exp(operands[0], is_exp2), type);
  }
  llvm::Value* result = builder_.CreateIntrinsic(id, {operands[0]->getType()}, operands);
  return narrow_half(result, type);
}

llvm::Value* Emitter::call_symbol(const ir::Call& call, std::string_view name) {
  const DType type = call.args[0]->dtype;
  llvm::SmallVector<llvm::Value*, 4> operands;
  llvm::SmallVector<llvm::Type*, 4> types;
  for (const ir::Expr* arg : call.args) {
    operands.push_back(widen_half(emit(*arg), arg->dtype));
    types.push_back(operands.back()->getType()->getScalarType());
  }
  llvm::Type* result_type = types[0];
  if (name == "rsqrt") {
    llvm::Value* root = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, operands[0]);
    llvm::Value* one = llvm::ConstantFP::get(root->getType(), 1.0);
    return narrow_half(builder_.CreateFDiv(one, root), type);
  }
  std::string symbol(name);
  if (result_type->isFloatTy()) symbol += 'f';
  llvm::FunctionCallee callee =
      module_.getOrInsertFunction(symbol, llvm::FunctionType::get(result_type, types, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  llvm::Value* result = in_each_lane(operands, [&](llvm::ArrayRef<llvm::Value*> values) {
    return builder_.CreateCall(callee, values);
  });
  return narrow_half(result, type);
}

llvm::Value* Emitter::emit_special(const ir::Call& call) {
  switch (call.callee->special) {
    case Special::MaxNan:
    case Special::MinNan:
    case Special::MaxNum:
    case Special::MinNum: return emit_min_max(call);
    case Special::Abs: return emit_abs(call);
    case Special::Sigmoid: return emit_sigmoid(call);
    case Special::IsNan:
    case Special::IsInf:
    case Special::IsFinite: return emit_classify(call);
    case Special::Ldexp: return emit_ldexp(call);
    case Special::ElectSync: return emit_elect(call);
    case Special::Printf: return emit_printf(call);
    case Special::None: break;
  }
  internal_error(__FILE__, __LINE__, "a special row without a case");
}

llvm::Value* Emitter::emit_min_max(const ir::Call& call) {
  const Special special = call.callee->special;
  const bool is_max = special == Special::MaxNan || special == Special::MaxNum;
  const bool keeps_nan = special == Special::MaxNan || special == Special::MinNan;
  const DType type = call.dtype;
  auto [a, b] = emit_both(*call.args[0], *call.args[1]);
  llvm::Intrinsic::ID id = llvm::Intrinsic::not_intrinsic;
  if (type.is_half_like()) {
    // LLVM 19 would narrow its intrinsics to float16 and then lose the NaN. Take `a` if it is
    // beyond `b`, or if the NaN rule says so.
    llvm::Value* wide_a = widen_half(a, type);
    llvm::Value* wide_b = widen_half(b, type);
    llvm::Value* is_beyond =
        is_max ? builder_.CreateFCmpOGT(wide_a, wide_b) : builder_.CreateFCmpOLT(wide_a, wide_b);
    llvm::Value* decides = keeps_nan ? wide_a : wide_b;
    llvm::Value* takes_a = builder_.CreateOr(is_beyond, builder_.CreateFCmpUNO(decides, decides));
    llvm::Value* chosen = builder_.CreateSelect(takes_a, a, b);
    if (is_nonzero_constant(*call.args[0]) || is_nonzero_constant(*call.args[1])) return chosen;
    return choose_zero(builder_, is_max, builder_.CreateFCmpOEQ(wide_a, wide_b), {a, b, chosen});
  }
  if (type.is_float()) {
    id = is_max ? (keeps_nan ? llvm::Intrinsic::maximum : llvm::Intrinsic::maxnum)
                : (keeps_nan ? llvm::Intrinsic::minimum : llvm::Intrinsic::minnum);
    llvm::Value* chosen = builder_.CreateBinaryIntrinsic(id, a, b);
    if (keeps_nan || is_nonzero_constant(*call.args[0]) || is_nonzero_constant(*call.args[1])) {
      return chosen;
    }
    return choose_zero(builder_, is_max, builder_.CreateFCmpOEQ(a, b), {a, b, chosen});
  }
  if (type.is_signed_int()) {
    id = is_max ? llvm::Intrinsic::smax : llvm::Intrinsic::smin;
  } else {
    id = is_max ? llvm::Intrinsic::umax : llvm::Intrinsic::umin;
  }
  return builder_.CreateBinaryIntrinsic(id, a, b);
}

llvm::Value* Emitter::emit_abs(const ir::Call& call) {
  const DType type = call.dtype;
  llvm::Value* a = emit(*call.args[0]);
  if (type.is_float()) {
    llvm::Value* wide = widen_half(a, type);
    return narrow_half(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, wide), type);
  }
  if (!type.is_signed_int()) return a;
  return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, a, builder_.getFalse());
}

llvm::Value* Emitter::emit_sigmoid(const ir::Call& call) {
  llvm::Value* x = widen_half(emit(*call.args[0]), call.dtype);
  llvm::Value* const one = llvm::ConstantFP::get(x->getType(), 1.0);
  llvm::Value* negated = builder_.CreateFNeg(x);
  llvm::Value* power = is_own_exp(x) ? emit_exp(negated)
                                     : builder_.CreateUnaryIntrinsic(llvm::Intrinsic::exp, negated);
  return narrow_half(builder_.CreateFDiv(one, builder_.CreateFAdd(one, power)), call.dtype);
}

llvm::Value* Emitter::emit_classify(const ir::Call& call) {
  llvm::Value* x = widen_half(emit(*call.args[0]), call.args[0]->dtype);
  if (call.callee->special == Special::IsNan) return builder_.CreateFCmpUNO(x, x);
  llvm::Value* size = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  llvm::Value* const infinity = llvm::ConstantFP::getInfinity(x->getType());
  return call.callee->special == Special::IsInf ? builder_.CreateFCmpOEQ(size, infinity)
                                                : builder_.CreateFCmpOLT(size, infinity);
}

llvm::Value* Emitter::emit_ldexp(const ir::Call& call) {
  llvm::Value* x = widen_half(emit(*call.args[0]), call.dtype);
  llvm::Value* power = emit(*call.args[1]);
  llvm::Value* result = in_each_lane({x, power}, [&](llvm::ArrayRef<llvm::Value*> values) {
    return builder_.CreateIntrinsic(llvm::Intrinsic::ldexp,
                                    {values[0]->getType(), values[1]->getType()}, values);
  });
  return narrow_half(result, call.dtype);
}

// fma of halves: the product is exact in float64; the sum is rounded to odd there (its error by
// Knuth's TwoSum), so that the one rounding that counts is the last.
llvm::Value* Emitter::emit_fma(const ir::Call& call) {
  const llvm::IRBuilder<>::FastMathFlagGuard guard(builder_);
  builder_.clearFastMathFlags();
  llvm::SmallVector<llvm::Value*, 4> operands;
  for (int i = 0; i < 3; ++i) {
    llvm::Value* wide = widen_half(emit(*call.args[i]), call.dtype);
    operands.push_back(builder_.CreateFPExt(wide, like(builder_.getDoubleTy(), wide)));
  }
  match(operands);
  llvm::Value* product = builder_.CreateFMul(operands[0], operands[1]);
  llvm::Value* addend = operands[2];
  llvm::Value* sum = builder_.CreateFAdd(product, addend);
  llvm::Value* addend_part = builder_.CreateFSub(sum, product);
  llvm::Value* product_part = builder_.CreateFSub(sum, addend_part);
  llvm::Value* error = builder_.CreateFAdd(builder_.CreateFSub(product, product_part),
                                           builder_.CreateFSub(addend, addend_part));
  llvm::Value* const zero = llvm::ConstantFP::get(sum->getType(), 0.0);
  llvm::Type* word = like(builder_.getInt64Ty(), sum);
  llvm::Value* bits = builder_.CreateBitCast(sum, word);
  llvm::Value* is_even =
      builder_.CreateICmpEQ(builder_.CreateAnd(bits, 1), llvm::Constant::getNullValue(word));
  llvm::Value* is_inexact = builder_.CreateFCmpONE(error, zero);
  // Away from zero when the error has the sum's sign, else toward it.
  llvm::Value* grows =
      builder_.CreateICmpEQ(builder_.CreateFCmpOGT(error, zero), builder_.CreateFCmpOGT(sum, zero));
  llvm::Value* step = builder_.CreateSelect(grows, llvm::ConstantInt::get(word, 1),
                                            llvm::Constant::getAllOnesValue(word));
  llvm::Value* odd = builder_.CreateSelect(builder_.CreateAnd(is_even, is_inexact),
                                           builder_.CreateAdd(bits, step), bits);
  return float_to_float(builder_.CreateBitCast(odd, sum->getType()), kFloat64, call.dtype);
}

// elect_sync after pass lower_elect: its operands are two mutable scalars of the site, how often
// this thread has arrived here and the most arrivals of any thread of the warp so far. Threads run
// in lane order, so the first to arrive for the k-th time is the lowest lane that does.
llvm::Value* Emitter::emit_elect(const ir::Call& call) {
  const auto* arrivals = call.args.size() == 2 ? ir::as<ir::LocalRead>(call.args[0]) : nullptr;
  const auto* greatest = call.args.size() == 2 ? ir::as<ir::LocalRead>(call.args[1]) : nullptr;
  TIRXCC_CHECK(arrivals != nullptr && greatest != nullptr, "elect_sync was not lowered in {}",
               kernel_.kernel->name);
  llvm::Type* type = type_of(arrivals->dtype);
  llvm::Value* arrivals_slot = here(slot_of(arrivals->local));
  llvm::Value* greatest_slot = here(slot_of(greatest->local));
  llvm::Value* count =
      builder_.CreateAdd(builder_.CreateLoad(type, arrivals_slot), llvm::ConstantInt::get(type, 1));
  builder_.CreateStore(count, arrivals_slot);
  llvm::Value* most = builder_.CreateLoad(type, greatest_slot);
  llvm::Value* is_first = builder_.CreateICmpUGT(count, most);
  builder_.CreateStore(builder_.CreateSelect(is_first, count, most), greatest_slot);
  return is_first;
}

}  // namespace tirxcc::cpu_codegen
