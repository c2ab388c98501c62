// SPDX-License-Identifier: Apache-2.0
//
// Loops. Counters run in 64 bits whatever the type of the loop variable, so that addresses formed
// from them need no widening; a loop tests before its first turn and then at the end of each.
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/TargetParser/Triple.h>

#include <functional>

#include "codegen/llvm/emit.h"
#include "ir/traverse.h"

namespace tirxcc::cpu_codegen {
namespace {

// Jumps of a parallel loop's body that would leave the body for another place than its next turn.
bool leaves_body(ir::StmtList body) {
  std::unordered_set<const ir::Label*> inside;
  int depth = 0;
  bool leaves = false;
  const auto is_loop = [](const ir::Stmt& stmt) {
    return ir::is<ir::For>(&stmt) || ir::is<ir::CountedFor>(&stmt) || ir::is<ir::While>(&stmt);
  };
  ir::walk_stmts(
      body,
      [&](const ir::Stmt& stmt) {
        if (is_loop(stmt)) ++depth;
        if (const auto* block = ir::as<ir::Block>(&stmt)) inside.insert(block->label);
        if (ir::is<ir::Return>(&stmt) || (ir::is<ir::Break>(&stmt) && depth == 0)) leaves = true;
        const auto* leave = ir::as<ir::Leave>(&stmt);
        if (leave != nullptr && !inside.contains(leave->label)) leaves = true;
      },
      [&](const ir::Stmt& stmt) {
        if (is_loop(stmt)) --depth;
      });
  return leaves;
}

}  // namespace

void Emitter::bind_loop_var(const ir::For& loop, llvm::Value* wide) {
  ranges_.bind(loop);
  llvm::Value* value = builder_.CreateTrunc(wide, type_of(loop.var->dtype));
  if (value != wide) value->setName(llvm::StringRef(loop.var->name.data(), loop.var->name.size()));
  vars_[loop.var] = {value, wide};
}

void Emitter::emit_for(const ir::For& loop) {
  if (loop.loop == ir::ForKind::Parallel && kernel_.kernel->kind == ir::KernelKind::Host &&
      outlined_ == nullptr && debug_ == nullptr && !leaves_body(loop.body)) {
    return emit_parallel_for(loop);
  }
  if (debug_ != nullptr) return emit_debug_for(loop);
  llvm::Value* begin = emit_wide(*loop.begin);
  llvm::Value* end = emit_wide(*loop.end);
  const bool is_streaming = options_.non_temporal && kernel_.streamed != nullptr;
  if (is_streaming && innermost_.contains(loop.var)) {
    return emit_streaming_range(loop, begin, end);
  }
  emit_range(loop, begin, end);
}

// The turns from begin to end. `is_rest`: a few turns, which are not worth a vector loop.
void Emitter::emit_range(const ir::For& loop, llvm::Value* begin, llvm::Value* end, bool is_rest) {
  if (!is_rest && lane_width(loop) > 0) return emit_lane_range(loop, begin, end);
  const bool is_thread_loop = innermost_.contains(loop.var);
  const bool is_unsigned = loop.var->dtype == kUInt64;
  const llvm::CmpInst::Predicate goes_on =
      loop.step > 0 ? (is_unsigned ? llvm::CmpInst::ICMP_ULT : llvm::CmpInst::ICMP_SLT)
                    : (is_unsigned ? llvm::CmpInst::ICMP_UGT : llvm::CmpInst::ICMP_SGT);
  llvm::BasicBlock* body = new_block("for.body");
  llvm::BasicBlock* latch = new_block("for.next");
  llvm::BasicBlock* exit = new_block("for.end");
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  builder_.CreateCondBr(builder_.CreateICmp(goes_on, begin, end), body, exit);

  builder_.SetInsertPoint(body);
  llvm::PHINode* counter = builder_.CreatePHI(builder_.getInt64Ty(), 2, "counter");
  counter->addIncoming(begin, before);
  bind_loop_var(loop, counter);
  loops_.push_back({exit, latch});
  llvm::MDNode* const outer_group = access_group_;
  if (is_thread_loop) access_group_ = llvm::MDNode::getDistinct(context_, {});
  const std::size_t outer_slots = block_slots_.size();
  emit_list(loop.body);
  end_block_slots(outer_slots);
  jump(latch);
  loops_.pop_back();

  builder_.SetInsertPoint(latch);
  llvm::Value* next =
      builder_.CreateAdd(counter, wide_constant(loop.step), "next", is_unsigned, !is_unsigned);
  counter->addIncoming(next, latch);
  llvm::BranchInst* back =
      builder_.CreateCondBr(builder_.CreateICmp(goes_on, next, end), body, exit);
  if (is_thread_loop) {
    back->setMetadata(llvm::LLVMContext::MD_loop, thread_loop_id(is_rest));
    access_group_ = outer_group;
  }
  builder_.SetInsertPoint(exit);
}

// The thread loop's metadata: accesses of different turns are independent of each other.
llvm::MDNode* Emitter::thread_loop_id(bool is_rest) {
  llvm::SmallVector<llvm::Metadata*, 3> accesses = {
      llvm::MDString::get(context_, "llvm.loop.parallel_accesses"), access_group_};
  if (streaming_group_ != nullptr) accesses.push_back(streaming_group_);
  llvm::SmallVector<llvm::Metadata*, 3> properties = {nullptr,
                                                      llvm::MDNode::get(context_, accesses)};
  if (is_rest) {
    auto* one = llvm::ConstantAsMetadata::get(builder_.getInt32(1));
    auto* name = llvm::MDString::get(context_, "llvm.loop.isvectorized");
    properties.push_back(llvm::MDNode::get(context_, {name, one}));
  }
  llvm::MDNode* id = llvm::MDNode::getDistinct(context_, properties);
  id->replaceOperandWith(0, id);
  return id;
}

// The same where the streamed tensor is written past the caches: first the few turns up to a cache
// line's start, then the rest, whose vector stores are whole aligned parts of lines.
void Emitter::emit_streaming_range(const ir::For& loop, llvm::Value* begin, llvm::Value* end) {
  const ir::Tensor& tensor = *kernel_.streamed;
  const std::int64_t bytes = std::max(1, tensor.dtype.bits / 8);
  llvm::Value* address =
      builder_.CreatePtrToInt(element_address(tensor, begin), builder_.getInt64Ty());
  llvm::Value* missing = builder_.CreateAnd(builder_.CreateNeg(address), kLineBytes - 1);
  llvm::Value* turns = builder_.CreateUDiv(missing, wide_constant(bytes));
  llvm::Value* aligned = builder_.CreateNSWAdd(begin, turns);
  aligned = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, aligned, end);
  emit_range(loop, begin, aligned, /*is_rest=*/true);
  streaming_group_ = llvm::MDNode::getDistinct(context_, {});
  module_.getOrInsertNamedMetadata(kStreamingGroups)->addOperand(streaming_group_);
  emit_range(loop, aligned, end);
  streaming_group_ = nullptr;
  // Such stores are not ordered with those that tell another thread of them.
  if (llvm::Triple(module_.getTargetTriple()).isX86()) {
    builder_.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {}, {});
  } else {
    builder_.CreateFence(llvm::AtomicOrdering::Release);
  }
}

