// SPDX-License-Identifier: Apache-2.0
//
// See vectorize_threads.h. A loop is walked until no more names turn out to differ between lanes;
// what cannot be done in lanes ends the walk.
#include "passes/vectorize_threads.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/traverse.h"
#include "passes/cpu_facts.h"
#include "passes/straight_loops.h"

namespace tirxcc::passes {

bool commutes(const ir::Call& call) {
  constexpr std::string_view kNames[] = {"cuda.atomic_add", "cuda.atomic_sub", "cuda.atomic_and",
                                         "cuda.atomic_or",  "cuda.atomic_xor", "cuda.atomic_max",
                                         "cuda.atomic_min"};
  return call.dtype.is_int() &&
         std::find(std::begin(kNames), std::end(kNames), call.callee->name) != std::end(kNames);
}

namespace {

using NoLanes = CpuFacts::NoLanes;
using ir::Expr;
using ir::Stmt;
using ir::StmtList;

constexpr int kMostNodes = 4000;
// Of one thread's local arrays.
constexpr std::int64_t kMostLocalBytes = 4096;
constexpr std::int32_t kLanes = 8;
// Of memory, in bytes: what the processor reads ahead in.
constexpr std::int64_t kPage = 4096;

bool is_pointer(DType type) {
  return type.code == TypeCode::Handle;
}

class LoopInLanes {
 public:
  explicit LoopInLanes(const ir::For& loop) : loop_(loop) {}

  bool can_run() {
    do {
      changed_ = false;
      nodes_ = 0;
      targets_.clear();
      row_bytes_ = 0;
      walk(loop_.body, 0);
    } while (changed_ && can_);
    if (!has_control_ && !has_neighbours_ && is_scattered_) {
      refuse(NoLanes::Scattered, place_.is_valid() ? place_ : loop_.span);
    }
    return can_;
  }
  CpuFacts::LaneRefusal refusal() const { return refusal_; }
  const std::unordered_set<const ir::Local*>& differing() const { return differing_locals_; }
  // Narrow elements in straight-line code fill a vector register by more lanes.
  std::int32_t width() const {
    if (has_control_ || has_loop_ || widest_ >= 32) return kLanes;
    return widest_ >= 16 ? 2 * kLanes : 4 * kLanes;
  }

  // Of the row that each turn walks along by itself; 0 if there is none, or not only such.
  std::int64_t row_bytes() const { return std::max<std::int64_t>(0, row_bytes_); }

 private:
  struct Target {
    const void* place;  // a loop (break or continue) or a label
    const Stmt* stmt;
    int depth;  // of divergence inside it
  };

  void refuse(NoLanes why, ir::Span span) {
    if (can_) refusal_ = {why, span};
    can_ = false;
  }

  void walk(StmtList list, int depth) {
    for (const Stmt* stmt : list) {
      if (!can_) return;
      if (++nodes_ > kMostNodes) return refuse(NoLanes::Large, loop_.span);
      walk_one(*stmt, depth);
    }
  }

  void walk_one(const Stmt& stmt, int depth) {
    if (const auto* let = ir::as<ir::Let>(&stmt)) {
      if (is_pointer(let->var->dtype)) return refuse(NoLanes::Pointer, stmt.span);
      if (differs(*let->value)) note(differing_, let->var);
      int budget = 64;
      strides_[let->var] = let->var->dtype.is_int() ? stride_of(*let->value, budget) : kFar;
    } else if (const auto* declare = ir::as<ir::DeclareLocal>(&stmt)) {
      if (!declare->local->dtype.is_scalar() || declare->local->address_taken) {
        return refuse(NoLanes::Pointer, stmt.span);
      }
      declared_[declare->local] = depth;
    } else if (const auto* assign = ir::as<ir::Assign>(&stmt)) {
      walk_assign(*assign, depth);
    } else if (const auto* store = ir::as<ir::Store>(&stmt)) {
      note_place(*store->tensor, store->indices);
      for (const Expr* index : store->indices)
        differs(*index);
      differs(*store->value);
    } else if (const auto* evaluate = ir::as<ir::Evaluate>(&stmt)) {
      walk_call(*evaluate->value);
    } else if (const auto* alloc = ir::as<ir::Alloc>(&stmt)) {
      walk_alloc(*alloc->tensor);
    } else if (const auto* branch = ir::as<ir::If>(&stmt)) {
      walk_if(*branch, depth);
    } else if (const auto* loop = ir::as<ir::For>(&stmt)) {
      const bool differ = differs(*loop->begin) | differs(*loop->end);
      if (differ) note(differing_, loop->var);
      walk_loop(stmt, loop->body, depth, differ);
    } else if (const auto* counted = ir::as<ir::CountedFor>(&stmt)) {
      if (differs(*counted->start) | differs(*counted->step) | differs(*counted->turns)) {
        return refuse(NoLanes::Step, stmt.span);
      }
      walk_loop(stmt, counted->body, depth, false);
    } else if (const auto* repeated = ir::as<ir::While>(&stmt)) {
      walk_loop(stmt, repeated->body, depth, differs(*repeated->condition));
    } else if (ir::is<ir::Break>(&stmt) || ir::is<ir::Continue>(&stmt)) {
      jump(nullptr, depth);
    } else if (const auto* leave = ir::as<ir::Leave>(&stmt)) {
      jump(leave->label, depth);
    } else if (const auto* block = ir::as<ir::Block>(&stmt)) {
      walk_block(*block, depth);
    } else if (const auto* assertion = ir::as<ir::Assert>(&stmt)) {
      differs(*assertion->condition);
    } else {
      refuse(NoLanes::Other, stmt.span);
    }
  }

