// SPDX-License-Identifier: Apache-2.0
//
// Memory in lanes. Lanes that are neighbours in memory make one vector access, also if the index is
// flipped (t ^ 4): then they are the neighbours in another order. All else is lane by lane.
//
// Lanes that are not under way must not touch memory of the grid. Arrays of the block have room
// around them and belong to this thread of the machine, so there their old values are written back.
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/MDBuilder.h>

#include <bit>

#include "codegen/llvm/emit.h"
#include "codegen/llvm/target.h"
#include "ir/builder.h"

namespace tirxcc::cpu_codegen {

llvm::Value* Emitter::lane_address(const ir::Tensor& tensor, llvm::Value* offset) {
  const auto own = lanes_->own.find(&tensor);
  llvm::Value* base = own != lanes_->own.end() ? own->second : base_of(tensor);
  // Lanes that are not under way may be outside.
  if (lanes_->mask != nullptr)
    return builder_.CreateGEP(memory_type_of(tensor.dtype), base, offset);
  return builder_.CreateInBoundsGEP(memory_type_of(tensor.dtype), base, offset);
}

namespace {

llvm::Align element_align(DType type) {
  return llvm::Align(static_cast<std::uint64_t>(std::max(1, type.bits / 8)));
}

}  // namespace

// Whether a flipped access can be a vector access and a permutation.
bool Emitter::can_permute(const ir::Tensor& tensor, const Index& offset) {
  if (lanes_->mask != nullptr && tensor.scope == ir::Scope::Global) return false;
  if (llvm::isa<llvm::ConstantInt>(offset.flips)) return true;
  return lanes_->width == 8 && tensor.dtype.bits == 32 && has_avx2(options_);
}

// Lane l of the result is lane l ^ flips, for the low bits of `flips`.
llvm::Value* Emitter::permuted(llvm::Value* vector, llvm::Value* flips) {
  const std::uint64_t low = lanes_->width - 1;
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(flips)) {
    llvm::SmallVector<int, 32> order;
    for (unsigned lane = 0; lane < lanes_->width; ++lane)
      order.push_back(static_cast<int>(lane ^ (known->getZExtValue() & low)));
    return builder_.CreateShuffleVector(vector, order);
  }
  llvm::Type* word = builder_.getInt32Ty();
  llvm::Value* narrow = builder_.CreateTrunc(builder_.CreateAnd(flips, low), word);
  llvm::Value* order = builder_.CreateXor(steps(word, 1), spread(narrow));
  auto* words = llvm::FixedVectorType::get(word, lanes_->width);
  llvm::Value* bits = builder_.CreateBitCast(vector, words);
  llvm::Value* made = builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx2_permd, {}, {bits, order});
  return builder_.CreateBitCast(made, vector->getType());
}

llvm::Value* Emitter::load_in_lanes(const ir::Tensor& tensor, const Index& offset) {
  if (offset.vector != nullptr) return gather(tensor, offset);
  if (offset.flips != nullptr) {
    if (!can_permute(tensor, offset)) return gather(tensor, {.vector = vector_of(offset)});
    const std::uint64_t high = ~std::uint64_t{lanes_->width - 1};
    llvm::Value* row = builder_.CreateXor(offset.start, builder_.CreateAnd(offset.flips, high));
    return permuted(load_neighbours(tensor, builder_.CreateAdd(offset.base, row)), offset.flips);
  }
  if (offset.stride == 0) {
    return builder_.CreateAlignedLoad(memory_type_of(tensor.dtype),
                                      lane_address(tensor, offset.base),
                                      element_align(tensor.dtype));
  }
  if (offset.stride == 1) return load_neighbours(tensor, offset.base);
  return gather(tensor, offset);
}

