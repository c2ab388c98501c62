// SPDX-License-Identifier: Apache-2.0
//
// Statements but loops. A list ends at the first statement that leaves it: what follows is dead.
#include <llvm/IR/MDBuilder.h>

#include "codegen/llvm/emit.h"
#include "ir/builder.h"

namespace tirxcc::cpu_codegen {

llvm::BasicBlock* Emitter::new_block(const char* name) {
  return llvm::BasicBlock::Create(context_, name, function_);
}

void Emitter::jump(llvm::BasicBlock* target) {
  if (!is_terminated()) builder_.CreateBr(target);
}

llvm::AllocaInst* Emitter::entry_alloca(llvm::Type* type, std::string_view name) {
  llvm::BasicBlock& entry = function_->getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.begin());
  return builder.CreateAlloca(type, nullptr, llvm::StringRef(name.data(), name.size()));
}

void Emitter::emit_list(ir::StmtList list) {
  if (lanes_ != nullptr) return emit_lane_list(list);
  for (const ir::Stmt* stmt : list) {
    if (is_terminated()) return;
    emit(*stmt);
  }
}

void Emitter::emit(const ir::Stmt& stmt) {
  debug_line(stmt.span);
  if (lanes_ != nullptr) return emit_in_lanes(stmt);
  ir::visit(stmt, Overloaded{
                      [&](const ir::Let& s) { emit_let(s); },
                      [&](const ir::DeclareLocal& s) { declare_local(s.local); },
                      [&](const ir::Assign& s) {
                        llvm::Value* value = emit(*s.value);
                        builder_.CreateStore(to_memory(value, s.local->dtype),
                                             here(slot_of(s.local)));
                      },
                      [&](const ir::Store& s) { emit_store(s); },
                      [&](const ir::VectorStore& s) { emit_vector_store(s); },
                      [&](const ir::LaneStore& s) { emit_lane_store(s); },
                      [&](const ir::Evaluate& s) { emit(*s.value); },
                      [&](const ir::Alloc& s) { emit_alloc(s); },
                      [&](const ir::If& s) { emit_if(s); },
                      [&](const ir::For& s) { emit_for(s); },
                      [&](const ir::CountedFor& s) { emit_counted_for(s); },
                      [&](const ir::While& s) { emit_while(s); },
                      [&](const ir::Break&) { jump(loops_.back().on_break); },
                      [&](const ir::Continue&) { jump(loops_.back().on_continue); },
                      [&](const ir::Block& s) { emit_block(s); },
                      [&](const ir::Leave& s) { jump(labels_.at(s.label)); },
                      [&](const ir::ThreadReturn&) {
                        TIRXCC_CHECK(false, "thread_loops left a ThreadReturn in {}",
                                     kernel_.kernel->name);
                      },
                      [&](const ir::Return& s) { emit_return(s); },
                      [&](const ir::Assert& s) { emit_assert(s); },
                      [&](const ir::Launch&) {
                        TIRXCC_CHECK(false, "a Launch inside kernel {}", kernel_.kernel->name);
                      },
                  });
}

void Emitter::emit_let(const ir::Let& let) {
  Bound bound;
  if (let.var->dtype.is_int() && !ir::has_no_effect(let.value)) {
    // Atomics happen once.
    bound.value = emit(*let.value);
    bound.wide = to_wide(bound.value, let.var->dtype);
    ranges_.bind(let);
    vars_[let.var] = bound;
    debug_value(let.var, let.span, bound.value);
    return;
  }
  if (lanes_ != nullptr && let.var->dtype.is_int()) {
    const auto* cast = ir::as<ir::Cast>(let.value);
    const bool is_plain = ranges_.is_given(let.var) && cast != nullptr && cast->a->dtype == kInt64;
    int budget = kFormBudget;
    const ir::Expr& value = is_plain ? *cast->a : *let.value;
    const IndexForm form = form_of(value, budget);
    if (form.is_known && form.has_lanes) {
      bound.index = index_of(value);
      bound.value = value_of(bound.index, let.var->dtype);
    } else {
      bound.value = emit(*let.value);
    }
    ranges_.bind(let);
    if (!is_vector(bound.value)) bound.wide = to_wide(bound.value, let.var->dtype);
    vars_[let.var] = bound;
    return;
  }
  if (let.var->dtype.is_int()) {
    // Where the pass vouches for the value, it does so before the cast to the narrow type.
    const auto* cast = ir::as<ir::Cast>(let.value);
    const bool is_plain = ranges_.is_given(let.var) && cast != nullptr && cast->a->dtype == kInt64;
    bound.wide = emit_wide(is_plain ? *cast->a : *let.value);
    ranges_.bind(let);
  }
  bound.value = emit(*let.value);
  vars_[let.var] = bound;
  debug_value(let.var, let.span, bound.value);
}