  void walk_assign(const ir::Assign& assign, int depth) {
    const auto declared = declared_.find(assign.local);
    // Of several threads, or in a tail.
    if (declared == declared_.end()) return refuse(NoLanes::Scalar, assign.span);
    if (differs(*assign.value) || depth > declared->second) note(differing_locals_, assign.local);
  }

  void walk_alloc(const ir::Tensor& tensor) {
    std::int64_t bytes = std::max<std::int64_t>(8, tensor.dtype.bits) / 8;
    for (const Expr* extent : tensor.shape) {
      const ir::IntImm* size = ir::as_int(extent);
      if (size == nullptr) return refuse(NoLanes::Memory, tensor.span);
      bytes *= std::max<std::int64_t>(1, size->value);
      if (bytes > kMostLocalBytes) return refuse(NoLanes::Memory, tensor.span);
    }
    if (tensor.scope != ir::Scope::Local || !tensor.strides.empty()) {
      return refuse(NoLanes::Other, tensor.span);
    }
    own_.insert(&tensor);
  }

  void walk_if(const ir::If& branch, int depth) {
    has_control_ = true;
    int inner = depth;
    for (const ir::IfClause& clause : branch.clauses) {
      if (differs(*clause.condition)) inner = depth + 1;
      walk(clause.body, inner);
    }
    walk(branch.else_body, inner);
  }

  void walk_loop(const Stmt& loop, StmtList body, int depth, bool differ) {
    has_control_ = has_control_ || differ;
    has_loop_ = true;
    const int inner = depth + (differ || parting_.contains(&loop) ? 1 : 0);
    targets_.push_back({nullptr, &loop, inner});
    ++loops_;
    walk(body, inner);
    --loops_;
    targets_.pop_back();
  }

  void walk_block(const ir::Block& block, int depth) {
    if (block.label == nullptr) return walk(block.body, depth);
    has_control_ = true;
    const int inner = depth + (parting_.contains(&block) ? 1 : 0);
    targets_.push_back({block.label, &block, inner});
    walk(block.body, inner);
    targets_.pop_back();
  }

  // Lanes part at a jump that not all of those in its target take: then they do in all that the
  // target holds, and in all that is between.
  void jump(const void* place, int depth) {
    has_control_ = true;
    for (std::size_t i = targets_.size(); i-- > 0;) {
      if (depth > targets_[i].depth) {
        for (std::size_t k = i; k < targets_.size(); ++k)
          note(parting_, targets_[k].stmt);
      }
      if (targets_[i].place == place) return;
    }
    refuse(NoLanes::Other, loop_.span);
  }

  // A pure value nobody uses, or an atomic.
  void walk_call(const Expr& expr) {
    const auto* call = ir::as<ir::Call>(&expr);
    if (call == nullptr || call->callee->effect != intrinsics::Effect::Atomic) {
      differs(expr);
      return;
    }
    const auto* address = ir::as<ir::AddressOf>(call->args[0]);
    if (address == nullptr) return refuse(NoLanes::Pointer, call->span);
    if (!commutes(*call) || own_.contains(address->tensor)) {
      return refuse(NoLanes::Order, call->span);
    }
    note_tensor(*address->tensor);
    for (const Expr* index : address->indices)
      differs(*index);
    differs(*call->args[1]);
  }

