// SPDX-License-Identifier: Apache-2.0
//
// See thread_loops.h. Loop counters are int64; the int32 indices that the kernel asks for are
// named casts of them, with their ranges noted in the result.
#include "passes/thread_loops.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/rewriter.h"
#include "ir/traverse.h"
#include "ir/warp.h"
#include "passes/cpu_facts.h"
#include "passes/cpu_support.h"
#include "passes/global_index.h"
#include "passes/launch_names.h"

namespace tirxcc::passes {
namespace {

using ir::BinaryOp;
using ir::kWarpSize;
using ir::LaunchIndexKind;

class ThreadLoops : public ir::Rewriter<ThreadLoops>, private LaunchNames {
 public:
  using Rewriter::on_expr;
  using Rewriter::on_stmt;

  ThreadLoops(const ir::CpuKernel& fissioned, PassContext& context)
      : Rewriter(context.arena),
        LaunchNames(context.arena, *fissioned.kernel, context.options.big_grid),
        regions_(fissioned.regions.begin(), fissioned.regions.end()),
        warp_regions_(fissioned.warp_regions),
        own_arrays_(fissioned.own_arrays),
        views_(fissioned.views) {
    keeps_names_ = context.options.debug;
    result_.is_fibers = fissioned.is_fibers;
    result_.sites = fissioned.sites;
    result_.warp_regions = fissioned.warp_regions;
    if (!regions_.empty() || keeps_names_ || result_.is_fibers) return;
    global_ = GlobalIndex(kernel_, result_.max_grid[0], GlobalIndex::Widths::Any);
    if (context.facts == nullptr) return;
    context.facts->index_blocker = global_.blocker();
    context.facts->has_other_launch = !global_.has_shape();
  }

  const ir::CpuKernel& run() {
    note_sizes();
    if (global_.is_only_index()) make_global_index();
    if (regions_.empty()) make_thread_vars();
    // A debugger shows where a block and its threads are, whether the kernel asks or not.
    for (int axis = 0; keeps_names_ && axis < 3; ++axis)
      block_index(axis, kernel_.span);
    const ir::StmtList body = rewrite(kernel_.body);
    ir::walk_stmts(body, [&](const ir::Stmt& stmt) {
      const auto* alloc = ir::as<ir::Alloc>(&stmt);
      if (result_.shared_bytes == nullptr && alloc != nullptr &&
          ir::is_sized_at_launch(*alloc->tensor)) {
        result_.shared_bytes = make_var("shared_bytes", kInt64, ir::VarKind::Symbol);
      }
    });
    ir::Kernel made = kernel_;
    if (result_.is_fibers) {
      made.body = arena().copy(one_thread(body));
    } else if (result_.is_one_loop) {
      made.body = arena().copy(global_loop(body));
    } else if (regions_.empty()) {
      made.body = arena().copy(block_loop(thread_nest(body)));
    } else {
      made.body = arena().copy(block_loop(std::vector(body.begin(), body.end())));
    }
    result_.own_arrays = own_arrays_;
    result_.views = views_;
    result_.thread_loops = arena().copy(thread_loops_);
    result_.innermost_loops = arena().copy(innermost_loops_);
    made.symbols = with_launch_symbols();
    result_.kernel = arena().make<ir::Kernel>(made);
    result_.ranges = arena().copy(ranges_);
    return *arena().make<ir::CpuKernel>(result_);
  }

  const ir::Expr* on_expr(const ir::Binary& node) {
    if (global_.is_only_index() && global_.matches(node)) {
      return build().fold_cast(node.dtype, build().var(global_index_, node.span), node.span);
    }
    return rebuild(node);
  }

