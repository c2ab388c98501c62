// SPDX-License-Identifier: Apache-2.0
//
// The middle of fission_at_barriers: a kernel's statements become the block's program with regions.
// Names are not yet carried from region to region (replicate_locals.h does it).
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "passes/block_arrays.h"
#include "passes/fission_plan.h"
#include "passes/pass.h"
#include "passes/thread_sets.h"

namespace tirxcc::passes {

// Whether lower_warp_call knows the operation.
bool is_warp_operation(const intrinsics::Intrinsic& row);

class Fission {
 public:
  Fission(const ir::Kernel& kernel, const FissionPlan& plan, BlockArrays& arrays,
          PassContext& context);

  // The block's statements, without the arrays' allocations.
  std::vector<const ir::Stmt*> run();
  // Where threads that are not here are heading; null: all always are.
  const ir::Tensor* heading() const { return heading_; }
  // Labels of the regions in them, in order.
  const std::vector<const ir::Label*>& regions() const { return regions_; }
  bool is_region(const ir::Label* label) const { return known_regions_.contains(label); }
  // Whether a barrier of the block may be between this region and the one before it.
  bool is_behind_barrier(const ir::Label* label) const { return behind_barriers_.contains(label); }
  // A loop of the block over its warps, whose turns need only what the warp itself has done.
  bool is_warp_loop(const ir::Stmt* stmt) const { return warp_loops_.contains(stmt); }
  // Of a statement whose regions only some warps run, one after another (a loop over their numbers,
  // or a list that begins with the number of one): the variable for the number; else null.
  const ir::Var* warp_of(const ir::Stmt* stmt) const {
    const auto found = warp_parts_.find(stmt);
    return found == warp_parts_.end() ? nullptr : found->second;
  }

 private:
  friend class JumpTranslator;
  friend class SyncExtractor;
  using Stmts = std::vector<const ir::Stmt*>;
  // Where some threads may be heading now: numbers as in array `heading`.
  using Headings = std::vector<std::int64_t>;

  void lower(ir::StmtList list);
  bool lower_one(const ir::Stmt& stmt);
  void lower_leaf(const ir::Stmt& stmt);
  void lower_barrier(const ir::Call& call);
  void note_meeting(const ir::Call& call, bool is_watched);
  void lower_if(const ir::If& stmt);
  void lower_uneven_if(const ir::If& stmt);
  void lower_for(const ir::For& loop);
  void lower_while(const ir::While& loop);
  void lower_uneven_for(const ir::For& loop);
  template <typename Loop>
  void lower_native_loop(const Loop& loop);
  void lower_counted_for(const ir::CountedFor& loop);
  void lower_uneven_while(const ir::Stmt& loop, const ir::Expr* condition, const Stmts& first,
                          ir::StmtList body, const Stmts& last);
  void lower_block(const ir::Block& block);
  bool lower_jump(const ir::Stmt& jump);
  // The statements of a list as the block's, on their own.
  Stmts lowered(ir::StmtList list);
  Stmts loop_body(const ir::Stmt& loop, ir::StmtList body);
  void end_loop(const ir::Stmt& loop);

  // Adds a thread's statement to the region being filled; ends the region.
  void add(const ir::Stmt* stmt);
  void flush();
  void emit(const ir::Stmt* stmt) { out_.push_back(stmt); }
  const ir::Label* region_label();

  // Threads that are heading somewhere.
  std::int64_t heading_of(JumpTarget target);
  std::int64_t new_heading() { return next_heading_++; }
  const ir::Tensor* heading_array();
  const ir::Stmt* head_for(std::int64_t heading, ir::Span span);
  const ir::Expr* is_heading(ir::BinaryOp op, std::int64_t heading, ir::Span span);
  void note_heading(std::int64_t heading);
  void arrive(std::int64_t heading, ir::Span span);
  void arrive_at(JumpTarget target, ir::Span span);
  // Statements that count the threads that are here, and the count.
  const ir::Expr* count_threads(ir::BinaryOp op, std::int64_t heading, ir::Span span);
  void emit_if_any(ir::Span span, const Stmts& body);

  // fission_warp_if.cc
  struct Part {
    ThreadSet threads;
    ir::StmtList body;
    const ir::Expr* guard = nullptr;  // null: whole warps run the body
  };
  bool lower_warp_if(const ir::If& stmt);
  bool lower_rest_by_warps(const ir::Stmt& stmt, ir::StmtList rest);
  std::optional<std::vector<Part>> split(const ir::If& stmt, const ThreadSet& among);
  bool runs_by_warps(const Part& part);
  bool runs_by_warps(ir::StmtList list, const Part& part);
  void lower_part(const Part& part, ir::Span span);
  ir::StmtList if_in(std::uint32_t warps, const Stmts& body, ir::Span span);
  const ir::Expr* guard() const;

  // fission_warp.cc
  const ir::Expr* lower_warp_call(const ir::Call& call);
  const ir::Expr* extract(const ir::Expr* expr);
  void extract(const ir::Stmt& stmt);
  const ir::Expr* lower_block_vote(const ir::Call& call);
  const ir::Expr* lower_shuffle(const ir::Call& call);
  const ir::Expr* lower_known_shift(const ir::Call& call);
  void vote_by_warps(const ir::Tensor* words, const std::string& number, const ir::Expr* predicate,
                     ir::Span span);
  void watch_lanes(const ir::Call& call);
  const ir::Expr* lower_vote(const ir::Call& call);
  const ir::Expr* lower_reduction(const ir::Call& call);
  const ir::Expr* elect(const ir::Call& call);
  const ir::Expr* ballot(const ir::Expr* predicate, ir::Span span);
  const ir::Expr* lane(ir::Span span);
  const ir::Expr* word(std::int64_t value, ir::Span span) {
    return build_.int_imm(kUInt32, value, span);
  }

  ir::StmtList one(const ir::Stmt* stmt) { return context_.arena.copy({stmt}); }
  const ir::Expr* i32(std::int64_t value, ir::Span span) {
    return build_.int_imm(kInt32, value, span);
  }

  const ir::Kernel& kernel_;
  const FissionPlan& plan_;
  BlockArrays& arrays_;
  PassContext& context_;
  ir::Builder build_;
  Stmts out_;     // of the block
  Stmts region_;  // of a thread
  const ir::Label* region_label_ = nullptr;
  bool region_is_guarded_ = false;
  std::vector<const ir::Label*> regions_;
  std::unordered_set<const ir::Label*> known_regions_;
  std::unordered_set<const ir::Label*> behind_barriers_;
  std::unordered_set<const ir::Stmt*> warp_loops_;
  bool is_behind_barrier_ = false;  // the region being filled
  // Inside what only some warps run: the number of the warp, its threads, and what tells them where
  // they are not all of its lanes.
  std::unordered_map<const ir::Stmt*, const ir::Var*> warp_parts_;
  ThreadSets thread_sets_;
  const ir::Var* warp_ = nullptr;
  ThreadSet here_;
  std::vector<const ir::Expr*> guards_;
  const ir::Label* block_end_ = nullptr;
  Headings headings_;                                         // of threads that may be under way
  std::unordered_map<const void*, std::int64_t> targets_[2];  // behind a place, to its next turn
  std::int64_t next_heading_ = 2;                             // 0: here, 1: the thread has ended
  const ir::Tensor* heading_ = nullptr;
  int names_ = 0;
};

}  // namespace tirxcc::passes