llvm::Value* Emitter::load_neighbours(const ir::Tensor& tensor, llvm::Value* offset) {
  auto* type = llvm::FixedVectorType::get(memory_type_of(tensor.dtype), lanes_->width);
  const auto* place = llvm::dyn_cast<llvm::ConstantInt>(offset);
  const std::int64_t width = lanes_->width;
  if (place != nullptr && tensor.scope == ir::Scope::Shared && place->getSExtValue() % width != 0) {
    return load_across_rows(tensor, place->getSExtValue());
  }
  llvm::Value* address = lane_address(tensor, offset);
  if (lanes_->mask == nullptr || tensor.scope != ir::Scope::Global) {
    return builder_.CreateAlignedLoad(type, address, element_align(tensor.dtype));
  }
  return builder_.CreateMaskedLoad(type, address, element_align(tensor.dtype), lanes_->mask,
                                   llvm::Constant::getNullValue(type));
}

// At a known place between two rows of an array of the block: both rows are read, so that the array
// can live in registers.
llvm::Value* Emitter::load_across_rows(const ir::Tensor& tensor, std::int64_t place) {
  const std::int64_t width = lanes_->width;
  const std::int64_t from = ((place % width) + width) % width;
  auto* type = llvm::FixedVectorType::get(memory_type_of(tensor.dtype), lanes_->width);
  llvm::Value* rows[2];
  for (std::int64_t i = 0; i < 2; ++i) {
    llvm::Value* address = builder_.CreateGEP(memory_type_of(tensor.dtype), base_of(tensor),
                                              wide_constant(place - from + i * width));
    rows[i] = builder_.CreateAlignedLoad(type, address, element_align(tensor.dtype));
  }
  llvm::SmallVector<int, 32> order;
  for (std::int64_t lane = 0; lane < width; ++lane)
    order.push_back(static_cast<int>(from + lane));
  return builder_.CreateShuffleVector(rows[0], rows[1], order);
}

// The first element of a tensor of which some lane has one.
llvm::Value* Emitter::safe_offsets(const Index& offset) {
  llvm::Value* offsets = vector_of(offset);
  // Narrow numbers are widened one by one.
  auto* widened = llvm::dyn_cast<llvm::SExtInst>(offsets);
  if (widened != nullptr) offsets = widened->getOperand(0);
  if (lanes_->mask == nullptr) return offsets;
  return builder_.CreateSelect(lanes_->mask, offsets,
                               llvm::Constant::getNullValue(offsets->getType()));
}

llvm::Value* Emitter::gather(const ir::Tensor& tensor, const Index& offset) {
  llvm::Type* element = memory_type_of(tensor.dtype);
  const bool is_strided = offset.vector == nullptr && lanes_->mask == nullptr;
  llvm::Value* offsets = is_strided ? nullptr : safe_offsets(offset);
  llvm::Value* result = llvm::PoisonValue::get(llvm::FixedVectorType::get(element, lanes_->width));
  lanes_->single_accesses += static_cast<int>(lanes_->width);
  for (unsigned lane = 0; lane < lanes_->width; ++lane) {
    llvm::Value* place =
        is_strided ? builder_.CreateNSWAdd(offset.base, wide_constant(offset.stride * lane))
                   : builder_.CreateSExt(lane_of(offsets, lane), builder_.getInt64Ty());
    llvm::Value* value = builder_.CreateAlignedLoad(element, lane_address(tensor, place),
                                                    element_align(tensor.dtype));
    result = builder_.CreateInsertElement(result, value, std::uint64_t{lane});
  }
  return result;
}

// A load that belongs to a group; null if it does not. The first asked for loads them all.
llvm::Value* Emitter::load_grouped(const ir::Load& load) {
  for (LaneGroup& group : lanes_->groups) {
    for (unsigned k = 0; k < 4; ++k) {
      if (group.loads[k] == nullptr || !ir::equal(group.loads[k], &load)) continue;
      if (group.elements[0] == nullptr) {
        const Index offset = lane_offset(*group.first->tensor, group.first->indices, false);
        const bool is_apart = offset.vector == nullptr && offset.flips == nullptr &&
                              (offset.stride > 1 || offset.stride < -1);
        if (!is_apart) {
          group = {};
          return nullptr;
        }
        load_group(group, offset);
      }
      return group.elements[k];
    }
  }
  return nullptr;
}