  const ir::Expr* on_expr(const ir::LaunchIndex& index) {
    if (global_.is_only_index() && global_.matches(index)) {
      return build().var(global_index_, index.span);
    }
    switch (index.index) {
      case LaunchIndexKind::ThreadIdx: return index_value(thread_[index.axis], index.span);
      case LaunchIndexKind::BlockIdx: return block_index(index.axis, index.span);
      case LaunchIndexKind::BlockDim: return block_size(index.axis, index.span);
      case LaunchIndexKind::GridDim: return grid_size(index.axis, index.span);
      case LaunchIndexKind::WarpId: {
        const ir::Expr* shift = build().int_imm(kInt32, 5, index.span);
        return build().fold_binary(BinaryOp::ShiftRight, linear_thread(), shift, index.span);
      }
    }
    internal_error(__FILE__, __LINE__, "a launch index of no kind");
  }

  const ir::Expr* on_expr(const ir::Call& call) {
    const bool is_elect = call.callee->special == intrinsics::Special::ElectSync;
    if (!is_elect || result_.is_fibers) return rebuild(call);
    const auto site = std::to_string(arrivals_.size());
    const auto make_counter = [&](const char* name) {
      return arena().make<ir::Local>(arena().copy_string(name + site), kInt32, call.span);
    };
    arrivals_.push_back(make_counter("elect_arrivals_"));
    greatest_.push_back(make_counter("elect_greatest_"));
    const ir::Expr* counters[] = {build().local(arrivals_.back(), call.span),
                                  build().local(greatest_.back(), call.span)};
    return build().make_call(call.callee, call.dtype, arena().copy(ir::ExprList(counters)),
                             call.span);
  }

  void on_stmt(const ir::Let& stmt) {
    if (warp_region_ != nullptr && stmt.var == warp_region_->lane) return;  // see lane_places
    if (ir::as_int(stmt.value) != nullptr) numbers_[stmt.var] = ir::as_int(stmt.value)->value;
    if (!global_.names_part(stmt)) emit(rebuild(stmt));
  }

  // A region of a fissioned kernel: the loops over its threads.
  void on_stmt(const ir::Block& block) {
    if (!regions_.contains(block.label)) return emit(rebuild(block));
    const auto warp = std::find_if(warp_regions_.begin(), warp_regions_.end(),
                                   [&](const auto& known) { return known.region == block.label; });
    warp_region_ = warp == warp_regions_.end() ? nullptr : &*warp;
    make_thread_vars();
    const ir::StmtList body = rewrite(block.body);
    bool has_jump = false;
    ir::walk_stmts(body, [&](const ir::Stmt& stmt) {
      const auto* leave = ir::as<ir::Leave>(&stmt);
      has_jump |= leave != nullptr && leave->label == block.label;
    });
    if (!has_jump) {
      for (const ir::Stmt* stmt : thread_nest(body))
        emit(stmt);
      return;
    }
    const ir::Stmt* whole[] = {build().stmt<ir::Block>(block.span, block.label, body)};
    for (const ir::Stmt* stmt : thread_nest(ir::StmtList(whole)))
      emit(stmt);
  }

  void on_stmt(const ir::Evaluate& stmt) {
    const auto* call = ir::as<ir::Call>(stmt.value);
    if (call == nullptr || call->callee->name != kTrapName) return emit(rebuild(stmt));
    emit(build().stmt<ir::Assert>(stmt.span, rewrite(call->args[0]),
                                  std::string_view("the condition does not hold")));
  }

  void on_stmt(const ir::ThreadReturn& stmt) {
    if (thread_end_ == nullptr) thread_end_ = arena().make<ir::Label>("thread_end");
    emit(build().stmt<ir::Leave>(stmt.span, thread_end_));
  }

 private:
  const ir::Expr* ref(const ir::Var* var) { return build().var(var, kernel_.span); }
  const ir::Expr* binary(BinaryOp op, const ir::Expr* a, const ir::Expr* b) {
    return build().fold_binary(op, a, b, kernel_.span);
  }
  // `name = int32(value)` as a statement.
  const ir::Stmt* let_int32(const ir::Var* var, const ir::Expr* value) {
    return build().stmt<ir::Let>(kernel_.span, var, build().make_cast(kInt32, value, kernel_.span));
  }
  // The variable as an int32 value; 0 for an axis without one.
  const ir::Expr* index_value(const ir::Var* var, ir::Span span) {
    return var == nullptr ? build().int_imm(kInt32, 0, span) : build().var(var, span);
  }

