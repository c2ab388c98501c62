// SPDX-License-Identifier: Apache-2.0
//
// Thread loops in lanes: so many neighbouring threads run in step, each statement once for all of
// them. Where threads part, a mask says which lanes are under way; a part that no lane takes is
// jumped over. Lanes that have jumped (break, continue, leave) are taken out of `active` and wait
// in the mask of the place that they jumped to, until the others get there.
//
//   while lo < hi:       head: here = entered & active; goes = lo < hi (a vector)
//     ...                      active &= ~(here & ~goes); who is in here & goes? nobody: end
//                        body: the statements, under here & goes
//                        end:  active |= those that waited here
// The masks themselves are in emit_lanes_masks.cc.
#include "abi/plan.h"
#include "codegen/llvm/emit.h"
#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::cpu_codegen {
namespace {

bool is_loop(const ir::Stmt& stmt) {
  return ir::is<ir::For>(&stmt) || ir::is<ir::CountedFor>(&stmt) || ir::is<ir::While>(&stmt);
}

// Whether a jump inside the statement leaves it.
bool lets_out(const ir::Stmt& whole) {
  std::unordered_set<const ir::Label*> inside;
  int loops = 0;
  bool found = false;
  const ir::Stmt* one[] = {&whole};
  ir::walk_stmts(
      ir::StmtList(one),
      [&](const ir::Stmt& stmt) {
        if (is_loop(stmt)) ++loops;
        if (const auto* block = ir::as<ir::Block>(&stmt)) inside.insert(block->label);
        const auto* leave = ir::as<ir::Leave>(&stmt);
        found |= leave != nullptr && !inside.contains(leave->label);
        found |= loops == 0 && (ir::is<ir::Break>(&stmt) || ir::is<ir::Continue>(&stmt));
      },
      [&](const ir::Stmt& stmt) {
        if (is_loop(stmt)) --loops;
      });
  return found;
}

// A few assignments that are not worth a branch.
bool is_cheap(ir::StmtList list) {
  constexpr std::size_t kMost = 4;
  if (list.size() > kMost) return false;
  for (const ir::Stmt* stmt : list) {
    const auto* assign = ir::as<ir::Assign>(stmt);
    const auto* let = ir::as<ir::Let>(stmt);
    const ir::Expr* value = assign != nullptr ? assign->value
                            : let != nullptr  ? let->value
                                              : nullptr;
    if (value == nullptr || !can_speculate(*value)) return false;
  }
  return true;
}

bool is_assignment(const ir::Stmt& stmt) {
  return ir::is<ir::Assign>(&stmt) || ir::is<ir::Let>(&stmt) || ir::is<ir::DeclareLocal>(&stmt);
}

bool has_choice(const ir::Expr& expr) {
  return ir::any_expr(expr, [](const ir::Expr& e) {
    const auto* binary = ir::as<ir::Binary>(&e);
    return ir::is<ir::Select>(&e) || (binary != nullptr && ir::is_logical(binary->op));
  });
}

// How many elements the second load is behind the first in the same row; 0 if that does not show.
std::int64_t steps_between(const ir::Load& first, const ir::Load& second) {
  if (first.tensor != second.tensor) return 0;
  const std::size_t last = first.indices.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    if (!ir::equal(first.indices[i], second.indices[i])) return 0;
  }
  const auto split = [](const ir::Expr* index) {
    const auto* sum = ir::as<ir::Binary>(index);
    const ir::IntImm* offset =
        sum != nullptr && sum->op == ir::BinaryOp::Add ? ir::as_int(sum->b) : nullptr;
    return offset != nullptr ? std::pair(sum->a, offset->value) : std::pair(index, std::int64_t{0});
  };
  const auto [a, a_offset] = split(first.indices[last]);
  const auto [b, b_offset] = split(second.indices[last]);
  return ir::equal(a, b) ? b_offset - a_offset : 0;
}

}  // namespace

