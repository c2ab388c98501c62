// SPDX-License-Identifier: Apache-2.0
//
// From a CpuKernel to an LLVM module: one exported entry that unpacks the argument words, and one
// internal function with the kernel's loops whose pointer parameters carry noalias and alignment.
// Mutable scalars and local arrays become stack slots; LLVM's own passes make registers of them.
//
// The emitter is one class, spread over files by subject: emit_function.cc (entry, parameters),
// emit_stmt.cc, emit_loop.cc, emit_expr.cc (leaves, memory, choice), emit_int.cc, emit_float.cc
// (floats, casts), emit_call.cc (intrinsics), emit_atomic.cc, emit_meeting.cc (what fibers do
// together).
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "abi/cpu_plugin.h"
#include "codegen/llvm/debug_info.h"
#include "ir/cpu_kernel.h"
#include "ir/value_ranges.h"

namespace tirxcc::cpu_codegen {

class Emitter {
 public:
  Emitter(const ir::CpuKernel& kernel, const abi::CpuCompileOptions& options, llvm::Module& module);

  // Fills the module; the entry, whose name is entry_name(kernel) unless that is taken.
  llvm::Function* run();

 private:
  // An integer in all lanes, in 64 bits: base + stride * lane; with `flips`, base + ((start + lane)
  // ^ flips), where start is a multiple of the number of lanes; else a vector.
  struct Index {
    llvm::Value* base = nullptr;
    std::int64_t stride = 0;
    llvm::Value* start = nullptr;
    llvm::Value* flips = nullptr;
    llvm::Value* vector = nullptr;
    bool is_aligned = false;  // base is a multiple of the number of lanes
  };
  // What is known of an expression's Index before it is made.
  struct IndexForm {
    bool is_known = false;   // not a vector
    bool has_lanes = false;  // something in it differs between lanes
    bool is_flipped = false;
    bool is_aligned = false;
    std::int64_t stride = 0;
  };
  // What a Var stands for: its value in its own type and, for integers, in 64 bits as well (null:
  // extend when asked). In lanes, a value that differs is a vector.
  struct Bound {
    llvm::Value* value = nullptr;
    llvm::Value* wide = nullptr;
    Index index = {};
  };
  // A place that lanes jump to, in a loop run in lanes: a loop's end and its next turn, or the end
  // of a block. Lanes that are not all there yet wait in `gone`.
  struct LaneTarget {
    const ir::Label* label = nullptr;  // null: a loop
    llvm::Value* mask = nullptr;       // of the lanes that may jump there by a branch
    llvm::BasicBlock* end = nullptr;
    llvm::BasicBlock* next = nullptr;
    llvm::AllocaInst* gone = nullptr;
    llvm::AllocaInst* gone_to_next = nullptr;
  };
  // A loop in lanes: its test, what a turn begins with, what comes before the next test.
  struct LaneLoopParts {
    std::function<llvm::Value*()> test;
    std::function<void()> enter;
    std::function<void()> step;
  };
  // Loads of neighbouring elements by lanes whose rows are apart: kGroupSize of a row at a time.
  struct LaneGroup {
    const ir::Load* first = nullptr;
    llvm::Value* elements[4] = {};  // of all lanes; null before the first is asked for
    const ir::Load* loads[4] = {};
  };
  // While a thread loop is emitted in lanes.
  struct Lanes {
    unsigned width = 0;
    std::int64_t distance = 1;           // turns from lane to lane
    llvm::Value* mask = nullptr;         // lanes that are under way here (i1); null: all
    bool is_empty = false;               // nobody is: the rest of the list is dead
    llvm::AllocaInst* active = nullptr;  // lanes that have not jumped; -1 or 0
    std::vector<LaneTarget> targets;
    std::unordered_map<const ir::Local*, llvm::AllocaInst*> slots;
    int single_accesses = 0;  // loads and stores of one lane
    std::vector<LaneGroup> groups;
    std::unordered_map<const ir::Tensor*, llvm::AllocaInst*>
        own;  // local arrays: [elements][width]
  };
  struct LoopTargets {
    llvm::BasicBlock* on_break = nullptr;
    llvm::BasicBlock* on_continue = nullptr;
  };
  // The outer function while the body of a parallel loop is emitted into a function of its own.
  struct Outlined {
    llvm::Function* function = nullptr;
    llvm::Value* context = nullptr;
    llvm::DenseMap<llvm::Value*, llvm::Value*> imported;
    std::vector<llvm::Value*> captured;
  };