  void make_thread_vars() {
    if (warp_region_ != nullptr) return make_lane_vars();
    bool is_innermost = innermost_loops_.empty() || !global_.is_only_index();
    for (int axis = 0; axis < 3; ++axis) {
      if (block_extent_[axis] == 1 || (axis == 0 && global_.is_only_index())) continue;
      const char name = kAxisNames[axis];
      threads_[axis] = make_var(std::string("t") + name, kInt64, ir::VarKind::Loop);
      thread_[axis] = make_var(std::string("thread_") + name, kInt32, ir::VarKind::Let);
      note_range(thread_[axis], 0, result_.max_block[axis] - 1);
      if (!result_.is_fibers) note_thread_loop(threads_[axis], is_innermost);
      is_innermost = false;
    }
  }
  // One loop, over the lanes of a warp.
  void make_lane_vars() {
    threads_[0] = make_var("lane_counter", kInt64, ir::VarKind::Loop);
    threads_[1] = threads_[2] = nullptr;
    note_thread_loop(threads_[0], true);
    note_range(warp_region_->lane, 0, kWarpSize - 1);
    for (int axis = 0; axis < 3; ++axis) {
      if (block_extent_[axis] == 1) continue;
      thread_[axis] = make_var(std::string("thread_") + kAxisNames[axis], kInt32, ir::VarKind::Let);
      note_range(thread_[axis], 0, result_.max_block[axis] - 1);
    }
  }
  // The place in the block of a lane of a warp, axis by axis.
  std::vector<const ir::Stmt*> lane_places() {
    const ir::Expr* lane = ref(threads_[0]);
    std::vector<const ir::Stmt*> made = {let_int32(warp_region_->lane, lane)};
    const std::int64_t in_row = block_extent_[0] / kWarpSize;
    const auto known = numbers_.find(warp_region_->warp);
    const ir::Expr* warp = known != numbers_.end()
                               ? wide(known->second)
                               : build().fold_cast(kInt64, ref(warp_region_->warp), kernel_.span);
    const bool is_one_row = block_extent_[1] == 1 && block_extent_[2] == 1;
    const ir::Expr* row = is_one_row ? nullptr : binary(BinaryOp::TruncDiv, warp, wide(in_row));
    const ir::Expr* place = is_one_row ? warp : binary(BinaryOp::TruncMod, warp, wide(in_row));
    const ir::Expr* first = binary(BinaryOp::Mul, place, wide(kWarpSize));
    made.push_back(let_int32(thread_[0], in_row == 1 ? lane : binary(BinaryOp::Add, first, lane)));
    const bool is_flat = block_extent_[2] == 1;
    if (thread_[1] != nullptr) {
      const ir::Expr* y = is_flat ? row : binary(BinaryOp::TruncMod, row, wide(block_extent_[1]));
      made.push_back(let_int32(thread_[1], y));
    }
    if (thread_[2] != nullptr) {
      made.push_back(
          let_int32(thread_[2], binary(BinaryOp::TruncDiv, row, wide(block_extent_[1]))));
    }
    return made;
  }
  void note_thread_loop(const ir::Var* counter, bool is_innermost) {
    thread_loops_.push_back(counter);
    if (is_innermost) innermost_loops_.push_back(counter);
  }

  // One loop over the number that is all the kernel asks for, in a row of blocks or the whole grid.
  void make_global_index() {
    threads_[0] = make_var(global_.is_flat() ? "index" : "row_x", kInt64, ir::VarKind::Loop);
    note_thread_loop(threads_[0], true);
    (global_.is_flat() ? result_.is_one_loop : result_.has_long_rows) = true;
    global_index_ = make_var("global_x", kInt32, ir::VarKind::Let);
    note_range(global_index_, 0, result_.max_grid[0] * global_.block_size() - 1);
  }
  std::vector<const ir::Stmt*> global_loop(ir::StmtList body) {
    result_.first_block = make_var("first_block", kInt64, ir::VarKind::Symbol);
    result_.last_block = make_var("last_block", kInt64, ir::VarKind::Symbol);
    note_range(result_.first_block, 0, result_.max_grid[0]);
    note_range(result_.last_block, 0, result_.max_grid[0]);
    std::vector<const ir::Stmt*> list = ended_by_label(body);
    list.insert(list.begin(), let_int32(global_index_, ref(threads_[0])));
    const ir::Expr* size = wide(global_.block_size());
    return {for_loop(threads_[0], binary(BinaryOp::Mul, ref(result_.first_block), size),
                     binary(BinaryOp::Mul, ref(result_.last_block), size), list)};
  }

