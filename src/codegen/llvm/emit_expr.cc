// SPDX-License-Identifier: Apache-2.0
//
// Expressions: leaves, memory, choice and short circuit. Every integer can be asked for in its own
// type (emit) or widened to 64 bits (emit_wide); where ranges show that arithmetic cannot wrap,
// the wide form is computed in 64 bits, which keeps addresses free of conversions.
#include "codegen/llvm/emit.h"
#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::cpu_codegen {
namespace {

using ir::BinaryOp;

llvm::Align natural_align(DType type) {
  return llvm::Align(static_cast<std::uint64_t>(std::max(1, type.lane().bits / 8)));
}

}  // namespace

bool can_speculate(const ir::Expr& expr) {
  int size = 0;
  return !ir::any_expr(expr, [&](const ir::Expr& e) {
    constexpr int kMostNodes = 24;
    return ir::is<ir::Load>(&e) || ir::is<ir::VectorLoad>(&e) || ir::is<ir::Call>(&e) ||
           ++size > kMostNodes;
  });
}

llvm::Type* Emitter::type_of(DType type) const {
  llvm::LLVMContext& context = context_;
  llvm::Type* lane = nullptr;
  switch (type.code) {
    case TypeCode::Bool: lane = llvm::Type::getInt1Ty(context); break;
    case TypeCode::Int:
    case TypeCode::UInt: lane = llvm::Type::getIntNTy(context, type.bits); break;
    case TypeCode::BFloat: lane = llvm::Type::getInt16Ty(context); break;
    case TypeCode::Float:
      lane = type.bits == 16   ? llvm::Type::getHalfTy(context)
             : type.bits == 32 ? llvm::Type::getFloatTy(context)
                               : llvm::Type::getDoubleTy(context);
      break;
    case TypeCode::Handle: lane = llvm::PointerType::getUnqual(context); break;
    case TypeCode::Void: return llvm::Type::getVoidTy(context);
    case TypeCode::Error: internal_error(__FILE__, __LINE__, "an error type in code generation");
  }
  return type.is_scalar() ? lane : llvm::FixedVectorType::get(lane, type.lanes);
}

llvm::Type* Emitter::memory_type_of(DType type) const {
  if (!type.is_bool()) return type_of(type);
  llvm::Type* byte = llvm::Type::getInt8Ty(context_);
  return type.is_scalar() ? byte : llvm::FixedVectorType::get(byte, type.lanes);
}

llvm::Value* Emitter::from_memory(llvm::Value* value, DType type) {
  if (!type.is_bool()) return value;
  return builder_.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
}

llvm::Value* Emitter::to_memory(llvm::Value* value, DType type) {
  return type.is_bool() ? builder_.CreateZExt(value, like(memory_type_of(type), value)) : value;
}

llvm::ConstantInt* Emitter::wide_constant(std::int64_t value) {
  return llvm::ConstantInt::get(builder_.getInt64Ty(), static_cast<std::uint64_t>(value),
                                /*IsSigned=*/true);
}

llvm::Value* Emitter::to_wide(llvm::Value* value, DType type) {
  llvm::Type* wide = like(builder_.getInt64Ty(), value);
  return type.is_signed_int() ? builder_.CreateSExt(value, wide) : builder_.CreateZExt(value, wide);
}

llvm::Value* Emitter::emit(const ir::Expr& expr) {
  return ir::visit(
      expr,
      Overloaded{
          [&](const ir::IntImm& e) -> llvm::Value* {
            return llvm::ConstantInt::get(type_of(e.dtype), static_cast<std::uint64_t>(e.value),
                                          e.dtype.is_signed_int());
          },
          [&](const ir::FloatImm& e) -> llvm::Value* { return float_constant(e.dtype, e.value); },
          [&](const ir::StringImm&) -> llvm::Value* {
            TIRXCC_CHECK(false, "a text as a value in {}", kernel_.kernel->name);
            return nullptr;
          },
          [&](const ir::VarRef& e) { return emit_var(e); },
          [&](const ir::LocalRead& e) {
            llvm::AllocaInst* slot = slot_of(e.local);
            llvm::Value* value = builder_.CreateLoad(slot->getAllocatedType(), here(slot));
            return from_memory(value, e.local->dtype);
          },
          [&](const ir::Load& e) { return emit_load(e); },
          [&](const ir::LaunchIndex&) -> llvm::Value* {
            TIRXCC_CHECK(false, "thread_loops left a launch index in {}", kernel_.kernel->name);
            return nullptr;
          },
          [&](const ir::Unary& e) {
            return e.dtype.is_float() ? emit_float_unary(e) : emit_int_unary(e);
          },
          [&](const ir::Binary& e) -> llvm::Value* {
            if (ir::is_logical(e.op)) return emit_logical(e);
            if (ir::is_comparison(e.op)) return emit_comparison(e);
            if (e.dtype.is_float()) return emit_float_binary(e);
            return e.dtype.is_bool() ? emit_bool_binary(e) : emit_int_binary(e);
          },
          [&](const ir::Select& e) { return emit_select(e); },
          [&](const ir::Cast& e) { return emit_cast(e); },
          [&](const ir::Call& e) { return emit_call(e); },
          [&](const ir::AddressOf& e) -> llvm::Value* {
            return element_address(*e.tensor, emit_offset(*e.tensor, e.indices, e.is_flat));
          },
          [&](const ir::VectorLoad& e) -> llvm::Value* {
            llvm::Value* address = element_address(*e.tensor, emit_wide(*e.offset));
            return mark_access(builder_.CreateAlignedLoad(memory_type_of(e.dtype), address,
                                                          natural_align(e.dtype)),
                               *e.tensor);
          },
          [&](const ir::LaneRead& e) {
            llvm::AllocaInst* slot = slot_of(e.vector);
            llvm::Value* vector = builder_.CreateLoad(slot->getAllocatedType(), here(slot));
            return from_memory(
                builder_.CreateExtractElement(vector, static_cast<std::uint64_t>(e.lane)),
                e.vector->dtype.lane());
          },
      });
}