// A loop of `count` turns (int64, maybe 0).
void Emitter::emit_turns(llvm::Value* count, const char* name,
                         const std::function<void(llvm::Value* turn)>& body) {
  llvm::BasicBlock* turn_block = new_block(name);
  llvm::BasicBlock* latch = new_block("turns.next");
  llvm::BasicBlock* exit = new_block("turns.end");
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  builder_.CreateCondBr(builder_.CreateICmpNE(count, wide_constant(0)), turn_block, exit);
  builder_.SetInsertPoint(turn_block);
  llvm::PHINode* turn = builder_.CreatePHI(builder_.getInt64Ty(), 2, "turn");
  turn->addIncoming(wide_constant(0), before);
  loops_.push_back({exit, latch});
  body(turn);
  jump(latch);
  loops_.pop_back();
  builder_.SetInsertPoint(latch);
  llvm::Value* next = builder_.CreateAdd(turn, wide_constant(1), "next", /*HasNUW=*/true);
  turn->addIncoming(next, latch);
  builder_.CreateCondBr(builder_.CreateICmpNE(next, count), turn_block, exit);
  builder_.SetInsertPoint(exit);
}

void Emitter::emit_counted_for(const ir::CountedFor& loop) {
  if (debug_ != nullptr) return emit_debug_counted_for(loop);
  const CountedStart start{emit_wide(*loop.start), emit(*loop.step)};
  llvm::Value* turns = builder_.CreateZExt(emit(*loop.turns), builder_.getInt64Ty());
  emit_turns(turns, "counted.body", [&](llvm::Value* turn) {
    bind_counted_var(loop, start, turn);
    emit_list(loop.body);
  });
}

void Emitter::bind_counted_var(const ir::CountedFor& loop, const CountedStart& start,
                               llvm::Value* turn) {
  llvm::Type* type = type_of(loop.var->dtype);
  ranges_.bind(loop);
  if (ranges_.counts_up(loop)) {
    llvm::Value* step = builder_.CreateSExt(start.step, builder_.getInt64Ty());
    llvm::Value* wide = builder_.CreateNSWAdd(start.wide, builder_.CreateNSWMul(turn, step));
    vars_[loop.var] = {builder_.CreateTrunc(wide, type), wide, {}};
    return;
  }
  // Wrapping arithmetic in the variable's own type: the last increment may leave it.
  llvm::Value* distance = builder_.CreateMul(builder_.CreateTrunc(turn, type), start.step);
  llvm::Value* first = builder_.CreateTrunc(start.wide, type);
  vars_[loop.var] = {builder_.CreateAdd(first, distance), nullptr, {}};
}