// Null where the loop does not run in lanes.
const ir::LaneLoop* Emitter::lane_loop(const ir::For& loop) const {
  if (lanes_ != nullptr || options_.opt_level == 0) return nullptr;
  for (const ir::LaneLoop& known : kernel_.lane_loops) {
    if (known.counter == loop.var) return &known;
  }
  return nullptr;
}

unsigned Emitter::lane_width(const ir::For& loop) const {
  const ir::LaneLoop* const known = lane_loop(loop);
  return known == nullptr ? 0 : static_cast<unsigned>(known->width);
}

// Whole vectors of turns in lanes, then the rest one by one.
void Emitter::emit_lane_range(const ir::For& loop, llvm::Value* begin, llvm::Value* end) {
  const std::int64_t width = lane_width(loop);
  const auto* first = llvm::dyn_cast<llvm::ConstantInt>(begin);
  const auto* last = llvm::dyn_cast<llvm::ConstantInt>(end);
  if (first != nullptr && last != nullptr) {
    const std::int64_t low = first->getSExtValue();
    const std::int64_t count = std::max<std::int64_t>(0, last->getSExtValue() - low);
    const std::int64_t middle = low + count / width * width;
    if (middle > low) emit_lane_turns(loop, begin, wide_constant(middle));
    if (count % width != 0) emit_range(loop, wide_constant(middle), end, /*is_rest=*/true);
    return;
  }
  if (options_.non_temporal && lane_loop(loop)->distance > 1) {
    begin = emit_far_turns(loop, begin, end);
  }
  llvm::Value* count = builder_.CreateSub(end, begin);
  count = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, count, wide_constant(0));
  llvm::Value* whole = builder_.CreateAnd(count, wide_constant(-width));
  llvm::Value* middle = builder_.CreateAdd(begin, whole);
  emit_lane_turns(loop, begin, middle);
  emit_range(loop, middle, end, /*is_rest=*/true);
}

// Turns whose lanes are `distance` turns apart, as many as fill whole rounds of that; returns where
// the rest begins. A processor reads ahead in pages, so eight of them at once come faster than one
// after another.
llvm::Value* Emitter::emit_far_turns(const ir::For& loop, llvm::Value* begin, llvm::Value* end) {
  const std::int64_t distance = lane_loop(loop)->distance;
  llvm::Value* round = wide_constant(distance * lane_width(loop));
  llvm::Value* count = builder_.CreateSub(end, begin);
  count = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, count, wide_constant(0));
  llvm::Value* rounds = builder_.CreateUDiv(count, round);
  emit_turns(rounds, "far.rounds", [&](llvm::Value* turn) {
    llvm::Value* first = builder_.CreateNSWAdd(begin, builder_.CreateNSWMul(turn, round));
    emit_turns(wide_constant(distance), "far.lanes", [&](llvm::Value* place) {
      emit_lane_turn(loop, lane_width(loop), builder_.CreateNSWAdd(first, place),
                     /*is_aligned=*/false, distance);
    });
  });
  return builder_.CreateNSWAdd(begin, builder_.CreateNSWMul(rounds, round));
}

// One vector of turns, from `counter` on, so many turns from lane to lane.
void Emitter::emit_lane_turn(const ir::For& loop, unsigned width, llvm::Value* counter,
                             bool is_aligned, std::int64_t distance) {
  const bool is_straight = lane_loop(loop)->is_straight;
  Lanes lanes;
  lanes.width = width;
  lanes.distance = distance;
  lanes_ = &lanes;
  // Without jumps nobody asks for it.
  if (!is_straight) lanes.active = mask_slot("active", /*is_full=*/true);
  ranges_.bind(loop);
  Bound bound;
  bound.index.base = counter;
  bound.index.stride = distance;
  bound.index.is_aligned = is_aligned;
  bound.value = value_of(bound.index, loop.var->dtype);
  vars_[loop.var] = bound;
  emit_lane_list(loop.body);
  lanes_ = nullptr;
}