  // emit_function.cc
  llvm::Function* make_body_function();
  llvm::Function* emit_entry(llvm::Function* body);
  void bind_parameters(llvm::Function* body);
  void set_pointer_attributes(llvm::Function* body, unsigned index, const ir::Tensor& tensor);
  void set_common_attributes(llvm::Function* function) const;
  llvm::Value* load_word(llvm::Value* words, unsigned index, DType type);
  std::vector<const ir::Var*> launch_vars() const;

  // emit_debug.cc; nothing happens without debug information
  void start_debug_info(llvm::Function* body);
  void finish_debug_info();
  void debug_parameters(llvm::Function* body);
  void debug_value(const ir::Var* var, ir::Span span, llvm::Value* value);
  void debug_local(const ir::Local* local, ir::Span span);
  void debug_array(const ir::Tensor& tensor, ir::Span span);
  void debug_view(const ir::View& view, ir::Span span, llvm::Value* pointer);
  llvm::Value* debug_load(const void* thing);
  llvm::AllocaInst* debug_slot(llvm::Value* value, std::string_view name);
  void emit_debug_for(const ir::For& loop);
  void emit_debug_counted_for(const ir::CountedFor& loop);
  void emit_debug_loop(const ir::Stmt& loop, const ir::Var* var, ir::StmtList body,
                       const std::function<llvm::Value*()>& goes_on,
                       const std::function<void()>& advance,
                       const std::function<llvm::Value*()>& value);
  void debug_line(ir::Span span) {
    if (debug_ != nullptr) debug_->locate(builder_, span);
  }
  // Names bound until the end of this object are visible only until there.
  class DebugScope {
   public:
    DebugScope(DebugInfo* debug, ir::Span span) : debug_(debug) {
      if (debug_ != nullptr) debug_->enter(span);
    }
    ~DebugScope() {
      if (debug_ != nullptr) debug_->leave();
    }
    DebugScope(const DebugScope&) = delete;
    DebugScope& operator=(const DebugScope&) = delete;

   private:
    DebugInfo* debug_;
  };

  // emit_stmt.cc
  void emit_list(ir::StmtList list);
  void emit(const ir::Stmt& stmt);
  void emit_let(const ir::Let& let);
  void emit_if(const ir::If& stmt);
  void emit_block(const ir::Block& block);
  void emit_return(const ir::Return& stmt);
  void emit_assert(const ir::Assert& stmt);
  void emit_alloc(const ir::Alloc& alloc);
  void end_block_slots(std::size_t kept);
  llvm::Value* block_memory(const ir::Tensor& tensor, llvm::Type* type);
  llvm::Value* large_memory();
  llvm::Value* place_in_arena(const ir::Tensor& tensor);
  void answer_bytes();
  void set_block_bytes();
  void emit_store(const ir::Store& store);
  void emit_vector_store(const ir::VectorStore& store);
  void emit_lane_store(const ir::LaneStore& store);
  void declare_local(const ir::Local* local);
  llvm::AllocaInst* slot_of(const ir::Local* local);
  bool is_terminated() const { return builder_.GetInsertBlock()->getTerminator() != nullptr; }
  llvm::BasicBlock* new_block(const char* name);
  llvm::AllocaInst* entry_alloca(llvm::Type* type, std::string_view name);
  void jump(llvm::BasicBlock* target);

  // emit_loop.cc
  void emit_for(const ir::For& loop);
  void emit_range(const ir::For& loop, llvm::Value* begin, llvm::Value* end, bool is_rest = false);
  void emit_streaming_range(const ir::For& loop, llvm::Value* begin, llvm::Value* end);
  llvm::MDNode* thread_loop_id(bool is_rest);
  void emit_counted_for(const ir::CountedFor& loop);
  // Start and step of a counted loop, evaluated before its first turn.
  struct CountedStart {
    llvm::Value* wide;
    llvm::Value* step;
  };
  void bind_counted_var(const ir::CountedFor& loop, const CountedStart& start, llvm::Value* turn);
  void emit_while(const ir::While& loop);
  void emit_parallel_for(const ir::For& loop);
  void emit_parallel_body(const ir::For& loop, llvm::Value* begin, llvm::Function* function,
                          Outlined& outlined);
  void emit_turns(llvm::Value* count, const char* name,
                  const std::function<void(llvm::Value* turn)>& body);
  void bind_loop_var(const ir::For& loop, llvm::Value* wide);
  llvm::Value* here(llvm::Value* value);