llvm::Value* Emitter::emit_wide(const ir::Expr& expr) {
  if (const auto* imm = ir::as<ir::IntImm>(&expr)) return wide_constant(imm->value);
  if (const auto* ref = ir::as<ir::VarRef>(&expr)) {
    const auto found = vars_.find(ref->var);
    const bool is_known = found != vars_.end() && found->second.wide != nullptr;
    if (is_known && debug_ == nullptr) return here(found->second.wide);
  }
  const auto* cast = ir::as<ir::Cast>(&expr);
  if (cast != nullptr && !cast->is_bits && cast->a->dtype.is_int() &&
      ranges_.of(*cast->a).fits(expr.dtype)) {
    return emit_wide(*cast->a);
  }
  const auto* binary = ir::as<ir::Binary>(&expr);
  // A uint64 beyond the signed range would not be its own 64-bit form.
  if (binary != nullptr && ranges_.cannot_wrap(*binary) && ranges_.of(*binary).high <= INT64_MAX &&
      ranges_.of(*binary->a).high <= INT64_MAX && ranges_.of(*binary->b).high <= INT64_MAX) {
    llvm::Value* first = emit_wide(*binary->a);
    auto [a, b] = matched(first, emit_wide(*binary->b));
    if (binary->op == BinaryOp::Add) return builder_.CreateNSWAdd(a, b);
    if (binary->op == BinaryOp::Sub) return builder_.CreateNSWSub(a, b);
    return builder_.CreateNSWMul(a, b);
  }
  return to_wide(emit(expr), expr.dtype);
}

llvm::Value* Emitter::emit_var(const ir::VarRef& ref) {
  if (llvm::Value* kept = debug_load(ref.var)) return from_memory(kept, ref.var->dtype);
  const auto found = vars_.find(ref.var);
  TIRXCC_CHECK(found != vars_.end(), "{} is used before it is bound", ref.var->name);
  return here(found->second.value);
}

llvm::Value* Emitter::base_of(const ir::Tensor& tensor) {
  if (llvm::Value* kept = debug_load(&tensor)) return kept;
  const auto found = tensors_.find(&tensor);
  TIRXCC_CHECK(found != tensors_.end(), "tensor {} has no memory", tensor.name);
  return here(found->second);
}

llvm::Value* Emitter::emit_offset(const ir::Tensor& tensor, ir::ExprList indices, bool is_flat) {
  llvm::Value* offset = nullptr;
  if (is_flat) {
    offset = emit_wide(*indices[0]);
  } else if (!tensor.strides.empty()) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      llvm::Value* term =
          builder_.CreateNSWMul(emit_wide(*indices[i]), emit_wide(*tensor.strides[i]));
      offset = offset == nullptr ? term : builder_.CreateNSWAdd(offset, term);
    }
  } else {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      llvm::Value* index = emit_wide(*indices[i]);
      if (offset == nullptr) {
        offset = index;
        continue;
      }
      offset = builder_.CreateNSWMul(offset, emit_wide(*tensor.shape[i]));
      offset = builder_.CreateNSWAdd(offset, index);
    }
  }
  if (offset == nullptr) offset = wide_constant(0);
  // In dynamic shared memory it is a place in CUDA's one arena; here each array has its own memory.
  const bool has_offset = tensor.elem_offset != nullptr && tensor.scope != ir::Scope::SharedDyn;
  if (!is_flat && has_offset) {
    offset = builder_.CreateNSWAdd(offset, emit_wide(*tensor.elem_offset));
  }
  return offset;
}