void Emitter::emit_while(const ir::While& loop) {
  llvm::BasicBlock* test = new_block("while.test");
  llvm::BasicBlock* body = new_block("while.body");
  llvm::BasicBlock* exit = new_block("while.end");
  builder_.CreateBr(test);
  builder_.SetInsertPoint(test);
  debug_line(loop.condition->span);
  emit_branch(*loop.condition, body, exit);
  builder_.SetInsertPoint(body);
  loops_.push_back({exit, test});
  const ir::Ranges::Mark before = ranges_.mark();
  ranges_.assume(*loop.condition, true);
  const DebugScope scope(debug_.get(), loop.span);
  emit_list(loop.body);
  ranges_.restore(before);
  jump(test);
  loops_.pop_back();
  builder_.SetInsertPoint(exit);
}

// The body of a parallel loop is a function of its own over a range of turns; what it uses of the
// surrounding function comes in an array of words (mutable scalars by address).
void Emitter::emit_parallel_for(const ir::For& loop) {
  llvm::Value* begin = emit_wide(*loop.begin);
  llvm::Value* end = emit_wide(*loop.end);
  llvm::Value* distance =
      loop.step > 0 ? builder_.CreateSub(end, begin) : builder_.CreateSub(begin, end);
  const std::int64_t size = loop.step > 0 ? loop.step : -loop.step;
  llvm::Value* rounded = builder_.CreateAdd(distance, wide_constant(size - 1));
  llvm::Value* count = builder_.CreateSDiv(rounded, wide_constant(size));
  llvm::Value* is_empty = builder_.CreateICmpSLE(distance, wide_constant(0));
  count = builder_.CreateSelect(is_empty, wide_constant(0), count);

  llvm::Type* ptr = builder_.getPtrTy();
  llvm::Type* wide = builder_.getInt64Ty();
  auto* body = llvm::Function::Create(llvm::FunctionType::get(wide, {ptr, wide, wide}, false),
                                      llvm::Function::InternalLinkage, "parallel", module_);
  set_common_attributes(body);
  Outlined outlined;
  outlined.function = body;
  outlined.context = body->getArg(0);
  emit_parallel_body(loop, begin, body, outlined);

  auto* words = llvm::ArrayType::get(wide, std::max<std::size_t>(1, outlined.captured.size()));
  llvm::AllocaInst* context = entry_alloca(words, "context");
  for (unsigned i = 0; i < outlined.captured.size(); ++i) {
    builder_.CreateAlignedStore(outlined.captured[i],
                                builder_.CreateConstInBoundsGEP1_64(wide, context, i),
                                llvm::Align(8));
  }
  llvm::FunctionCallee run = module_.getOrInsertFunction(
      "tirxcc_parallel_for", llvm::FunctionType::get(wide, {ptr, ptr, wide}, false));
  llvm::Value* status = builder_.CreateCall(run, {body, context, count});
  llvm::BasicBlock* failed = new_block("parallel.failed");
  llvm::BasicBlock* passed = new_block("parallel.passed");
  builder_.CreateCondBr(builder_.CreateICmpEQ(status, wide_constant(0)), passed, failed);
  builder_.SetInsertPoint(failed);
  builder_.CreateRet(status);
  builder_.SetInsertPoint(passed);
}

void Emitter::emit_parallel_body(const ir::For& loop, llvm::Value* begin, llvm::Function* function,
                                 Outlined& outlined) {
  const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  llvm::Function* const outer = function_;
  function_ = function;
  outlined_ = &outlined;
  llvm::BasicBlock* entry = llvm::BasicBlock::Create(context_, "entry", function);
  llvm::BasicBlock* start = new_block("start");
  builder_.SetInsertPoint(start);
  llvm::Value* first = function->getArg(1);
  llvm::Value* turns = builder_.CreateSub(function->getArg(2), first);
  emit_turns(turns, "parallel.body", [&](llvm::Value* turn) {
    llvm::Value* index = builder_.CreateAdd(first, turn);
    llvm::Value* offset = builder_.CreateMul(index, wide_constant(loop.step));
    bind_loop_var(loop, builder_.CreateAdd(here(begin), offset));
    emit_list(loop.body);
  });
  builder_.CreateRet(wide_constant(0));
  builder_.SetInsertPoint(entry);
  builder_.CreateBr(start);
  function_ = outer;
  outlined_ = nullptr;
}

// The value in the function being emitted: itself, or loaded from the context of a parallel body.
llvm::Value* Emitter::here(llvm::Value* value) {
  if (outlined_ == nullptr || value == nullptr || llvm::isa<llvm::Constant>(value)) return value;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  const auto* argument = llvm::dyn_cast<llvm::Argument>(value);
  const llvm::Function* owner =
      instruction != nullptr ? instruction->getFunction() : argument->getParent();
  if (owner == outlined_->function) return value;
  llvm::Value*& imported = outlined_->imported[value];
  if (imported == nullptr) {
    llvm::BasicBlock& entry = outlined_->function->getEntryBlock();
    llvm::IRBuilder<> builder(&entry);
    const unsigned index = static_cast<unsigned>(outlined_->captured.size());
    outlined_->captured.push_back(value);
    imported = builder.CreateAlignedLoad(
        value->getType(),
        builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), outlined_->context, index),
        llvm::Align(8));
  }
  return imported;
}

}  // namespace tirxcc::cpu_codegen