  // The body, with the place behind it that a thread which returns goes to.
  std::vector<const ir::Stmt*> ended_by_label(ir::StmtList body) {
    if (thread_end_ == nullptr) return {body.begin(), body.end()};
    return {build().stmt<ir::Block>(kernel_.span, thread_end_, body)};
  }

  const ir::Expr* block_index(int axis, ir::Span span) {
    if (grid_extent_[axis] == 1) return build().int_imm(kInt32, 0, span);
    if (block_[axis] == nullptr) {
      block_[axis] = make_var(std::string("block_") + kAxisNames[axis], kInt32, ir::VarKind::Let);
      note_range(block_[axis], 0, result_.max_grid[axis] - 1);
    }
    return build().var(block_[axis], span);
  }

  // x + y * size_x + z * size_x * size_y, int32.
  const ir::Expr* linear_thread() {
    const ir::Span span = kernel_.span;
    const ir::Expr* linear = index_value(thread_[2], span);
    for (int axis = 1; axis >= 0; --axis) {
      linear = binary(BinaryOp::Mul, linear, block_size(axis, span));
      linear = binary(BinaryOp::Add, linear, index_value(thread_[axis], span));
    }
    return linear;
  }

  // Per thread: its arrivals are 0. Per warp, at its first lane: nobody has arrived.
  void append_elect_resets(std::vector<const ir::Stmt*>& list) {
    if (arrivals_.empty()) return;
    const ir::Span span = kernel_.span;
    const ir::Expr* zero = build().int_imm(kInt32, 0, span);
    std::vector<const ir::Stmt*> per_warp;
    for (std::size_t i = 0; i < arrivals_.size(); ++i) {
      list.push_back(build().stmt<ir::DeclareLocal>(span, arrivals_[i]));
      list.push_back(build().stmt<ir::Assign>(span, arrivals_[i], zero));
      per_warp.push_back(build().stmt<ir::Assign>(span, greatest_[i], zero));
    }
    const ir::Expr* lane =
        binary(BinaryOp::BitAnd, linear_thread(), build().int_imm(kInt32, 31, span));
    const ir::Expr* is_first = binary(BinaryOp::Eq, lane, zero);
    const ir::IfClause clause{is_first, arena().copy(per_warp), span};
    list.push_back(build().stmt<ir::If>(span, arena().copy({clause}), ir::StmtList{}));
  }

  // One block: the loops over its threads around the body. Of a row of blocks at once where the
  // kernel asks for its place along x by one number.
  std::vector<const ir::Stmt*> thread_nest(ir::StmtList body) {
    const ir::Span span = kernel_.span;
    std::vector<const ir::Stmt*> list;
    append_elect_resets(list);
    const std::vector<const ir::Stmt*> whole = ended_by_label(body);
    list.insert(list.end(), whole.begin(), whole.end());
    if (warp_region_ != nullptr) {
      const std::vector<const ir::Stmt*> places = lane_places();
      list.insert(list.begin(), places.begin(), places.end());
      return {for_loop(threads_[0], wide(0), wide(kWarpSize), list)};
    }
    for (int axis = 0; axis < 3; ++axis) {
      const ir::Var* counter = threads_[axis];
      if (counter == nullptr) continue;
      const bool is_row = axis == 0 && result_.has_long_rows;
      list.insert(list.begin(), let_int32(is_row ? global_index_ : thread_[axis], ref(counter)));
      const ir::Expr* size = wide_block(axis);
      const ir::Expr* begin = is_row ? binary(BinaryOp::Mul, row_begin(), size) : wide(0);
      list = {
          for_loop(counter, begin, is_row ? binary(BinaryOp::Mul, row_end(), size) : size, list)};
    }
    std::vector<const ir::Stmt*> made;
    for (const ir::Local* local : greatest_)
      made.push_back(build().stmt<ir::DeclareLocal>(span, local));
    made.insert(made.end(), list.begin(), list.end());
    return made;
  }