// Four elements of each lane's row, transposed: lane l of elements[k] is element k of row l.
void Emitter::load_group(LaneGroup& group, const Index& offset) {
  const ir::Tensor& tensor = *group.first->tensor;
  llvm::Type* element = memory_type_of(tensor.dtype);
  auto* part = llvm::FixedVectorType::get(element, 4);
  const unsigned width = lanes_->width;
  // Rows l and l + 4 side by side, so that the shuffles below stay inside halves.
  llvm::Value* pairs[4];
  for (unsigned lane = 0; lane < 4; ++lane) {
    llvm::Value* rows[2];
    for (unsigned half = 0; half < 2; ++half) {
      llvm::Value* place =
          builder_.CreateNSWAdd(offset.base, wide_constant(offset.stride * (lane + 4 * half)));
      rows[half] = builder_.CreateAlignedLoad(part, lane_address(tensor, place),
                                              element_align(tensor.dtype));
      // Neighbours' rows at a time: the processor does not see where they go on.
      if (lanes_->distance != 1) continue;
      llvm::Value* ahead = builder_.CreateAdd(place, wide_constant(offset.stride * width));
      llvm::Value* line = builder_.CreateGEP(element, base_of(tensor), ahead);
      builder_.CreateIntrinsic(
          llvm::Intrinsic::prefetch, {line->getType()},
          {line, builder_.getInt32(0), builder_.getInt32(3), builder_.getInt32(1)});
    }
    pairs[lane] = builder_.CreateShuffleVector(rows[0], rows[1], {0, 1, 2, 3, 4, 5, 6, 7});
  }
  TIRXCC_CHECK(width == 8, "groups of {} lanes", width);
  const int low[] = {0, 8, 1, 9, 4, 12, 5, 13};
  const int high[] = {2, 10, 3, 11, 6, 14, 7, 15};
  llvm::Value* low_even = builder_.CreateShuffleVector(pairs[0], pairs[1], low);
  llvm::Value* high_even = builder_.CreateShuffleVector(pairs[0], pairs[1], high);
  llvm::Value* low_odd = builder_.CreateShuffleVector(pairs[2], pairs[3], low);
  llvm::Value* high_odd = builder_.CreateShuffleVector(pairs[2], pairs[3], high);
  const int first[] = {0, 1, 8, 9, 4, 5, 12, 13};
  const int second[] = {2, 3, 10, 11, 6, 7, 14, 15};
  group.elements[0] = builder_.CreateShuffleVector(low_even, low_odd, first);
  group.elements[1] = builder_.CreateShuffleVector(low_even, low_odd, second);
  group.elements[2] = builder_.CreateShuffleVector(high_even, high_odd, first);
  group.elements[3] = builder_.CreateShuffleVector(high_even, high_odd, second);
  lanes_->single_accesses += 8;
}

void Emitter::store_in_lanes(const ir::Tensor& tensor, const Index& offset, llvm::Value* value) {
  if (offset.vector == nullptr && offset.flips == nullptr && offset.stride == 0 &&
      !is_vector(value)) {
    builder_.CreateAlignedStore(value, lane_address(tensor, offset.base),
                                element_align(tensor.dtype));
    return;
  }
  value = spread(value);
  if (offset.vector == nullptr && offset.flips == nullptr && offset.stride == 1) {
    return store_neighbours(tensor, offset.base, value);
  }
  if (offset.vector == nullptr && offset.flips != nullptr && can_permute(tensor, offset)) {
    const std::uint64_t high = ~std::uint64_t{lanes_->width - 1};
    llvm::Value* row = builder_.CreateXor(offset.start, builder_.CreateAnd(offset.flips, high));
    llvm::Value* const mask = lanes_->mask;
    if (mask != nullptr) {
      auto* words = llvm::FixedVectorType::get(builder_.getInt32Ty(), lanes_->width);
      llvm::Value* moved = permuted(builder_.CreateSExt(mask, words), offset.flips);
      lanes_->mask = builder_.CreateICmpSLT(moved, llvm::Constant::getNullValue(words));
    }
    store_neighbours(tensor, builder_.CreateAdd(offset.base, row), permuted(value, offset.flips));
    lanes_->mask = mask;
    return;
  }
  scatter(tensor, offset, value);
}

