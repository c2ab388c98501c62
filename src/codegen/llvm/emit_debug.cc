// SPDX-License-Identifier: Apache-2.0
//
// Code for debuggers: every name of the kernel file has a place in memory, from which the code
// reads it too, so that a debugger may change it. Nothing lives in registers from one block of code
// to the next: the moves for that would belong to no line, and stepping would stop at wrong ones.
#include "codegen/llvm/emit.h"

namespace tirxcc::cpu_codegen {

void Emitter::start_debug_info(llvm::Function* body) {
  if (options_.debug_sources == nullptr) return;
  const ir::Kernel& kernel = *kernel_.kernel;
  debug_ = std::make_unique<DebugInfo>(module_, kernel, *options_.debug_sources);
  debug_->begin_function(*body, kernel.name, kernel.span);
  debug_line(kernel.span);
  for (const ir::View& view : kernel_.views)
    debug_views_[view.pointer] = &view;
  own_arrays_.insert(kernel_.own_arrays.begin(), kernel_.own_arrays.end());
}

void Emitter::finish_debug_info() {
  if (debug_ == nullptr) return;
  builder_.SetCurrentDebugLocation(llvm::DebugLoc());
  debug_->finish();
}

llvm::AllocaInst* Emitter::debug_slot(llvm::Value* value, std::string_view name) {
  llvm::AllocaInst* slot = entry_alloca(value->getType(), name);
  builder_.CreateStore(value, slot);
  return slot;
}

llvm::Value* Emitter::debug_load(const void* thing) {
  if (debug_ == nullptr) return nullptr;
  const auto found = debug_slots_.find(thing);
  if (found == debug_slots_.end()) return nullptr;
  return builder_.CreateLoad(found->second->getAllocatedType(), found->second);
}

void Emitter::debug_parameters(llvm::Function* body) {
  if (debug_ == nullptr) return;
  unsigned number = 0;
  const auto keep = [&](const void* thing, std::string_view name, DType dtype) {
    llvm::Value* value = to_memory(body->getArg(number++), dtype);
    return debug_slots_[thing] = debug_slot(value, name);
  };
  const auto declare = [&](const void* thing, std::string_view name, llvm::DIType* type,
                           ir::Span span, DType dtype) {
    llvm::AllocaInst* slot = keep(thing, name, dtype);
    debug_->declare_parameter(builder_, slot, name, type, span, number);
  };
  for (const ir::Param& param : kernel_.kernel->params) {
    if (param.tensor != nullptr) {
      declare(param.tensor, param.tensor->name, debug_->pointer_to(param.tensor->dtype),
              param.tensor->span, kHandle);
    }
    if (param.var != nullptr) {
      declare(param.var, param.name, debug_->scalar(param.var->dtype), param.var->span,
              param.var->dtype);
    }
  }
  for (const ir::Var* symbol : kernel_.symbols())
    declare(symbol, symbol->name, debug_->scalar(symbol->dtype), symbol->span, symbol->dtype);
  for (const ir::Var* var : launch_vars()) {
    if (var != nullptr) keep(var, var->name, kInt64);
  }
}

void Emitter::debug_value(const ir::Var* var, ir::Span span, llvm::Value* value) {
  if (debug_ == nullptr) return;
  const auto view = debug_views_.find(var);
  if (view != debug_views_.end()) return debug_view(*view->second, span, value);
  llvm::AllocaInst* slot = debug_slot(to_memory(value, var->dtype), var->name);
  debug_slots_[var] = slot;
  // The loops over blocks and threads count on their own; the kernel's indices are made of them.
  if (var->kind == ir::VarKind::Loop && var->span == kernel_.kernel->span) return;
  const bool is_pointer = var->dtype.code == TypeCode::Handle && !var->pointee.type.is_void();
  debug_->declare(builder_, slot, var->name,
                  is_pointer ? debug_->pointer_to(var->pointee.type) : debug_->scalar(var->dtype),
                  span);
}

void Emitter::debug_view(const ir::View& view, ir::Span span, llvm::Value* pointer) {
  llvm::AllocaInst* slot = entry_alloca(pointer->getType(), view.name);
  builder_.CreateStore(pointer, slot);
  llvm::DIType* type =
      view.array != nullptr ? debug_->array(*view.array) : debug_->scalar(view.dtype);
  debug_->declare(builder_, slot, view.name, type, span, /*is_reference=*/true);
}

void Emitter::debug_local(const ir::Local* local, ir::Span span) {
  if (debug_ == nullptr || !local->dtype.is_scalar()) return;
  debug_->declare(builder_, slot_of(local), local->name, debug_->scalar(local->dtype), span);
}

void Emitter::debug_array(const ir::Tensor& tensor, ir::Span span) {
  if (debug_ == nullptr) return;
  llvm::Value* memory = tensors_.at(&tensor);
  const bool is_slot = llvm::isa<llvm::AllocaInst>(memory);
  if (!is_slot) debug_slots_[&tensor] = debug_slot(memory, tensor.name);
  if (own_arrays_.contains(&tensor)) return;
  debug_->declare(builder_, is_slot ? memory : debug_slots_[&tensor], tensor.name,
                  debug_->array(tensor), span, !is_slot);
}

// The variable gets its next value at the end of a turn, on the line of the loop.
void Emitter::emit_debug_loop(const ir::Stmt& loop, const ir::Var* var, ir::StmtList body,
                              const std::function<llvm::Value*()>& goes_on,
                              const std::function<void()>& advance,
                              const std::function<llvm::Value*()>& value) {
  llvm::BasicBlock* test = new_block("for.test");
  llvm::BasicBlock* turn = new_block("for.body");
  llvm::BasicBlock* latch = new_block("for.next");
  llvm::BasicBlock* exit = new_block("for.end");
  const DebugScope scope(debug_.get(), loop.span);
  debug_value(var, loop.span, value());
  vars_[var] = {};
  builder_.CreateBr(test);
  builder_.SetInsertPoint(test);
  builder_.CreateCondBr(goes_on(), turn, exit);
  builder_.SetInsertPoint(turn);
  loops_.push_back({exit, latch});
  emit_list(body);
  jump(latch);
  loops_.pop_back();
  builder_.SetInsertPoint(latch);
  debug_line(loop.span);
  advance();
  builder_.CreateStore(to_memory(value(), var->dtype), debug_slots_.at(var));
  builder_.CreateBr(test);
  builder_.SetInsertPoint(exit);
}

void Emitter::emit_debug_for(const ir::For& loop) {
  llvm::AllocaInst* counter = debug_slot(emit_wide(*loop.begin), "counter");
  llvm::AllocaInst* end = debug_slot(emit_wide(*loop.end), "end");
  const auto load = [&](llvm::AllocaInst* slot) {
    return builder_.CreateLoad(builder_.getInt64Ty(), slot);
  };
  const bool is_unsigned = loop.var->dtype == kUInt64;
  ranges_.bind(loop);
  emit_debug_loop(
      loop, loop.var, loop.body,
      [&] {
        llvm::Value* a = load(loop.step > 0 ? counter : end);
        llvm::Value* b = load(loop.step > 0 ? end : counter);
        return is_unsigned ? builder_.CreateICmpULT(a, b) : builder_.CreateICmpSLT(a, b);
      },
      [&] {
        builder_.CreateStore(builder_.CreateAdd(load(counter), wide_constant(loop.step)), counter);
      },
      [&] { return builder_.CreateTrunc(load(counter), type_of(loop.var->dtype)); });
}

void Emitter::emit_debug_counted_for(const ir::CountedFor& loop) {
  llvm::AllocaInst* start = debug_slot(emit(*loop.start), "start");
  llvm::AllocaInst* step = debug_slot(emit(*loop.step), "step");
  llvm::AllocaInst* turns =
      debug_slot(builder_.CreateZExt(emit(*loop.turns), builder_.getInt64Ty()), "turns");
  llvm::AllocaInst* turn = debug_slot(wide_constant(0), "turn");
  const auto load = [&](llvm::AllocaInst* slot) {
    return builder_.CreateLoad(slot->getAllocatedType(), slot);
  };
  emit_debug_loop(
      loop, loop.var, loop.body, [&] { return builder_.CreateICmpNE(load(turn), load(turns)); },
      [&] { builder_.CreateStore(builder_.CreateAdd(load(turn), wide_constant(1)), turn); },
      [&] {
        llvm::Value* number = builder_.CreateTrunc(load(turn), type_of(loop.var->dtype));
        return builder_.CreateAdd(load(start), builder_.CreateMul(number, load(step)));
      });
}

}  // namespace tirxcc::cpu_codegen