  // From lane to lane, as far as it shows: kFar stands for anything that is not 0 or 1.
  static constexpr std::int64_t kFar = 1 << 20;
  std::int64_t stride_of(const Expr& expr, int& budget) {
    if (--budget < 0) return kFar;
    if (const auto* ref = ir::as<ir::VarRef>(&expr)) {
      if (ref->var == loop_.var) return 1;
      const auto found = strides_.find(ref->var);
      if (found != strides_.end()) return found->second;
      return differing_.contains(ref->var) ? kFar : 0;
    }
    if (const auto* cast = ir::as<ir::Cast>(&expr)) return stride_of(*cast->a, budget);
    const auto* node = ir::as<ir::Binary>(&expr);
    if (node == nullptr) return differs(expr) ? kFar : 0;
    const std::int64_t a = stride_of(*node->a, budget);
    const std::int64_t b = stride_of(*node->b, budget);
    if (a == 0 && b == 0) return 0;
    if (node->op == ir::BinaryOp::Add && a + b == 1) return 1;
    if (node->op == ir::BinaryOp::Sub && a - b == 1) return 1;
    const ir::IntImm* imm = ir::as_int(node->b);
    if (imm == nullptr || a != 1) return kFar;
    if (node->op == ir::BinaryOp::ShiftRight && imm->value >= 3) return 0;
    const bool is_row = (imm->value & (kLanes - 1)) == kLanes - 1;
    if (node->op == ir::BinaryOp::BitAnd && is_row) return 1;
    return node->op == ir::BinaryOp::BitXor ? 1 : kFar;
  }

  // Whether neighbouring lanes are at neighbouring elements of global memory, or all at one.
  void note_place(const ir::Tensor& tensor, ir::ExprList indices) {
    note_tensor(tensor);
    if (tensor.scope != ir::Scope::Global || indices.empty()) return;
    bool is_near = true;
    bool is_same = true;
    bool is_in_row = indices.size() == 2;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      int budget = 64;
      const std::int64_t stride = stride_of(*indices[i], budget);
      is_near = is_near && (stride == 0 || (stride == 1 && i + 1 == indices.size()));
      is_same = is_same && stride == 0;
      is_in_row = is_in_row && stride == (i == 0 ? 1 : 0);
    }
    (is_near ? has_neighbours_ : is_scattered_) = true;
    if (!is_near && !place_.is_valid()) {
      place_ = {indices.front()->span.begin, indices.back()->span.end};
    }
    if (loops_ > 0 && !is_same) note_row(tensor, is_in_row);
  }
  void note_row(const ir::Tensor& tensor, bool is_in_row) {
    constexpr std::int64_t kNone = -1;
    const bool is_plain = is_in_row && tensor.strides.empty() && tensor.elem_offset == nullptr;
    const ir::IntImm* length = is_plain ? ir::as_int(tensor.shape[1]) : nullptr;
    const std::int64_t bytes = length == nullptr ? 0 : length->value * tensor.dtype.bits / 8;
    // One row of several lines, of which a page holds more than one.
    constexpr std::int64_t kLine = 64;
    const bool is_known = bytes >= kLine && bytes <= kPage / 2;
    row_bytes_ = is_known && (row_bytes_ == 0 || row_bytes_ == bytes) ? bytes : kNone;
  }

  void note_tensor(const ir::Tensor& tensor) {
    widest_ = std::max<std::int32_t>(widest_, tensor.dtype.bits);
    if (!tensor.dtype.is_scalar() || is_pointer(tensor.dtype)) {
      refuse(NoLanes::Pointer, tensor.span);
    }
  }

  // Whether the value differs between lanes.
  bool differs(const Expr& expr) {
    if (!can_) return false;
    if (++nodes_ > kMostNodes) {
      refuse(NoLanes::Large, loop_.span);
      return false;
    }
    // An operation without a value, such as printf, is looked at as the call that it is.
    if (!ir::is<ir::Call>(&expr) && (!expr.dtype.is_scalar() || is_pointer(expr.dtype))) {
      refuse(NoLanes::Pointer, expr.span);
      return false;
    }
    bool result = false;
    if (const auto* ref = ir::as<ir::VarRef>(&expr)) {
      result = ref->var == loop_.var || differing_.contains(ref->var);
    } else if (const auto* read = ir::as<ir::LocalRead>(&expr)) {
      result = differing_locals_.contains(read->local);
    } else if (const auto* load = ir::as<ir::Load>(&expr)) {
      note_place(*load->tensor, load->indices);
      result = own_.contains(load->tensor) || layout_differs(*load->tensor);
    } else if (const auto* call = ir::as<ir::Call>(&expr)) {
      if (call->callee->effect != intrinsics::Effect::Pure ||
          call->callee->convergence != intrinsics::Convergence::Thread) {
        refuse(NoLanes::Order, call->span);
      } else if (!expr.dtype.is_scalar() || is_pointer(expr.dtype)) {
        refuse(NoLanes::Other, call->span);
      }
    } else if (ir::is<ir::AddressOf>(&expr) || ir::is<ir::StringImm>(&expr) ||
               ir::is<ir::VectorLoad>(&expr) || ir::is<ir::LaneRead>(&expr) ||
               ir::is<ir::LaunchIndex>(&expr)) {
      refuse(ir::is<ir::AddressOf>(&expr) ? NoLanes::Pointer : NoLanes::Other, expr.span);
    }
    ir::for_each_child(expr, [&](const Expr& child) { result |= differs(child); });
    return result;
  }

