// SPDX-License-Identifier: Apache-2.0
//
// Atomics and printf. A block runs on one thread of the machine, so atomics on its shared memory
// are a load and a store; on global memory they are the processor's, or a loop of compare and
// exchange where it has none (floats).
#include "codegen/llvm/emit.h"
#include "intrinsics/intrinsics.h"

namespace tirxcc::cpu_codegen {
namespace {

constexpr llvm::AtomicOrdering kRelaxed = llvm::AtomicOrdering::Monotonic;

std::string_view operation(const ir::Call& call) {
  constexpr std::string_view kPrefix = "cuda.atomic_";
  return call.callee->name.substr(kPrefix.size());
}

// What the pointer points to, as far as it shows.
ir::Scope scope_of(const ir::Expr& pointer) {
  if (const auto* address = ir::as<ir::AddressOf>(&pointer)) return address->tensor->scope;
  const auto* ref = ir::as<ir::VarRef>(&pointer);
  return ref != nullptr ? ref->var->pointee.scope : ir::Scope::Global;
}

}  // namespace

llvm::Value* Emitter::emit_atomic(const ir::Call& call) {
  llvm::Value* address = emit(*call.args[0]);
  return emit_atomic_at(call, address, emit(*call.args[1]));
}

llvm::Value* Emitter::emit_atomic_at(const ir::Call& call, llvm::Value* address,
                                     llvm::Value* value) {
  if (scope_of(*call.args[0]) != ir::Scope::Global) return emit_loaded_atomic(call, address, value);
  const std::string_view name = operation(call);
  const bool is_signed = call.dtype.is_signed_int();
  if (name == "cas" || call.dtype.is_float()) return emit_exchange_loop(call, address, value);
  using Op = llvm::AtomicRMWInst;
  const Op::BinOp op = name == "add"    ? Op::Add
                       : name == "sub"  ? Op::Sub
                       : name == "and"  ? Op::And
                       : name == "or"   ? Op::Or
                       : name == "xor"  ? Op::Xor
                       : name == "exch" ? Op::Xchg
                       : name == "max"  ? (is_signed ? Op::Max : Op::UMax)
                                        : (is_signed ? Op::Min : Op::UMin);
  return builder_.CreateAtomicRMW(op, address, value, llvm::MaybeAlign(), kRelaxed);
}

llvm::Value* Emitter::emit_loaded_atomic(const ir::Call& call, llvm::Value* address,
                                         llvm::Value* value) {
  const llvm::Align align(static_cast<std::uint64_t>(call.dtype.bits / 8));
  llvm::Value* old = builder_.CreateAlignedLoad(type_of(call.dtype), address, align);
  builder_.CreateAlignedStore(atomic_result(call, old, value), address, align);
  return old;
}

// What the element becomes. Comparisons of floats that are NaN change nothing.
llvm::Value* Emitter::atomic_result(const ir::Call& call, llvm::Value* old, llvm::Value* value) {
  const std::string_view name = operation(call);
  const DType type = call.dtype;
  if (name == "exch") return value;
  if (name == "cas") {
    llvm::Type* bits = builder_.getIntNTy(type.bits);
    llvm::Value* is_equal = builder_.CreateICmpEQ(builder_.CreateBitCast(old, bits),
                                                  builder_.CreateBitCast(value, bits));
    return builder_.CreateSelect(is_equal, emit(*call.args[2]), old);
  }
  if (name == "max" || name == "min") {
    const bool is_max = name == "max";
    llvm::Value* wins = nullptr;
    if (type.is_float()) {
      wins = is_max ? builder_.CreateFCmpOGT(value, old) : builder_.CreateFCmpOLT(value, old);
    } else if (type.is_signed_int()) {
      wins = is_max ? builder_.CreateICmpSGT(value, old) : builder_.CreateICmpSLT(value, old);
    } else {
      wins = is_max ? builder_.CreateICmpUGT(value, old) : builder_.CreateICmpULT(value, old);
    }
    return builder_.CreateSelect(wins, value, old);
  }
  if (name == "and") return builder_.CreateAnd(old, value);
  if (name == "or") return builder_.CreateOr(old, value);
  if (name == "xor") return builder_.CreateXor(old, value);
  const bool is_add = name == "add";
  if (!type.is_float()) {
    return is_add ? builder_.CreateAdd(old, value) : builder_.CreateSub(old, value);
  }
  llvm::Value* a = widen_half(old, type);
  llvm::Value* b = widen_half(value, type);
  return narrow_half(is_add ? builder_.CreateFAdd(a, b) : builder_.CreateFSub(a, b), type);
}

// Reads, computes and stores until nobody came between.
llvm::Value* Emitter::emit_exchange_loop(const ir::Call& call, llvm::Value* address,
                                         llvm::Value* value) {
  const DType type = call.dtype;
  llvm::Type* bits = builder_.getIntNTy(type.bits);
  llvm::LoadInst* first = builder_.CreateAlignedLoad(
      bits, address, llvm::Align(static_cast<std::uint64_t>(type.bits / 8)));
  first->setAtomic(kRelaxed);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* attempt = new_block("atomic.try");
  llvm::BasicBlock* done = new_block("atomic.done");
  builder_.CreateBr(attempt);
  builder_.SetInsertPoint(attempt);
  llvm::PHINode* seen = builder_.CreatePHI(bits, 2);
  seen->addIncoming(first, before);
  llvm::Value* old = builder_.CreateBitCast(seen, type_of(type));
  llvm::Value* made = builder_.CreateBitCast(atomic_result(call, old, value), bits);
  llvm::Value* pair =
      builder_.CreateAtomicCmpXchg(address, seen, made, llvm::MaybeAlign(), kRelaxed, kRelaxed);
  seen->addIncoming(builder_.CreateExtractValue(pair, 0), builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateExtractValue(pair, 1), done, attempt);
  builder_.SetInsertPoint(done);
  return old;
}

// The C library's own: sema has checked the format and converted the values to what it reads.
llvm::Value* Emitter::emit_printf(const ir::Call& call) {
  llvm::SmallVector<llvm::Value*, 8> values;
  for (const ir::Expr* arg : call.args) {
    if (const auto* text = ir::as<ir::StringImm>(arg)) {
      values.push_back(
          builder_.CreateGlobalStringPtr(llvm::StringRef(text->value.data(), text->value.size())));
      continue;
    }
    llvm::Value* value = emit(*arg);
    if (arg->dtype.is_float()) {
      value = builder_.CreateFPExt(widen_half(value, arg->dtype), builder_.getDoubleTy());
    } else if (arg->dtype.is_int_or_bool() && arg->dtype.bits < 32) {
      value = arg->dtype.is_signed_int() ? builder_.CreateSExt(value, builder_.getInt32Ty())
                                         : builder_.CreateZExt(value, builder_.getInt32Ty());
    }
    values.push_back(value);
  }
  llvm::FunctionCallee print = module_.getOrInsertFunction(
      "printf", llvm::FunctionType::get(builder_.getInt32Ty(), {builder_.getPtrTy()}, true));
  return builder_.CreateCall(print, values);
}

}  // namespace tirxcc::cpu_codegen