void Emitter::declare_local(const ir::Local* local) {
  // Fresh and uninitialised each time. A definite value (0) keeps a read before a write from being
  // undefined behaviour for the optimiser, and from depending on the turn before.
  llvm::AllocaInst* slot = slot_of(local);
  builder_.CreateStore(llvm::Constant::getNullValue(slot->getAllocatedType()), here(slot));
  debug_local(local, local->span);
}

llvm::AllocaInst* Emitter::slot_of(const ir::Local* local) {
  if (lanes_ != nullptr && differing_.contains(local)) {
    llvm::AllocaInst*& lanes = lanes_->slots[local];
    if (lanes == nullptr) {
      llvm::Type* element = memory_type_of(local->dtype);
      lanes = entry_alloca(llvm::FixedVectorType::get(element, lanes_->width), local->name);
    }
    return lanes;
  }
  llvm::AllocaInst*& slot = locals_[local];
  if (slot == nullptr) slot = entry_alloca(memory_type_of(local->dtype), local->name);
  return slot;
}

void Emitter::emit_alloc(const ir::Alloc& alloc) {
  const ir::Tensor& tensor = *alloc.tensor;
  if (ir::is_sized_at_launch(tensor)) {
    tensors_[&tensor] = place_in_arena(tensor);
    debug_array(tensor, alloc.span);
    return;
  }
  std::uint64_t elements = 1;
  for (const ir::Expr* extent : tensor.shape) {
    const auto* imm = ir::as<ir::IntImm>(extent);
    TIRXCC_CHECK(imm != nullptr, "local array {} of a run-time size", tensor.name);
    elements *= static_cast<std::uint64_t>(std::max<std::int64_t>(1, imm->value));
  }
  auto* type = llvm::ArrayType::get(memory_type_of(tensor.dtype), elements);
  if (tensor.scope != ir::Scope::Local) {
    tensors_[&tensor] = block_memory(tensor, type);  // contents are undefined
    debug_array(tensor, alloc.span);
    return;
  }
  llvm::AllocaInst* slot = entry_alloca(type, tensor.name);
  if (tensor.align > 0) slot->setAlignment(llvm::Align(static_cast<std::uint64_t>(tensor.align)));
  tensors_[&tensor] = slot;
  debug_array(tensor, alloc.span);
  // Small arrays start as zeros for the reason given in declare_local; the optimiser drops stores
  // that the kernel overwrites.
  constexpr std::uint64_t kZeroedBytes = 512;
  const std::uint64_t bytes = module_.getDataLayout().getTypeAllocSize(type);
  if (bytes <= kZeroedBytes) {
    builder_.CreateMemSet(slot, builder_.getInt8(0), bytes, slot->getAlign());
  }
}

// What is in these arrays is of no use any more: stores that nobody has read are none.
void Emitter::end_block_slots(std::size_t kept) {
  for (; block_slots_.size() > kept; block_slots_.pop_back()) {
    if (!is_terminated()) builder_.CreateLifetimeEnd(block_slots_.back());
  }
}

