// SPDX-License-Identifier: Apache-2.0
//
// Which lanes are under way (see emit_lanes.cc): masks, and the slots where lanes wait that have
// jumped. Masks are vectors of i1 while they are passed on, and of i32 (-1 or 0) in stack slots,
// for that is what the processor compares into.
#include "codegen/llvm/emit.h"

namespace tirxcc::cpu_codegen {

llvm::Value* Emitter::full_mask() {
  return llvm::Constant::getAllOnesValue(
      llvm::FixedVectorType::get(builder_.getInt1Ty(), lanes_->width));
}

// A mask that is known, as bits: in a loop that is written out, places in it are numbers.
std::optional<std::uint64_t> Emitter::known_lanes(llvm::Value* mask) const {
  const auto* known = llvm::dyn_cast<llvm::Constant>(mask);
  if (known == nullptr) return std::nullopt;
  std::uint64_t bits = 0;
  for (unsigned lane = 0; lane < lanes_->width; ++lane) {
    const auto* bit = llvm::dyn_cast_or_null<llvm::ConstantInt>(known->getAggregateElement(lane));
    if (bit == nullptr) return std::nullopt;
    bits |= bit->getZExtValue() << lane;
  }
  return bits;
}

llvm::Value* Emitter::any_of(llvm::Value* mask) {
  if (mask == nullptr) return builder_.getTrue();
  if (const auto known = known_lanes(mask)) return builder_.getInt1(*known != 0);
  llvm::Value* bits = builder_.CreateBitCast(mask, builder_.getIntNTy(lanes_->width));
  return builder_.CreateICmpNE(bits, llvm::Constant::getNullValue(bits->getType()));
}

llvm::Value* Emitter::both_masks(llvm::Value* a, llvm::Value* b) {
  return a == nullptr ? b : builder_.CreateAnd(a, b);
}

llvm::AllocaInst* Emitter::mask_slot(const char* name, bool is_full) {
  auto* type = llvm::FixedVectorType::get(builder_.getInt32Ty(), lanes_->width);
  llvm::AllocaInst* slot = entry_alloca(type, name);
  builder_.CreateStore(
      is_full ? llvm::Constant::getAllOnesValue(type) : llvm::Constant::getNullValue(type), slot);
  return slot;
}

llvm::Value* Emitter::load_mask(llvm::AllocaInst* slot) {
  llvm::Value* words = builder_.CreateLoad(slot->getAllocatedType(), slot);
  return builder_.CreateICmpSLT(words, llvm::Constant::getNullValue(words->getType()));
}

// Those of the mask that have not jumped away.
llvm::Value* Emitter::active_of(llvm::Value* mask) {
  llvm::Value* active = load_mask(lanes_->active);
  return mask == nullptr ? active : builder_.CreateAnd(mask, active);
}

// The lanes of the mask go to wait in `gone`.
void Emitter::part(llvm::Value* mask, llvm::AllocaInst* gone) {
  llvm::Type* type = gone->getAllocatedType();
  llvm::Value* words = builder_.CreateSExt(mask, type);
  llvm::Value* active = builder_.CreateLoad(type, lanes_->active);
  builder_.CreateStore(builder_.CreateAnd(active, builder_.CreateNot(words)), lanes_->active);
  llvm::Value* waiting = builder_.CreateLoad(type, gone);
  builder_.CreateStore(builder_.CreateOr(waiting, words), gone);
}

void Emitter::rejoin(llvm::AllocaInst* gone) {
  llvm::Type* type = gone->getAllocatedType();
  llvm::Value* active = builder_.CreateLoad(type, lanes_->active);
  llvm::Value* waiting = builder_.CreateLoad(type, gone);
  builder_.CreateStore(builder_.CreateOr(active, waiting), lanes_->active);
  builder_.CreateStore(llvm::Constant::getNullValue(type), gone);
}

void Emitter::jump_in_lanes(const ir::Label* label, bool to_next_turn) {
  std::size_t i = lanes_->targets.size();
  while (i-- > 0 && lanes_->targets[i].label != label) {
  }
  TIRXCC_CHECK(i < lanes_->targets.size(), "a jump out of lanes in {}", kernel_.kernel->name);
  const LaneTarget& target = lanes_->targets[i];
  // All lanes that could go there do.
  if (lanes_->mask == target.mask) {
    builder_.CreateBr(to_next_turn ? target.next : target.end);
    return;
  }
  part(lanes_->mask == nullptr ? full_mask() : lanes_->mask,
       to_next_turn ? target.gone_to_next : target.gone);
  lanes_->is_empty = true;
}

}  // namespace tirxcc::cpu_codegen