  // emit_lanes.cc
  const ir::LaneLoop* lane_loop(const ir::For& loop) const;
  unsigned lane_width(const ir::For& loop) const;
  void emit_lane_range(const ir::For& loop, llvm::Value* begin, llvm::Value* end);
  void emit_lane_turns(const ir::For& loop, llvm::Value* begin, llvm::Value* end);
  void emit_lane_turn(const ir::For& loop, unsigned width, llvm::Value* counter, bool is_aligned,
                      std::int64_t distance = 1);
  llvm::Value* emit_far_turns(const ir::For& loop, llvm::Value* begin, llvm::Value* end);
  llvm::MDNode* finished_loop_id();
  void emit_in_lanes(const ir::Stmt& stmt);
  void emit_lane_list(ir::StmtList list);
  bool can_group(const ir::Load& load) const;
  void find_groups(ir::StmtList list);
  void emit_lane_if(const ir::If& stmt);
  void emit_lane_clause(const ir::IfClause& clause, llvm::BasicBlock* end, bool is_rest_light);
  void emit_lane_for(const ir::For& loop);
  void emit_lane_while(const ir::While& loop);
  void emit_lane_counted_for(const ir::CountedFor& loop);
  void emit_lane_loop(ir::StmtList body, bool parts, const LaneLoopParts& loop);
  void emit_lane_block(const ir::Block& block);
  void emit_lane_assert(const ir::Assert& stmt);
  void emit_lane_alloc(const ir::Alloc& alloc);
  void emit_lane_assign(const ir::Assign& stmt);
  void jump_in_lanes(const ir::Label* label, bool to_next_turn);
  void part(llvm::Value* mask, llvm::AllocaInst* gone);
  void rejoin(llvm::AllocaInst* gone);
  llvm::AllocaInst* mask_slot(const char* name, bool is_full);
  llvm::Value* load_mask(llvm::AllocaInst* slot);
  llvm::Value* active_of(llvm::Value* mask);
  llvm::Value* both_masks(llvm::Value* a, llvm::Value* b);
  llvm::Value* any_of(llvm::Value* mask);
  std::optional<std::uint64_t> known_lanes(llvm::Value* mask) const;
  llvm::Value* full_mask();

  // emit_lanes_memory.cc
  IndexForm form_of(const ir::Expr& expr, int& budget);
  IndexForm form_of_binary(const ir::Binary& expr, int& budget);
  bool is_even(const ir::Expr& expr);
  bool differs(const ir::Expr& expr) const;
  Index index_of(const ir::Expr& expr);
  Index index_of_binary(const ir::Binary& expr);
  Index sum_of(const Index& a, const Index& b);
  Index product_of(const Index& a, llvm::Value* factor);
  llvm::Value* vector_of(const Index& index);
  llvm::Value* value_of(const Index& index, DType type);
  Index lane_offset(const ir::Tensor& tensor, ir::ExprList indices, bool is_flat);
  llvm::Value* lane_address(const ir::Tensor& tensor, llvm::Value* offset);
  llvm::Value* load_in_lanes(const ir::Tensor& tensor, const Index& offset);
  llvm::Value* load_neighbours(const ir::Tensor& tensor, llvm::Value* offset);
  llvm::Value* load_across_rows(const ir::Tensor& tensor, std::int64_t place);
  llvm::Value* gather(const ir::Tensor& tensor, const Index& offset);
  llvm::Value* load_grouped(const ir::Load& load);
  void load_group(LaneGroup& group, const Index& offset);
  void store_in_lanes(const ir::Tensor& tensor, const Index& offset, llvm::Value* value);
  void store_neighbours(const ir::Tensor& tensor, llvm::Value* offset, llvm::Value* value);
  void scatter(const ir::Tensor& tensor, const Index& offset, llvm::Value* value);
  void for_active_lanes(const std::function<void(unsigned lane)>& body);
  llvm::Value* permuted(llvm::Value* vector, llvm::Value* flips);
  bool can_permute(const ir::Tensor& tensor, const Index& offset);
  void emit_lane_atomic(const ir::Call& call);
  llvm::Value* lane_of(llvm::Value* value, unsigned lane);
  llvm::Value* safe_offsets(const Index& offset);