  bool layout_differs(const ir::Tensor& tensor) {
    bool result = tensor.elem_offset != nullptr && differs(*tensor.elem_offset);
    for (const Expr* extent : tensor.shape)
      result |= differs(*extent);
    for (const Expr* stride : tensor.strides)
      result |= differs(*stride);
    return result;
  }

  template <typename Set, typename T>
  void note(Set& set, const T* thing) {
    changed_ |= set.insert(thing).second;
  }

  const ir::For& loop_;
  CpuFacts::LaneRefusal refusal_;
  ir::Span place_;  // of an index that is no neighbour's
  bool can_ = true;
  bool changed_ = false;
  bool has_control_ = false;  // lanes may part
  bool has_loop_ = false;
  bool has_neighbours_ = false;
  bool is_scattered_ = false;
  std::unordered_map<const ir::Var*, std::int64_t> strides_;
  std::int32_t widest_ = 0;
  int nodes_ = 0;
  int loops_ = 0;               // around the statement
  std::int64_t row_bytes_ = 0;  // -1: not only rows
  std::vector<Target> targets_;
  std::unordered_map<const ir::Local*, int> declared_;
  std::unordered_set<const ir::Var*> differing_;
  std::unordered_set<const ir::Local*> differing_locals_;
  std::unordered_set<const ir::Tensor*> own_;  // local arrays of a thread
  std::unordered_set<const Stmt*> parting_;    // targets of jumps that not all lanes take
};

// Whether the loop is known to have too few turns for a vector.
bool is_short(const ir::For& loop) {
  const ir::IntImm* begin = ir::as_int(loop.begin);
  const ir::IntImm* end = ir::as_int(loop.end);
  return begin != nullptr && end != nullptr && end->value - begin->value < kLanes;
}

}  // namespace

const ir::CpuKernel& vectorize_threads(const ir::CpuKernel& kernel, PassContext& context) {
  const std::unordered_set<const ir::Var*> innermost(kernel.innermost_loops.begin(),
                                                     kernel.innermost_loops.end());
  std::vector<ir::LaneLoop> loops;
  std::vector<const ir::Local*> locals;
  std::int64_t row_bytes = 0;
  ir::walk_stmts(kernel.kernel->body, [&](const Stmt& stmt) {
    const auto* loop = ir::as<ir::For>(&stmt);
    if (loop == nullptr || !innermost.contains(loop->var)) return;
    const auto note_refusal = [&](CpuFacts::LaneRefusal refusal) {
      if (context.facts != nullptr) context.facts->no_lanes.push_back(refusal);
    };
    if (is_short(*loop)) return note_refusal({NoLanes::Short, {}});
    LoopInLanes lanes(*loop);
    if (!lanes.can_run()) return note_refusal(lanes.refusal());
    loops.push_back({loop->var, lanes.width()});
    if (kernel.is_one_loop) row_bytes = lanes.row_bytes();
    // A few rows more than a page has: lanes that are pages apart meet in the same set of a cache.
    if (row_bytes > 0) loops.back().distance = static_cast<std::int32_t>(kPage / row_bytes + 4);
    locals.insert(locals.end(), lanes.differing().begin(), lanes.differing().end());
  });
  if (loops.empty()) return kernel;
  find_straight_loops(kernel, loops);
  ir::CpuKernel made = kernel;
  made.lane_loops = context.arena.copy(loops);
  made.lane_locals = context.arena.copy(locals);
  made.row_bytes = row_bytes;
  return *context.arena.make<ir::CpuKernel>(made);
}

}  // namespace tirxcc::passes