  const ir::Stmt* for_loop(const ir::Var* counter, const ir::Expr* begin, const ir::Expr* end,
                           const std::vector<const ir::Stmt*>& body) {
    ir::For loop{{ir::StmtKind::For, kernel_.span}};
    loop.var = counter;
    loop.begin = begin;
    loop.end = end;
    loop.body = arena().copy(body);
    return arena().make<ir::For>(loop);
  }

  // A fiber's program: the thread `thread` of the block `block`.
  std::vector<const ir::Stmt*> one_thread(ir::StmtList body) {
    result_.first_block = make_var("block", kInt64, ir::VarKind::Symbol);
    result_.last_block = make_var("thread", kInt64, ir::VarKind::Symbol);
    std::vector<const ir::Stmt*> list;
    const auto append = [&](const ir::Var* const* names, const ir::Expr* rest, const auto& extent) {
      for (int axis = 0; axis < 3; ++axis) {
        const ir::Expr* size = extent(axis);
        const bool is_last =
            axis == 2 || (ir::is_int_value(extent(axis + 1), 1) && ir::is_int_value(extent(2), 1));
        if (names[axis] != nullptr) {
          const ir::Expr* place = is_last ? rest : binary(BinaryOp::TruncMod, rest, size);
          list.push_back(let_int32(names[axis], place));
        }
        if (is_last) return;
        rest = binary(BinaryOp::TruncDiv, rest, size);
      }
    };
    append(block_, ref(result_.first_block), [&](int axis) { return wide_grid(axis); });
    append(thread_, ref(result_.last_block), [&](int axis) { return wide_block(axis); });
    const std::vector<const ir::Stmt*> whole = ended_by_label(body);
    list.insert(list.end(), whole.begin(), whole.end());
    return list;
  }

  // All blocks of the entry's range.
  std::vector<const ir::Stmt*> block_loop(std::vector<const ir::Stmt*> block) {
    result_.first_block = make_var("first_block", kInt64, ir::VarKind::Symbol);
    result_.last_block = make_var("last_block", kInt64, ir::VarKind::Symbol);
    const bool is_flat = grid_extent_[1] == 1 && grid_extent_[2] == 1;
    if (!is_flat || result_.has_long_rows) return row_loop(std::move(block));
    const ir::Var* counter = make_var("block", kInt64, ir::VarKind::Loop);
    if (block_[0] != nullptr) block.insert(block.begin(), let_int32(block_[0], ref(counter)));
    return {for_loop(counter, ref(result_.first_block), ref(result_.last_block), block)};
  }

  // The blocks along x that the entry's range has of one row.
  const ir::Var* row_var(const ir::Var*& var, const char* name) {
    if (var != nullptr) return var;
    var = make_var(name, kInt64, ir::VarKind::Let);
    note_range(var, 0, result_.max_grid[0]);
    return var;
  }
  const ir::Expr* row_begin() { return ref(row_var(row_begin_, "row_begin")); }
  const ir::Expr* row_end() { return ref(row_var(row_end_, "row_end")); }