void Emitter::store_neighbours(const ir::Tensor& tensor, llvm::Value* offset, llvm::Value* value) {
  llvm::Value* address = lane_address(tensor, offset);
  const llvm::Align align = element_align(tensor.dtype);
  if (lanes_->mask != nullptr && tensor.scope == ir::Scope::Global) {
    builder_.CreateMaskedStore(value, address, align, lanes_->mask);
    return;
  }
  if (lanes_->mask != nullptr) {
    llvm::Value* old = builder_.CreateAlignedLoad(value->getType(), address, align);
    value = builder_.CreateSelect(lanes_->mask, value, old);
  }
  llvm::StoreInst* store = builder_.CreateAlignedStore(value, address, align);
  if (streaming_group_ == nullptr || &tensor != kernel_.streamed) return;
  // Aligned to a line by emit_streaming_range.
  const std::uint64_t bytes = module_.getDataLayout().getTypeStoreSize(value->getType());
  if (!std::has_single_bit(bytes)) return;
  store->setAlignment(llvm::Align(std::min(bytes, kLineBytes)));
  auto* one = llvm::ConstantAsMetadata::get(builder_.getInt32(1));
  store->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(context_, {one}));
}

// In the order of the lanes: of several at one place the last one's value stays.
void Emitter::scatter(const ir::Tensor& tensor, const Index& offset, llvm::Value* value) {
  llvm::Value* offsets = offset.vector;
  for_active_lanes([&](unsigned lane) {
    llvm::Value* place = offsets == nullptr && offset.flips == nullptr
                             ? builder_.CreateAdd(offset.base, wide_constant(offset.stride * lane))
                             : lane_of(offsets != nullptr ? offsets : vector_of(offset), lane);
    builder_.CreateAlignedStore(lane_of(value, lane), lane_address(tensor, place),
                                element_align(tensor.dtype));
  });
}

void Emitter::for_active_lanes(const std::function<void(unsigned lane)>& body) {
  lanes_->single_accesses += static_cast<int>(lanes_->width);
  llvm::Value* bits = nullptr;
  if (lanes_->mask != nullptr) {
    if (const auto known = known_lanes(lanes_->mask)) {
      for (unsigned lane = 0; lane < lanes_->width; ++lane) {
        if ((*known >> lane & 1) != 0) body(lane);
      }
      return;
    }
    bits = builder_.CreateBitCast(lanes_->mask, builder_.getIntNTy(lanes_->width));
  }
  for (unsigned lane = 0; lane < lanes_->width; ++lane) {
    if (bits == nullptr) {
      body(lane);
      continue;
    }
    llvm::BasicBlock* active = new_block("lane");
    llvm::BasicBlock* next = new_block("lane.next");
    llvm::Value* bit = builder_.CreateAnd(bits, std::uint64_t{1} << lane);
    builder_.CreateCondBr(builder_.CreateICmpNE(bit, llvm::Constant::getNullValue(bit->getType())),
                          active, next);
    builder_.SetInsertPoint(active);
    body(lane);
    builder_.CreateBr(next);
    builder_.SetInsertPoint(next);
  }
}

void Emitter::emit_lane_atomic(const ir::Call& call) {
  const auto& address = *ir::as<ir::AddressOf>(call.args[0]);
  const ir::Tensor& tensor = *address.tensor;
  const Index offset = lane_offset(tensor, address.indices, address.is_flat);
  llvm::Value* value = emit(*call.args[1]);
  llvm::Value* offsets = offset.vector;
  if (offset.flips != nullptr) offsets = vector_of(offset);
  for_active_lanes([&](unsigned lane) {
    llvm::Value* place = offsets == nullptr
                             ? builder_.CreateAdd(offset.base, wide_constant(offset.stride * lane))
                             : lane_of(offsets, lane);
    emit_atomic_at(call, lane_address(tensor, place), lane_of(value, lane));
  });
}

}  // namespace tirxcc::cpu_codegen