  // emit_lanes_values.cc: values that may be vectors.
  bool is_vector(const llvm::Value* value) const { return value->getType()->isVectorTy(); }
  llvm::Type* like(llvm::Type* scalar, const llvm::Value* model) const;
  llvm::Value* spread(llvm::Value* value);
  llvm::Value* steps(llvm::Type* type, std::int64_t stride);
  void match(llvm::SmallVectorImpl<llvm::Value*>& values);
  std::pair<llvm::Value*, llvm::Value*> emit_both(const ir::Expr& a, const ir::Expr& b);
  std::pair<llvm::Value*, llvm::Value*> matched(llvm::Value* a, llvm::Value* b);
  llvm::Value* in_each_lane(llvm::ArrayRef<llvm::Value*> operands,
                            const std::function<llvm::Value*(llvm::ArrayRef<llvm::Value*>)>& f);
  bool is_harmless(const ir::Expr& expr, const ir::Expr& condition);
  bool reads_inside(const ir::Expr& expr);
  llvm::Value* emit_lane_select(const ir::Select& select);
  llvm::Value* emit_lane_logical(const ir::Binary& expr);
  llvm::Value* emit_under(llvm::Value* mask, const ir::Expr& expr);

  // emit_expr.cc
  llvm::Value* emit(const ir::Expr& expr);
  llvm::Value* emit_wide(const ir::Expr& expr);
  void emit_branch(const ir::Expr& condition, llvm::BasicBlock* yes, llvm::BasicBlock* no);
  llvm::Value* emit_var(const ir::VarRef& ref);
  llvm::Value* emit_load(const ir::Load& load);
  llvm::Value* emit_select(const ir::Select& select);
  llvm::Value* emit_logical(const ir::Binary& expr);
  llvm::Value* emit_offset(const ir::Tensor& tensor, ir::ExprList indices, bool is_flat);
  llvm::Value* element_address(const ir::Tensor& tensor, llvm::Value* offset);
  llvm::Value* base_of(const ir::Tensor& tensor);
  llvm::Value* from_memory(llvm::Value* value, DType type);
  llvm::Value* to_memory(llvm::Value* value, DType type);
  llvm::Instruction* mark_access(llvm::Instruction* access, const ir::Tensor& tensor);
  llvm::Value* to_wide(llvm::Value* value, DType type);

  // emit_int.cc
  llvm::Value* emit_int_unary(const ir::Unary& expr);
  llvm::Value* emit_int_binary(const ir::Binary& expr);
  llvm::Value* emit_bool_binary(const ir::Binary& expr);
  llvm::Value* emit_linear(const ir::Binary& expr);
  llvm::Value* emit_division(const ir::Binary& expr);
  llvm::Value* emit_shift(const ir::Binary& expr);
  llvm::Value* emit_comparison(const ir::Binary& expr);

  // emit_float.cc
  llvm::Value* emit_float_unary(const ir::Unary& expr);
  llvm::Value* emit_float_binary(const ir::Binary& expr);
  llvm::Value* float_operation(ir::BinaryOp op, llvm::Value* a, llvm::Value* b);
  llvm::Value* emit_cast(const ir::Cast& cast);
  llvm::Value* emit_bit_cast(llvm::Value* value, DType from, DType to);
  llvm::Value* int_to_float(llvm::Value* value, DType from, DType to);
  llvm::Value* float_to_int(llvm::Value* value, DType from, DType to);
  llvm::Value* float_to_float(llvm::Value* value, DType from, DType to);
  llvm::Value* bfloat_to_float(llvm::Value* bits);
  llvm::Value* float_to_bfloat(llvm::Value* value);
  llvm::Value* double_to_float_odd(llvm::Value* value);
  llvm::Value* is_true(llvm::Value* value, DType type);
  llvm::Constant* float_constant(DType type, double value);

  // emit_call.cc
  llvm::Value* emit_call(const ir::Call& call);
  llvm::Value* emit_special(const ir::Call& call);
  llvm::Value* emit_min_max(const ir::Call& call);
  llvm::Value* emit_abs(const ir::Call& call);
  llvm::Value* emit_sigmoid(const ir::Call& call);
  llvm::Value* emit_exp(llvm::Value* x, bool is_exp2 = false);  // emit_exp.cc
  bool is_own_exp(const llvm::Value* x) const {
    return options_.opt_level > 0 && x->getType()->getScalarType()->isFloatTy();
  }
  llvm::Value* emit_classify(const ir::Call& call);
  llvm::Value* emit_elect(const ir::Call& call);
  llvm::Value* emit_ldexp(const ir::Call& call);
  llvm::Value* emit_fma(const ir::Call& call);
  // emit_atomic.cc
  llvm::Value* emit_atomic(const ir::Call& call);
  llvm::Value* emit_atomic_at(const ir::Call& call, llvm::Value* address, llvm::Value* value);
  llvm::Value* emit_loaded_atomic(const ir::Call& call, llvm::Value* address, llvm::Value* value);
  llvm::Value* atomic_result(const ir::Call& call, llvm::Value* old, llvm::Value* value);
  llvm::Value* emit_exchange_loop(const ir::Call& call, llvm::Value* address, llvm::Value* value);
  llvm::Value* emit_printf(const ir::Call& call);
  // emit_meeting.cc
  llvm::Value* emit_meeting(const ir::Call& call);
  llvm::Value* meet(abi::CpuMeeting kind, llvm::Value* site, llvm::Value* a,
                    llvm::Value* b = nullptr, llvm::Value* c = nullptr);
  llvm::Value* to_word(llvm::Value* value);