void Emitter::emit_lane_turns(const ir::For& loop, llvm::Value* begin, llvm::Value* end) {
  const unsigned width = lane_width(loop);
  const auto* first = llvm::dyn_cast<llvm::ConstantInt>(begin);
  const auto* last = llvm::dyn_cast<llvm::ConstantInt>(end);
  const bool is_aligned = first != nullptr && first->getSExtValue() % width == 0;
  if (first != nullptr && last != nullptr && lane_loop(loop)->is_straight) {
    for (std::int64_t at = first->getSExtValue(); at < last->getSExtValue(); at += width)
      emit_lane_turn(loop, width, wide_constant(at), is_aligned);
    return;
  }
  llvm::BasicBlock* body = new_block("lanes.body");
  llvm::BasicBlock* exit = new_block("lanes.end");
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  builder_.CreateCondBr(builder_.CreateICmpSLT(begin, end), body, exit);
  builder_.SetInsertPoint(body);
  llvm::PHINode* counter = builder_.CreatePHI(builder_.getInt64Ty(), 2, "counter");
  counter->addIncoming(begin, before);
  emit_lane_turn(loop, width, counter, is_aligned);
  llvm::Value* next = builder_.CreateNSWAdd(counter, wide_constant(width), "next");
  counter->addIncoming(next, builder_.GetInsertBlock());
  llvm::BranchInst* back = builder_.CreateCondBr(builder_.CreateICmpSLT(next, end), body, exit);
  back->setMetadata(llvm::LLVMContext::MD_loop, finished_loop_id());
  builder_.SetInsertPoint(exit);
}

void Emitter::emit_in_lanes(const ir::Stmt& stmt) {
  ir::visit(stmt, Overloaded{
                      [&](const ir::Let& s) { emit_let(s); },
                      [&](const ir::DeclareLocal& s) { declare_local(s.local); },
                      [&](const ir::Assign& s) { emit_lane_assign(s); },
                      [&](const ir::Store& s) {
                        const Index place = lane_offset(*s.tensor, s.indices, s.is_flat);
                        store_in_lanes(*s.tensor, place,
                                       to_memory(emit(*s.value), s.tensor->dtype));
                      },
                      [&](const ir::Evaluate& s) {
                        const auto* call = ir::as<ir::Call>(s.value);
                        if (call != nullptr && call->callee->effect == intrinsics::Effect::Atomic) {
                          return emit_lane_atomic(*call);
                        }
                        emit(*s.value);
                      },
                      [&](const ir::Alloc& s) { emit_lane_alloc(s); },
                      [&](const ir::If& s) { emit_lane_if(s); },
                      [&](const ir::For& s) { emit_lane_for(s); },
                      [&](const ir::CountedFor& s) { emit_lane_counted_for(s); },
                      [&](const ir::While& s) { emit_lane_while(s); },
                      [&](const ir::Break&) { jump_in_lanes(nullptr, false); },
                      [&](const ir::Continue&) { jump_in_lanes(nullptr, true); },
                      [&](const ir::Block& s) { emit_lane_block(s); },
                      [&](const ir::Leave& s) { jump_in_lanes(s.label, false); },
                      [&](const ir::Assert& s) { emit_lane_assert(s); },
                      [&](const auto&) {
                        TIRXCC_CHECK(false, "vectorize_threads let a statement pass in {}",
                                     kernel_.kernel->name);
                      },
                  });
}

// Loads whose place shows: of a tensor that the kernel only reads, at names that stay.
bool Emitter::can_group(const ir::Load& load) const {
  const ir::Tensor& tensor = *load.tensor;
  if (tensor.dtype != kFloat32 || tensor.scope != ir::Scope::Global || load.is_flat ||
      !tensor.strides.empty() || load.indices.empty() || written_.contains(&tensor) ||
      tensor.escapes) {
    return false;
  }
  return llvm::none_of(load.indices, [](const ir::Expr* index) {
    return ir::any_expr(*index, [](const ir::Expr& e) {
      return ir::is<ir::Load>(&e) || ir::is<ir::LocalRead>(&e) || ir::is<ir::Call>(&e);
    });
  });
}