llvm::Value* Emitter::element_address(const ir::Tensor& tensor, llvm::Value* offset) {
  return builder_.CreateInBoundsGEP(memory_type_of(tensor.dtype), base_of(tensor), offset);
}

llvm::Instruction* Emitter::mark_access(llvm::Instruction* access, const ir::Tensor& tensor) {
  if (access_group_ != nullptr && tensor.scope != ir::Scope::Local) {
    const bool is_streaming = streaming_group_ != nullptr && &tensor == kernel_.streamed;
    access->setMetadata(llvm::LLVMContext::MD_access_group,
                        is_streaming ? streaming_group_ : access_group_);
  }
  return access;
}

llvm::Value* Emitter::emit_load(const ir::Load& load) {
  if (lanes_ != nullptr) {
    if (llvm::Value* grouped = load_grouped(load)) return grouped;
    const Index place = lane_offset(*load.tensor, load.indices, load.is_flat);
    return from_memory(load_in_lanes(*load.tensor, place), load.dtype);
  }
  llvm::Value* offset = emit_offset(*load.tensor, load.indices, load.is_flat);
  llvm::Value* address = element_address(*load.tensor, offset);
  llvm::Value* value = mark_access(
      builder_.CreateAlignedLoad(memory_type_of(load.dtype), address, natural_align(load.dtype)),
      *load.tensor);
  return from_memory(value, load.dtype);
}

// Jumps to `yes` or `no` by the condition; `and`, `or` and `not` become control flow.
void Emitter::emit_branch(const ir::Expr& condition, llvm::BasicBlock* yes, llvm::BasicBlock* no) {
  if (const auto* unary = ir::as<ir::Unary>(&condition); unary && unary->op == ir::UnaryOp::Not) {
    return emit_branch(*unary->a, no, yes);
  }
  const auto* binary = ir::as<ir::Binary>(&condition);
  if (binary != nullptr && ir::is_logical(binary->op)) {
    const bool is_and = binary->op == BinaryOp::And;
    llvm::BasicBlock* rest = new_block(is_and ? "and.rest" : "or.rest");
    if (is_and) {
      emit_branch(*binary->a, rest, no);
    } else {
      emit_branch(*binary->a, yes, rest);
    }
    builder_.SetInsertPoint(rest);
    const ir::Ranges::Mark before = ranges_.mark();
    ranges_.assume(*binary->a, is_and);
    emit_branch(*binary->b, yes, no);
    ranges_.restore(before);
    return;
  }
  builder_.CreateCondBr(emit(condition), yes, no);
}

llvm::Value* Emitter::emit_logical(const ir::Binary& expr) {
  if (lanes_ != nullptr) return emit_lane_logical(expr);
  if (can_speculate(*expr.b)) {
    llvm::Value* a = emit(*expr.a);
    llvm::Value* b = emit(*expr.b);
    return expr.op == BinaryOp::And ? builder_.CreateAnd(a, b) : builder_.CreateOr(a, b);
  }
  llvm::BasicBlock* yes = new_block("true");
  llvm::BasicBlock* no = new_block("false");
  llvm::BasicBlock* end = new_block("truth");
  emit_branch(expr, yes, no);
  builder_.SetInsertPoint(yes);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(no);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
  llvm::PHINode* truth = builder_.CreatePHI(builder_.getInt1Ty(), 2);
  truth->addIncoming(builder_.getTrue(), yes);
  truth->addIncoming(builder_.getFalse(), no);
  return truth;
}

llvm::Value* Emitter::emit_select(const ir::Select& select) {
  if (lanes_ != nullptr) return emit_lane_select(select);
  if (can_speculate(*select.a) && can_speculate(*select.b)) {
    llvm::Value* condition = emit(*select.condition);
    llvm::Value* a = emit(*select.a);
    return builder_.CreateSelect(condition, a, emit(*select.b));
  }
  llvm::BasicBlock* yes = new_block("select.yes");
  llvm::BasicBlock* no = new_block("select.no");
  llvm::BasicBlock* end = new_block("select.end");
  emit_branch(*select.condition, yes, no);
  const auto emit_side = [&](llvm::BasicBlock* block, const ir::Expr& side, bool truth) {
    builder_.SetInsertPoint(block);
    const ir::Ranges::Mark before = ranges_.mark();
    ranges_.assume(*select.condition, truth);
    llvm::Value* value = emit(side);
    ranges_.restore(before);
    block = builder_.GetInsertBlock();
    builder_.CreateBr(end);
    return std::pair(value, block);
  };
  const auto [a, a_block] = emit_side(yes, *select.a, true);
  const auto [b, b_block] = emit_side(no, *select.b, false);
  builder_.SetInsertPoint(end);
  llvm::PHINode* value = builder_.CreatePHI(a->getType(), 2);
  value->addIncoming(a, a_block);
  value->addIncoming(b, b_block);
  return value;
}

}  // namespace tirxcc::cpu_codegen