  llvm::Value* call_intrinsic(const ir::Call& call, std::string_view name);
  llvm::Value* call_symbol(const ir::Call& call, std::string_view name);
  // The operand in float32 for halves, unchanged otherwise; and back.
  llvm::Value* widen_half(llvm::Value* value, DType type);
  llvm::Value* narrow_half(llvm::Value* value, DType type);

  llvm::Type* type_of(DType type) const;         // as a value: bool is i1
  llvm::Type* memory_type_of(DType type) const;  // bool is i8
  llvm::ConstantInt* wide_constant(std::int64_t value);

  const ir::CpuKernel& kernel_;
  const abi::CpuCompileOptions& options_;
  llvm::Module& module_;
  llvm::LLVMContext& context_;
  llvm::IRBuilder<> builder_;
  ir::Ranges ranges_;
  llvm::Function* function_ = nullptr;  // being emitted
  llvm::Value* result_ = nullptr;       // where a host function puts its result
  std::unordered_map<const ir::Var*, Bound> vars_;
  std::unordered_map<const ir::Local*, llvm::AllocaInst*> locals_;
  std::unordered_map<const ir::Tensor*, llvm::Value*> tensors_;
  std::unordered_map<const ir::Label*, llvm::BasicBlock*> labels_;
  std::vector<LoopTargets> loops_;
  std::unordered_set<const ir::Tensor*> written_;
  std::unordered_set<const ir::Var*> innermost_;    // counters of loops over threads
  std::unordered_set<const ir::Local*> differing_;  // between lanes
  Lanes* lanes_ = nullptr;                          // of the loop being emitted
  std::vector<llvm::AllocaInst*> block_slots_;      // arrays of the block on the stack, alive here
  std::unordered_map<const ir::Assert*, std::int64_t> asserts_;  // their numbers, from 1
  // Memory accesses of different turns of the thread loop do not depend on each other.
  llvm::MDNode* access_group_ = nullptr;
  // The group of the stores that go past the caches; null: none do here.
  llvm::MDNode* streaming_group_ = nullptr;
  Outlined* outlined_ = nullptr;
  std::unique_ptr<DebugInfo> debug_;  // null: none is wanted
  // In code for a debugger: where names (ir::Var) and bases of tensors live.
  std::unordered_map<const void*, llvm::AllocaInst*> debug_slots_;
  std::unordered_map<const ir::Var*, const ir::View*> debug_views_;
  std::unordered_set<const ir::Tensor*> own_arrays_;
  // Where large arrays of the block live: memory of the runtime, and how much of it is given out.
  llvm::Value* block_memory_ = nullptr;
  llvm::ReturnInst* bytes_answer_ = nullptr;  // of fibers, which are given that memory
  std::uint64_t block_bytes_ = 0;
  llvm::GetElementPtrInst* arena_ = nullptr;  // arrays whose size the launch decides; or null
  std::uint64_t stack_bytes_ = 0;
};

// Stores of these access groups start, in the vector loop, at multiples of a cache line.
inline constexpr const char* kStreamingGroups = "tirxcc.streaming";
inline constexpr std::uint64_t kLineBytes = 64;

// Room on both sides of a block's array: one vector, the least that can be.
inline constexpr std::uint64_t kLaneRoomBytes = 64;

// Of the arena of dynamic shared memory: whatever its arrays ask for.
inline constexpr std::uint64_t kArenaAlign = 1024;

// How many nodes of an expression are looked at to find its form in lanes.
inline constexpr int kFormBudget = 96;

// Whether evaluating the expression needlessly is harmless and cheap enough to avoid a branch.
bool can_speculate(const ir::Expr& expr);

// Symbol of the compiled entry.
std::string entry_name(const ir::CpuKernel& kernel);

}  // namespace tirxcc::cpu_codegen