// Finds, in the assignments that a list begins with, loads whose last indices are e, e + 1, e + 2
// and e + 3.
void Emitter::find_groups(ir::StmtList list) {
  lanes_->groups.clear();
  constexpr unsigned kWidth = 8;
  const bool may_overlap = (options_.variant & abi::kAlias) != 0;
  if (lanes_->mask != nullptr || lanes_->width != kWidth || may_overlap) return;
  constexpr std::size_t kMostLoads = 64;
  std::vector<const ir::Load*> loads;
  for (const ir::Stmt* stmt : list) {
    if (!is_assignment(*stmt) || loads.size() > kMostLoads) break;
    ir::for_each_operand(*stmt, [&](const ir::Expr& expr) {
      // A choice may not want what it reads.
      if (has_choice(expr)) return;
      ir::walk_exprs(expr, [&](const ir::Expr& e) {
        const auto* load = ir::as<ir::Load>(&e);
        if (load != nullptr && can_group(*load)) loads.push_back(load);
      });
    });
  }
  if (loads.size() < 4) return;
  for (const ir::Load* first : loads) {
    LaneGroup group{.first = first, .loads = {first}};
    for (const ir::Load* load : loads) {
      const std::int64_t step = steps_between(*first, *load);
      if (step > 0 && step < 4) group.loads[step] = load;
    }
    if (group.loads[1] && group.loads[2] && group.loads[3]) lanes_->groups.push_back(group);
  }
}

// After a statement from which lanes may have jumped away, the rest is for those still here.
void Emitter::emit_lane_list(ir::StmtList list) {
  find_groups(list);
  llvm::Value* const entered = lanes_->mask;
  llvm::BasicBlock* end = nullptr;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (is_terminated() || lanes_->is_empty) break;
    emit_in_lanes(*list[i]);
    // What a group has loaded does not reach into or past other blocks.
    if (!is_assignment(*list[i])) lanes_->groups.clear();
    if (i + 1 == list.size() || is_terminated() || lanes_->is_empty || !lets_out(*list[i]))
      continue;
    if (end == nullptr) end = new_block("list.end");
    llvm::BasicBlock* rest = new_block("list.rest");
    lanes_->mask = active_of(lanes_->mask);
    builder_.CreateCondBr(any_of(lanes_->mask), rest, end);
    builder_.SetInsertPoint(rest);
  }
  if (end != nullptr) {
    jump(end);
    builder_.SetInsertPoint(end);
    lanes_->is_empty = false;
  }
  lanes_->mask = entered;
}

// --- statements

void Emitter::emit_lane_assign(const ir::Assign& stmt) {
  llvm::Value* value = to_memory(emit(*stmt.value), stmt.local->dtype);
  llvm::AllocaInst* slot = slot_of(stmt.local);
  llvm::Type* type = slot->getAllocatedType();
  if (!type->isVectorTy()) {
    TIRXCC_CHECK(!is_vector(value), "{} differs between lanes", stmt.local->name);
    builder_.CreateStore(value, slot);
    return;
  }
  value = spread(value);
  if (lanes_->mask != nullptr) {
    value = builder_.CreateSelect(lanes_->mask, value, builder_.CreateLoad(type, slot));
  }
  builder_.CreateStore(value, slot);
}

void Emitter::emit_lane_alloc(const ir::Alloc& alloc) {
  const ir::Tensor& tensor = *alloc.tensor;
  std::uint64_t elements = 1;
  for (const ir::Expr* extent : tensor.shape)
    elements *= static_cast<std::uint64_t>(std::max<std::int64_t>(1, ir::as_int(extent)->value));
  auto* type = llvm::ArrayType::get(
      llvm::FixedVectorType::get(memory_type_of(tensor.dtype), lanes_->width), elements);
  llvm::AllocaInst* slot = entry_alloca(type, tensor.name);
  slot->setAlignment(llvm::Align(kLineBytes));
  lanes_->own[&tensor] = slot;
  // As in emit_alloc.
  constexpr std::uint64_t kZeroedBytes = 4096;
  const std::uint64_t bytes = module_.getDataLayout().getTypeAllocSize(type);
  if (bytes <= kZeroedBytes) {
    builder_.CreateMemSet(slot, builder_.getInt8(0), bytes, slot->getAlign());
  }
}