// An array of the block: on the stack while the sum is small, for LLVM knows such memory best; else
// in memory that the runtime keeps for each of its threads.
llvm::Value* Emitter::block_memory(const ir::Tensor& tensor, llvm::Type* type) {
  constexpr std::uint64_t kMostStackBytes = 192 << 10;
  const std::uint64_t align = std::max<std::uint64_t>(kLineBytes, std::max(0, tensor.align));
  // Lanes that are not under way may read and write back what is beside an array.
  const std::uint64_t room = kernel_.lane_loops.empty() ? 0 : kLaneRoomBytes;
  const std::uint64_t bytes =
      llvm::alignTo(module_.getDataLayout().getTypeAllocSize(type).getFixedValue(), align) +
      2 * llvm::alignTo(room, align);
  if (stack_bytes_ + bytes <= kMostStackBytes && !kernel_.is_fibers) {
    stack_bytes_ += bytes;
    llvm::Type* whole = llvm::ArrayType::get(builder_.getInt8Ty(), bytes);
    llvm::AllocaInst* slot = entry_alloca(room == 0 ? type : whole, tensor.name);
    slot->setAlignment(llvm::Align(align));
    builder_.CreateLifetimeStart(slot);
    block_slots_.push_back(slot);
    if (room == 0) return slot;
    llvm::IRBuilder<> builder(&function_->getEntryBlock());
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), slot,
                                              llvm::alignTo(room, align));
  }
  llvm::IRBuilder<> builder(&function_->getEntryBlock());
  llvm::Value* memory = large_memory();
  block_bytes_ = llvm::alignTo(block_bytes_, align);
  llvm::Value* place = builder.CreateConstInBoundsGEP1_64(
      builder.getInt8Ty(), memory, block_bytes_ + llvm::alignTo(room, align));
  block_bytes_ += bytes;
  return place;
}

// How much it must be is known at the end: set_block_bytes.
llvm::Value* Emitter::large_memory() {
  if (block_memory_ != nullptr) return block_memory_;
  if (kernel_.is_fibers) return block_memory_ = result_;
  llvm::IRBuilder<> builder(&function_->getEntryBlock());
  llvm::FunctionCallee get = module_.getOrInsertFunction(
      "tirxcc_block_memory",
      llvm::FunctionType::get(builder.getPtrTy(), {builder.getInt64Ty()}, false));
  llvm::CallInst* call = builder.CreateCall(get, {wide_constant(0)});
  call->addRetAttr(llvm::Attribute::NoAlias);
  call->addRetAttr(llvm::Attribute::getWithAlignment(context_, llvm::Align(4096)));
  return block_memory_ = call;
}

// Arrays whose size the launch decides lie in one arena behind all others, at the offsets that sema
// gave them.
llvm::Value* Emitter::place_in_arena(const ir::Tensor& tensor) {
  if (arena_ == nullptr) {
    llvm::IRBuilder<> builder(&function_->getEntryBlock());
    arena_ = llvm::GetElementPtrInst::CreateInBounds(builder.getInt8Ty(), large_memory(),
                                                     {wide_constant(0)}, "arena");
    builder.Insert(arena_);
  }
  return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), arena_, emit_wide(*tensor.elem_offset));
}

// A fiber's program with a negative thread tells how many bytes the arrays of its block have.
void Emitter::answer_bytes() {
  llvm::BasicBlock* ask = new_block("bytes");
  llvm::BasicBlock* run = new_block("run");
  llvm::Value* thread = vars_.at(kernel_.last_block).value;
  builder_.CreateCondBr(builder_.CreateICmpSLT(thread, wide_constant(0)), ask, run);
  bytes_answer_ = llvm::ReturnInst::Create(context_, wide_constant(0), ask);
  builder_.SetInsertPoint(run);
}

void Emitter::set_block_bytes() {
  if (block_memory_ == nullptr) return;
  std::uint64_t bytes = block_bytes_;
  llvm::Value* all = nullptr;
  if (arena_ != nullptr) {
    const std::uint64_t room = kernel_.lane_loops.empty() ? 0 : kArenaAlign;
    bytes = llvm::alignTo(bytes, kArenaAlign) + room;
    arena_->setOperand(1, wide_constant(static_cast<std::int64_t>(bytes)));
    llvm::Instruction* user = bytes_answer_;
    if (user == nullptr) user = llvm::cast<llvm::CallInst>(block_memory_);
    llvm::IRBuilder<> builder(user);
    all = builder.CreateAdd(vars_.at(kernel_.shared_bytes).value,
                            wide_constant(static_cast<std::int64_t>(bytes + room)));
  } else {
    all = wide_constant(static_cast<std::int64_t>(bytes));
  }
  if (bytes_answer_ != nullptr) {
    bytes_answer_->setOperand(0, all);
  } else {
    llvm::cast<llvm::CallInst>(block_memory_)->setArgOperand(0, all);
  }
}