  // A grid of several dimensions, row by row:
  //
  //   next_block = first_block
  //   while next_block < last_block:
  //     row = next_block // grid_x
  //     row_begin = next_block - row * grid_x
  //     row_end = row_begin + min(grid_x - row_begin, last_block - next_block)
  //     <blocks row_begin to row_end of the row>
  //     next_block += row_end - row_begin
  std::vector<const ir::Stmt*> row_loop(std::vector<const ir::Stmt*> block) {
    const ir::Span span = kernel_.span;
    const ir::Local* next = arena().make<ir::Local>("next_block", kInt64, span);
    const ir::Expr* now = build().local(next, span);
    const ir::Var* row = make_var("row", kInt64, ir::VarKind::Let);
    const auto let = [&](const ir::Var* var, const ir::Expr* value) {
      return build().stmt<ir::Let>(span, var, value);
    };
    const ir::Expr* size = wide_grid(0);
    const ir::Expr* begin = row_begin();
    const ir::Expr* end = row_end();
    const ir::Expr* rest = binary(BinaryOp::Sub, ref(result_.last_block), now);
    std::vector<const ir::Stmt*> turn = {
        let(row, binary(BinaryOp::FloorDiv, now, size)),
        let(row_begin_, binary(BinaryOp::Sub, now, binary(BinaryOp::Mul, ref(row), size))),
        let(row_end_,
            build().make_select(binary(BinaryOp::Lt, rest, binary(BinaryOp::Sub, size, begin)),
                                binary(BinaryOp::Add, begin, rest), size, span))};
    if (block_[1] != nullptr) {
      const bool is_last = grid_extent_[2] == 1;
      turn.push_back(let_int32(
          block_[1], is_last ? ref(row) : binary(BinaryOp::FloorMod, ref(row), wide_grid(1))));
    }
    if (block_[2] != nullptr) {
      turn.push_back(let_int32(block_[2], binary(BinaryOp::FloorDiv, ref(row), wide_grid(1))));
    }
    if (result_.has_long_rows) {
      turn.insert(turn.end(), block.begin(), block.end());
    } else {
      const ir::Var* counter = make_var("block", kInt64, ir::VarKind::Loop);
      if (block_[0] != nullptr) block.insert(block.begin(), let_int32(block_[0], ref(counter)));
      turn.push_back(for_loop(counter, begin, end, block));
    }
    const ir::Expr* length = binary(BinaryOp::Sub, end, begin);
    turn.push_back(build().stmt<ir::Assign>(span, next, binary(BinaryOp::Add, now, length)));
    const ir::Expr* goes_on = binary(BinaryOp::Lt, now, ref(result_.last_block));
    return {build().stmt<ir::DeclareLocal>(span, next),
            build().stmt<ir::Assign>(span, next, ref(result_.first_block)),
            build().stmt<ir::While>(span, goes_on, ir::StmtList(arena().copy(turn)))};
  }

  std::unordered_set<const ir::Label*> regions_;
  std::span<const ir::WarpRegion> warp_regions_;
  const ir::WarpRegion* warp_region_ = nullptr;               // the one being made
  std::unordered_map<const ir::Var*, std::int64_t> numbers_;  // names of literals
  std::span<const ir::Tensor* const> own_arrays_;
  std::span<const ir::View> views_;
  std::vector<const ir::Var*> thread_loops_;
  std::vector<const ir::Var*> innermost_loops_;
  const ir::Var* threads_[3] = {nullptr, nullptr, nullptr};  // counters of the loops being made
  GlobalIndex global_;
  bool keeps_names_ = false;
  // The int32 indices by axis; null where the extent is 1 (or, for blocks, nobody asked).
  const ir::Var* thread_[3] = {nullptr, nullptr, nullptr};
  const ir::Var* block_[3] = {nullptr, nullptr, nullptr};
  const ir::Var* global_index_ = nullptr;
  const ir::Var* row_begin_ = nullptr;
  const ir::Var* row_end_ = nullptr;
  const ir::Label* thread_end_ = nullptr;
  std::vector<const ir::Local*> arrivals_;  // of each elect site
  std::vector<const ir::Local*> greatest_;
};

}  // namespace

const ir::CpuKernel& thread_loops(const ir::CpuKernel& kernel, PassContext& context) {
  if (kernel.kernel->kind == ir::KernelKind::Host) return kernel;
  return ThreadLoops(kernel, context).run();
}

}  // namespace tirxcc::passes