void Emitter::emit_lane_if(const ir::If& stmt) {
  llvm::Value* const entered = lanes_->mask;
  llvm::BasicBlock* end = new_block("if.end");
  const ir::Ranges::Mark outer = ranges_.mark();
  for (std::size_t i = 0; i < stmt.clauses.size(); ++i) {
    // Whether what is left may run although no lane is there.
    bool is_light = is_cheap(stmt.else_body);
    for (std::size_t k = i + 1; k < stmt.clauses.size(); ++k) {
      is_light =
          is_light && can_speculate(*stmt.clauses[k].condition) && is_cheap(stmt.clauses[k].body);
    }
    emit_lane_clause(stmt.clauses[i], end, is_light);
    ranges_.assume(*stmt.clauses[i].condition, false);
  }
  emit_lane_list(stmt.else_body);
  lanes_->is_empty = false;
  jump(end);
  ranges_.restore(outer);
  builder_.SetInsertPoint(end);
  lanes_->mask = entered;
}

// One condition and its statements; goes on, under the mask of the others, where they go.
void Emitter::emit_lane_clause(const ir::IfClause& clause, llvm::BasicBlock* end,
                               bool is_rest_light) {
  llvm::Value* condition = emit(*clause.condition);
  const ir::Ranges::Mark before = ranges_.mark();
  ranges_.assume(*clause.condition, true);
  llvm::Value* const mask = lanes_->mask;
  const bool differs = is_vector(condition);
  bool is_plain = differs && is_cheap(clause.body);
  llvm::Value* rest = mask;
  if (differs) {
    rest = both_masks(mask, builder_.CreateNot(condition));
    lanes_->mask = both_masks(mask, condition);
    const auto known = known_lanes(lanes_->mask);
    if (known && *known == 0) {
      lanes_->mask = rest;
      return ranges_.restore(before);
    }
    is_plain = is_plain || known;
  }
  llvm::BasicBlock* no = new_block("if.else");
  if (!is_plain) {
    llvm::BasicBlock* yes = new_block("if.then");
    builder_.CreateCondBr(differs ? any_of(lanes_->mask) : condition, yes, no);
    builder_.SetInsertPoint(yes);
  }
  emit_lane_list(clause.body);
  lanes_->is_empty = false;
  jump(differs ? no : end);
  builder_.SetInsertPoint(no);
  ranges_.restore(before);
  lanes_->mask = rest;
  if (differs && !is_rest_light) {
    llvm::BasicBlock* others = new_block("if.others");
    builder_.CreateCondBr(any_of(rest), others, end);
    builder_.SetInsertPoint(others);
  }
}

void Emitter::emit_lane_block(const ir::Block& block) {
  if (block.label == nullptr) return emit_lane_list(block.body);
  LaneTarget target;
  target.label = block.label;
  target.mask = lanes_->mask;
  target.end = new_block("block.end");
  target.gone = mask_slot("gone", /*is_full=*/false);
  llvm::BasicBlock* const end = target.end;
  llvm::AllocaInst* const gone = target.gone;
  lanes_->targets.push_back(target);
  emit_lane_list(block.body);
  lanes_->targets.pop_back();
  lanes_->is_empty = false;
  jump(end);
  builder_.SetInsertPoint(end);
  rejoin(gone);
}

void Emitter::emit_lane_assert(const ir::Assert& stmt) {
  llvm::BasicBlock* passed = new_block("assert.passed");
  llvm::BasicBlock* failed = new_block("assert.failed");
  llvm::Value* condition = emit(*stmt.condition);
  llvm::Value* fails = builder_.CreateNot(condition);
  if (is_vector(fails)) fails = any_of(both_masks(lanes_->mask, fails));
  builder_.CreateCondBr(fails, failed, passed);
  builder_.SetInsertPoint(failed);
  builder_.CreateRet(wide_constant(asserts_.at(&stmt)));
  builder_.SetInsertPoint(passed);
}

}  // namespace tirxcc::cpu_codegen
