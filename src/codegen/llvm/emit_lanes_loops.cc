// SPDX-License-Identifier: Apache-2.0
//
// Loops inside a thread loop that runs in lanes (emit_lanes.cc): all lanes that are in one are in
// the same turn; a loop ends when nobody is in it.
#include "codegen/llvm/emit.h"
#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::cpu_codegen {
namespace {

bool has_jump(ir::StmtList body) {
  bool has = false;
  ir::walk_stmts(body, [&](const ir::Stmt& stmt) {
    has |= ir::is<ir::Break>(&stmt) || ir::is<ir::Continue>(&stmt) || ir::is<ir::Leave>(&stmt);
  });
  return has;
}

}  // namespace

// Of a loop that needs neither vectorising nor unrolling.
llvm::MDNode* Emitter::finished_loop_id() {
  auto* one = llvm::ConstantAsMetadata::get(builder_.getInt32(1));
  auto* vectorized = llvm::MDString::get(context_, "llvm.loop.isvectorized");
  auto* unrolled = llvm::MDString::get(context_, "llvm.loop.unroll.disable");
  llvm::MDNode* id =
      llvm::MDNode::getDistinct(context_, {nullptr, llvm::MDNode::get(context_, {vectorized, one}),
                                           llvm::MDNode::get(context_, {unrolled})});
  id->replaceOperandWith(0, id);
  return id;
}

// All lanes that are in it are in the same turn.
void Emitter::emit_lane_for(const ir::For& loop) {
  const Index first = index_of(*loop.begin);
  llvm::Value* end = emit_wide(*loop.end);
  const bool is_unsigned = loop.var->dtype == kUInt64;
  const llvm::CmpInst::Predicate goes_on =
      loop.step > 0 ? (is_unsigned ? llvm::CmpInst::ICMP_ULT : llvm::CmpInst::ICMP_SLT)
                    : (is_unsigned ? llvm::CmpInst::ICMP_UGT : llvm::CmpInst::ICMP_SGT);
  const bool is_scalar = first.vector == nullptr && first.flips == nullptr && first.stride == 0;
  if (!is_scalar || is_vector(end)) {
    Index counter = first;
    if (counter.flips != nullptr) counter = {.vector = vector_of(first)};
    llvm::Value* start = counter.vector != nullptr ? counter.vector : counter.base;
    llvm::AllocaInst* slot = entry_alloca(start->getType(), loop.var->name);
    builder_.CreateStore(start, slot);
    const auto now = [&] {
      Index index = counter;
      (index.vector != nullptr ? index.vector : index.base) =
          builder_.CreateLoad(slot->getAllocatedType(), slot);
      index.is_aligned = false;
      return index;
    };
    const auto test = [&] { return builder_.CreateICmp(goes_on, vector_of(now()), spread(end)); };
    const auto enter = [&] {
      ranges_.bind(loop);
      const Index index = now();
      vars_[loop.var] = {value_of(index, loop.var->dtype), nullptr,
                         index.vector == nullptr ? index : Index{}};
    };
    const auto step = [&] {
      llvm::Value* value = builder_.CreateLoad(slot->getAllocatedType(), slot);
      llvm::Value* by =
          llvm::ConstantInt::get(value->getType(), static_cast<std::uint64_t>(loop.step), true);
      builder_.CreateStore(builder_.CreateAdd(value, by), slot);
    };
    return emit_lane_loop(loop.body, /*parts=*/true, {test, enter, step});
  }
  // As Emitter::emit_range, which tests at the end of each turn.
  LaneTarget target;
  const bool jumps = has_jump(loop.body);
  if (jumps) {
    target.gone = mask_slot("gone", /*is_full=*/false);
    target.gone_to_next = mask_slot("gone.next", /*is_full=*/false);
  }
  llvm::BasicBlock* body = new_block("for.body");
  target.next = new_block("for.next");
  target.end = new_block("for.end");
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::Value* const entered = lanes_->mask;
  builder_.CreateCondBr(builder_.CreateICmp(goes_on, first.base, end), body, target.end);
  builder_.SetInsertPoint(body);
  llvm::PHINode* counter = builder_.CreatePHI(builder_.getInt64Ty(), 2, "counter");
  counter->addIncoming(first.base, before);
  bind_loop_var(loop, counter);
  if (jumps) lanes_->mask = active_of(entered);
  target.mask = lanes_->mask;
  lanes_->targets.push_back(target);
  const int accesses = lanes_->single_accesses;
  emit_lane_list(loop.body);
  const bool is_long = lanes_->single_accesses > accesses;
  lanes_->targets.pop_back();
  lanes_->is_empty = false;
  jump(target.next);
  builder_.SetInsertPoint(target.next);
  llvm::Value* next =
      builder_.CreateAdd(counter, wide_constant(loop.step), "next", is_unsigned, !is_unsigned);
  llvm::Value* again = builder_.CreateICmp(goes_on, next, end);
  if (jumps) {
    rejoin(target.gone_to_next);
    again = builder_.CreateAnd(again, any_of(active_of(entered)));
  }
  counter->addIncoming(next, builder_.GetInsertBlock());
  llvm::BranchInst* back = builder_.CreateCondBr(again, body, target.end);
  if (is_long) back->setMetadata(llvm::LLVMContext::MD_loop, finished_loop_id());
  builder_.SetInsertPoint(target.end);
  if (jumps) rejoin(target.gone);
  lanes_->mask = entered;
}

