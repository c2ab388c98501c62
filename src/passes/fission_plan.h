// SPDX-License-Identifier: Apache-2.0
//
// What fission_at_barriers knows before it begins: which statements the block runs as a whole
// (because a barrier, a warp operation or a jump to such a place is inside), and which values are
// the same in all threads and can be had without running a thread ("even").
//
//   s = 128                         even: a scalar of the block
//   while s > 0:                    block level, native: its condition is even
//     if t < s: S[t] += S[t + s]    of the threads
//     T.cuda.cta_sync()
//     s = s // 2
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/ir.h"
#include "ir/uniformity.h"
#include "passes/cpu_facts.h"

namespace tirxcc::passes {

// Where a jump goes: a loop (behind it, or to its next turn), a label's end, or (null) the thread's
// end.
struct JumpTarget {
  const void* place = nullptr;
  bool to_next_turn = false;
  friend bool operator==(const JumpTarget&, const JumpTarget&) = default;
};

class FissionPlan {
 public:
  explicit FissionPlan(const ir::Kernel& kernel);

  // Whether the kernel needs fission at all.
  bool is_needed() const { return is_needed_; }
  bool is_block_level(const ir::Stmt* stmt) const { return block_level_.contains(stmt); }
  // A block-level if or loop whose conditions and bounds are even.
  bool is_native(const ir::Stmt* stmt) const;
  // A jump that all threads take together, out of native statements only.
  bool is_native_jump(const ir::Stmt* jump) const { return native_jumps_.contains(jump); }
  // A mutable scalar that the block has once.
  bool is_block_local(const ir::Local* local) const { return block_locals_.contains(local); }
  // A named value that the block computes once.
  bool is_even_let(const ir::Let& let) const { return even_vars_.contains(let.var); }
  JumpTarget target_of(const ir::Stmt* jump) const { return jumps_.at(jump).target; }
  // Whether some threads may leave the loop (a block-level one) while others go on, and the places
  // that they go to.
  std::vector<JumpTarget> uneven_exits(const ir::Stmt* loop) const;
  bool is_block_jump(const ir::Stmt* stmt) const { return jumps_.contains(stmt); }

  // Writes down what the block runs as a whole, what threads decide for themselves, and why.
  void describe(const ir::Kernel& kernel, CpuFacts& facts) const;

  // Whether the expression has an operation for which threads come together.
  static bool has_sync(const ir::Expr& expr);

 private:
  struct Jump {
    JumpTarget target;
    std::vector<const ir::Stmt*> loops;  // block-level loops that it leaves
  };

  bool find_sync(ir::StmtList list);
  void find_jumps(ir::StmtList list);
  void note_jump(const ir::Stmt* jump, JumpTarget target);
  void raise_uniform_jumps();
  void find_candidates(const ir::Kernel& kernel);
  bool settle(ir::StmtList list);
  bool settle_one(const ir::Stmt& stmt);
  void find_native_jumps();
  // The first part of the expression that is not even; null if all of it is.
  const ir::Expr* uneven_part(const ir::Expr& expr, bool loads) const;
  bool is_uneven_leaf(const ir::Expr& expr, bool loads) const;
  void refuse(const ir::Local* local, UnevenCause::Kind why, ir::Span span);
  std::vector<UnevenCause> why_uneven(const ir::Stmt& stmt) const;
  bool may_load(const ir::Stmt& stmt) const;
  bool is_in_block_list(const ir::Stmt* stmt) const;

  ir::UniformityAnalysis uniformity_;
  bool is_needed_ = false;
  bool has_uneven_jumps_ = false;
  std::unordered_set<const ir::Stmt*> block_level_;
  std::unordered_set<const ir::Stmt*> native_;
  std::unordered_set<const ir::Stmt*> native_jumps_;
  std::unordered_set<const ir::Local*> block_locals_;
  std::unordered_set<const ir::Var*> even_vars_;
  // Why a name, scalar or statement is not even: a part of what it is made of, or (null) what the
  // cause says.
  struct Uneven {
    UnevenCause::Kind kind;
    ir::Span span;
    const ir::Expr* part = nullptr;
  };
  std::unordered_map<const void*, Uneven> uneven_;
  std::unordered_map<const ir::Stmt*, const ir::Stmt*> parents_;
  std::unordered_map<const ir::Stmt*, Jump> jumps_;
  std::vector<const ir::Stmt*> jump_order_;                                    // as in the source
  std::unordered_map<const ir::Stmt*, std::vector<JumpTarget>> uneven_exits_;  // of loops
  std::vector<const ir::Stmt*> open_;  // during walks: enclosing statements
};

}  // namespace tirxcc::passes