void Emitter::emit_store(const ir::Store& store) {
  llvm::Value* offset = emit_offset(*store.tensor, store.indices, store.is_flat);
  llvm::Value* value = emit(*store.value);
  llvm::Value* address = element_address(*store.tensor, offset);
  const llvm::Align align(static_cast<std::uint64_t>(std::max(1, store.tensor->dtype.bits / 8)));
  mark_access(builder_.CreateAlignedStore(to_memory(value, store.tensor->dtype), address, align),
              *store.tensor);
}

void Emitter::emit_vector_store(const ir::VectorStore& store) {
  llvm::Value* address = element_address(*store.tensor, emit_wide(*store.offset));
  llvm::AllocaInst* slot = slot_of(store.vector);
  llvm::Value* value = builder_.CreateLoad(slot->getAllocatedType(), here(slot));
  const llvm::Align align(static_cast<std::uint64_t>(std::max(1, store.tensor->dtype.bits / 8)));
  mark_access(builder_.CreateAlignedStore(value, address, align), *store.tensor);
}

void Emitter::emit_lane_store(const ir::LaneStore& store) {
  llvm::AllocaInst* slot = slot_of(store.vector);
  llvm::Value* lane = to_memory(emit(*store.value), store.vector->dtype.lane());
  llvm::Value* vector = builder_.CreateLoad(slot->getAllocatedType(), here(slot));
  builder_.CreateStore(
      builder_.CreateInsertElement(vector, lane, static_cast<std::uint64_t>(store.lane)),
      here(slot));
}

void Emitter::emit_if(const ir::If& stmt) {
  llvm::BasicBlock* end = new_block("if.end");
  const ir::Ranges::Mark outer = ranges_.mark();
  for (const ir::IfClause& clause : stmt.clauses) {
    llvm::BasicBlock* yes = new_block("if.then");
    llvm::BasicBlock* no = new_block("if.else");
    debug_line(clause.condition->span);
    emit_branch(*clause.condition, yes, no);
    builder_.SetInsertPoint(yes);
    const DebugScope scope(debug_.get(), clause.span);
    const ir::Ranges::Mark before = ranges_.mark();
    ranges_.assume(*clause.condition, true);
    emit_list(clause.body);
    jump(end);
    ranges_.restore(before);
    builder_.SetInsertPoint(no);
    ranges_.assume(*clause.condition, false);
  }
  const DebugScope scope(debug_.get(), stmt.span);
  emit_list(stmt.else_body);
  jump(end);
  ranges_.restore(outer);
  builder_.SetInsertPoint(end);
}

void Emitter::emit_block(const ir::Block& block) {
  if (block.label == nullptr) return emit_list(block.body);
  llvm::BasicBlock* end = new_block("block.end");
  labels_[block.label] = end;
  const DebugScope scope(debug_.get(), block.span);
  emit_list(block.body);
  jump(end);
  builder_.SetInsertPoint(end);
}

void Emitter::emit_return(const ir::Return& stmt) {
  if (stmt.value != nullptr) {
    const DType type = stmt.value->dtype;
    llvm::Value* value = to_memory(emit(*stmt.value), type);
    if (type.is_int_or_bool() && type.bits < 64) {
      value = type.is_signed_int() ? builder_.CreateSExt(value, builder_.getInt64Ty())
                                   : builder_.CreateZExt(value, builder_.getInt64Ty());
    }
    builder_.CreateAlignedStore(value, result_, llvm::Align(8));
  }
  builder_.CreateRet(wide_constant(0));
}

void Emitter::emit_assert(const ir::Assert& stmt) {
  llvm::BasicBlock* passed = new_block("assert.passed");
  llvm::BasicBlock* failed = new_block("assert.failed");
  emit_branch(*stmt.condition, passed, failed);
  builder_.SetInsertPoint(failed);
  builder_.CreateRet(wide_constant(asserts_.at(&stmt)));
  builder_.SetInsertPoint(passed);
}

}  // namespace tirxcc::cpu_codegen