void Emitter::emit_lane_while(const ir::While& loop) {
  const ir::Ranges::Mark before = ranges_.mark();
  const auto test = [&] { return emit(*loop.condition); };
  const auto enter = [&] { ranges_.assume(*loop.condition, true); };
  emit_lane_loop(loop.body, differs(*loop.condition), {test, enter, [] {}});
  ranges_.restore(before);
}

void Emitter::emit_lane_counted_for(const ir::CountedFor& loop) {
  const CountedStart start{emit_wide(*loop.start), emit(*loop.step)};
  llvm::Value* turns = builder_.CreateZExt(emit(*loop.turns), builder_.getInt64Ty());
  llvm::AllocaInst* turn = entry_alloca(builder_.getInt64Ty(), "turn");
  builder_.CreateStore(wide_constant(0), turn);
  const auto now = [&] { return builder_.CreateLoad(builder_.getInt64Ty(), turn); };
  const auto test = [&] { return builder_.CreateICmpNE(now(), turns); };
  const auto enter = [&] { bind_counted_var(loop, start, now()); };
  const auto advance = [&] {
    builder_.CreateStore(builder_.CreateAdd(now(), wide_constant(1)), turn);
  };
  emit_lane_loop(loop.body, /*parts=*/false, {test, enter, advance});
}

// Lanes leave at the test, for which `test` may give a vector, or by jumps. The test stands before
// the first turn and at the end of each, so that a small body is one block.
void Emitter::emit_lane_loop(ir::StmtList body, bool parts, const LaneLoopParts& loop) {
  LaneTarget target;
  const bool jumps = has_jump(body);
  target.gone = mask_slot("gone", /*is_full=*/false);
  target.gone_to_next = mask_slot("gone.next", /*is_full=*/false);
  llvm::BasicBlock* turn = new_block("while.body");
  target.next = new_block("while.next");
  target.end = new_block("while.end");
  llvm::Value* const entered = lanes_->mask;
  const auto test = [&] {
    if (parts || jumps) lanes_->mask = active_of(entered);
    llvm::Value* condition = loop.test();
    if (is_vector(condition)) {
      part(both_masks(lanes_->mask, builder_.CreateNot(condition)), target.gone);
      condition = any_of(both_masks(lanes_->mask, condition));
    }
    builder_.CreateCondBr(condition, turn, target.end);
  };
  test();
  builder_.SetInsertPoint(turn);
  if (parts || jumps) lanes_->mask = active_of(entered);
  loop.enter();
  target.mask = lanes_->mask;
  lanes_->targets.push_back(target);
  emit_lane_list(body);
  lanes_->targets.pop_back();
  lanes_->is_empty = false;
  jump(target.next);
  builder_.SetInsertPoint(target.next);
  if (jumps) {
    rejoin(target.gone_to_next);
    llvm::BasicBlock* again = new_block("while.again");
    builder_.CreateCondBr(any_of(active_of(entered)), again, target.end);
    builder_.SetInsertPoint(again);
  }
  loop.step();
  test();
  builder_.SetInsertPoint(target.end);
  if (parts || jumps) rejoin(target.gone);
  lanes_->mask = entered;
}

}  // namespace tirxcc::cpu_codegen
