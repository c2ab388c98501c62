// SPDX-License-Identifier: Apache-2.0
//
// The part of fission for warp operations: each is the end of a region. What lanes give goes into
// an array of the block before, and what they get is read from it after.
#include <algorithm>

#include "intrinsics/intrinsics.h"
#include "ir/rewriter.h"
#include "ir/warp.h"
#include "passes/fission.h"

namespace tirxcc::passes {

using ir::BinaryOp;
using ir::Expr;
using ir::kWarpSize;

constexpr std::string_view kDivergentShuffle =
    "divergent shuffle: its mask names all lanes of the warp, but some of them are elsewhere";

bool is_warp_operation(const intrinsics::Intrinsic& row) {
  constexpr std::string_view kKnown[] = {"cuda.cta_sync",
                                         "cuda.warp_sync",
                                         "cuda.syncthreads_and",
                                         "cuda.syncthreads_or",
                                         "cuda.__activemask",
                                         "cuda.__shfl_sync",
                                         "cuda.__shfl_up_sync",
                                         "cuda.__shfl_down_sync",
                                         "cuda.__shfl_xor_sync",
                                         "cuda.all_sync",
                                         "cuda.any_sync",
                                         "cuda.ballot_sync",
                                         "cuda.reduce_add_sync_u32",
                                         "cuda.reduce_min_sync_u32"};
  return row.special == intrinsics::Special::ElectSync ||
         std::find(std::begin(kKnown), std::end(kKnown), row.name) != std::end(kKnown);
}

// The expression with its warp operations done before it.
class SyncExtractor : public ir::Rewriter<SyncExtractor> {
 public:
  using Rewriter::on_expr;
  using Rewriter::on_stmt;
  SyncExtractor(Arena& arena, Fission& fission) : Rewriter(arena), fission_(fission) {}

  const Expr* on_expr(const ir::Call& call) {
    const Expr* made = rebuild(call);
    if (call.callee->convergence == intrinsics::Convergence::Thread) return made;
    return fission_.lower_warp_call(*ir::as<ir::Call>(made));
  }

 private:
  Fission& fission_;
};

const Expr* Fission::extract(const Expr* expr) {
  return SyncExtractor(context_.arena, *this).rewrite(expr);
}

void Fission::extract(const ir::Stmt& stmt) {
  const ir::Stmt* one[] = {&stmt};
  for (const ir::Stmt* made : SyncExtractor(context_.arena, *this).rewrite(ir::StmtList(one)))
    add(made);
}

const Expr* Fission::lane(ir::Span span) {
  return build_.make_binary(BinaryOp::BitAnd, arrays_.thread(span), i32(kWarpSize - 1, span), span);
}

const Expr* Fission::lower_warp_call(const ir::Call& call) {
  const std::string_view name = call.callee->name;
  const bool is_block_vote = call.callee->convergence == intrinsics::Convergence::Block;
  if (is_block_vote) return lower_block_vote(call);  // its barrier is the meeting
  note_meeting(call, false);
  if (call.callee->special == intrinsics::Special::ElectSync) return elect(call);
  if (name.starts_with("cuda.__shfl")) return lower_shuffle(call);
  if (name.starts_with("cuda.reduce_")) return lower_reduction(call);
  return lower_vote(call);
}

// A barrier that tells whether the condition holds in all or in any of its threads.
const Expr* Fission::lower_block_vote(const ir::Call& call) {
  const ir::Span span = call.span;
  const bool is_and = call.callee->name == "cuda.syncthreads_and";
  const ir::Tensor* bits = arrays_.make_per_thread("vote_" + std::to_string(names_++), kBool, span);
  add(arrays_.set(bits, arrays_.thread(span), call.args[0], span));
  lower_barrier(call);
  const ir::Local* result = arrays_.local("voted_" + std::to_string(names_++), kInt32, span);
  emit(build_.stmt<ir::DeclareLocal>(span, result));
  emit(build_.stmt<ir::Assign>(span, result, i32(is_and ? 1 : 0, span)));
  emit(arrays_.loop("k", arrays_.thread_count(span), span, [&](const Expr* k) {
    const Expr* is_set = arrays_.element(bits, k, span);
    if (!headings_.empty()) {
      const BinaryOp op = is_and ? BinaryOp::Ne : BinaryOp::Eq;
      const Expr* counts =
          build_.make_binary(op, arrays_.element(heading_array(), k, span), i32(0, span), span);
      is_set = build_.make_binary(is_and ? BinaryOp::Or : BinaryOp::And, counts, is_set, span);
    }
    const Expr* joined =
        build_.make_binary(is_and ? BinaryOp::BitAnd : BinaryOp::BitOr, build_.local(result, span),
                           build_.make_cast(kInt32, is_set, span), span);
    return Stmts{build_.stmt<ir::Assign>(span, result, joined)};
  }));
  return build_.local(result, span);
}

// What lanes give is put down before the region ends; each then reads that of its source.
const Expr* Fission::lower_shuffle(const ir::Call& call) {
  const ir::Span span = call.span;
  const std::string_view name = call.callee->name;
  if (const Expr* shifted = lower_known_shift(call)) return shifted;
  const bool has_rows = arrays_.has_whole_warps();
  const ir::Tensor* values =
      arrays_.make_per_lane("lanes_" + std::to_string(names_++), call.dtype, span, kWarpSize);
  const Expr* thread = has_rows ? arrays_.lane(span) : arrays_.thread(span);
  add(arrays_.set_lane(values, thread, call.args[1], span));
  flush();
  if (context_.options.debug) watch_lanes(call);
  const Expr* other = call.args[2];
  const auto make = [&](BinaryOp op, const Expr* a, const Expr* b) {
    return build_.fold_binary(op, a, b, span);
  };
  const ir::IntImm* known_width = ir::as_int(call.args[3]);
  // Whatever it is, no lane reads beyond its warp.
  const Expr* width = known_width != nullptr
                          ? call.args[3]
                          : make(BinaryOp::BitAnd, call.args[3], i32(2 * kWarpSize - 1, span));
  const Expr* within = make(BinaryOp::Sub, width, i32(1, span));
  // Numbers of threads (where warps have rows, of lanes): of the first and the last of the group.
  const Expr* first = make(BinaryOp::BitAnd, thread, make(BinaryOp::Sub, i32(0, span), width));
  const Expr* last = make(BinaryOp::BitOr, thread, within);
  const Expr* source = nullptr;
  const Expr* is_inside = nullptr;
  if (name == "cuda.__shfl_sync") {
    source = make(BinaryOp::BitOr, first, make(BinaryOp::BitAnd, other, within));
  } else if (name == "cuda.__shfl_up_sync") {
    // Within the group, whatever the distance: no sum may leave int32.
    const Expr* place = make(BinaryOp::Sub, thread, first);
    is_inside = make(BinaryOp::And, make(BinaryOp::Ge, other, i32(0, span)),
                     make(BinaryOp::Le, other, place));
    source = make(BinaryOp::Sub, thread, other);
  } else if (name == "cuda.__shfl_down_sync") {
    const Expr* room = make(BinaryOp::Sub, last, thread);
    is_inside = make(BinaryOp::And, make(BinaryOp::Ge, other, i32(0, span)),
                     make(BinaryOp::Le, other, room));
    source = make(BinaryOp::Add, thread, other);
  } else {
    source =
        make(BinaryOp::BitXor, thread, make(BinaryOp::BitAnd, other, i32(kWarpSize - 1, span)));
    const bool always = known_width != nullptr && known_width->value == kWarpSize;
    if (!always) is_inside = make(BinaryOp::Le, source, last);
  }
  if (known_width == nullptr) {
    const Expr* warp = make(BinaryOp::BitAnd, thread, i32(-kWarpSize, span));
    source = make(BinaryOp::BitOr, warp, make(BinaryOp::BitAnd, source, i32(kWarpSize - 1, span)));
  }
  // A block's last warp may have fewer lanes.
  const bool is_even =
      arrays_.most_threads() % kWarpSize == 0 && kernel_.launch.static_threads() > 0;
  if (!is_even && !has_rows) {
    const Expr* exists = make(BinaryOp::Lt, source, arrays_.thread_count(span));
    is_inside = is_inside == nullptr ? exists : make(BinaryOp::And, is_inside, exists);
  }
  if (is_inside != nullptr) source = build_.make_select(is_inside, source, thread, span);
  return arrays_.lane_element(values, source, span);
}

// A shuffle up or down by a known distance: lanes put down what they give in the half of a longer
// row from which each finds something at the place it reads, and then keeps its own if that is
// beyond the group.
const Expr* Fission::lower_known_shift(const ir::Call& call) {
  const bool is_up = call.callee->name == "cuda.__shfl_up_sync";
  if (!is_up && call.callee->name != "cuda.__shfl_down_sync") return nullptr;
  const ir::IntImm* distance = ir::as_int(call.args[2]);
  const ir::IntImm* group = ir::as_int(call.args[3]);
  if (distance == nullptr || group == nullptr || distance->value < 0 ||
      distance->value >= group->value || !arrays_.has_whole_warps()) {
    return nullptr;
  }
  const std::int64_t width = group->value;
  const ir::Span span = call.span;
  const ir::Tensor* values =
      arrays_.make_per_lane("lanes_" + std::to_string(names_++), call.dtype, span, 2 * kWarpSize);
  const auto make = [&](BinaryOp op, const Expr* a, std::int64_t b) {
    return build_.fold_binary(op, a, i32(b, span), span);
  };
  const Expr* lane = arrays_.lane(span);
  const Expr* own = make(BinaryOp::Add, lane, is_up ? kWarpSize : 0);
  add(arrays_.set_lane(values, own, call.args[1], span));
  flush();
  if (context_.options.debug) watch_lanes(call);
  const std::int64_t by = distance->value;
  const Expr* source =
      is_up ? make(BinaryOp::Add, lane, kWarpSize - by) : make(BinaryOp::Add, lane, by);
  const Expr* place = make(BinaryOp::BitAnd, lane, width - 1);
  const Expr* is_inside =
      is_up ? make(BinaryOp::Ge, place, by) : make(BinaryOp::Lt, place, width - by);
  return build_.make_select(is_inside, arrays_.lane_element(values, source, span),
                            arrays_.lane_element(values, own, span), span);
}

// An assert that no warp has lanes here and others elsewhere, where the mask names them all. Only
// for debugging: it would be a good part of a shuffle's time.
void Fission::watch_lanes(const ir::Call& call) {
  const ir::IntImm* mask = ir::as_int(call.args[0]);
  if (headings_.empty() || mask == nullptr || static_cast<std::uint32_t>(mask->value) != ~0u)
    return;
  const ir::Span span = call.span;
  const std::string number = std::to_string(names_++);
  const ir::Local* here = arrays_.local("here_" + number, kInt32, span);
  const ir::Local* elsewhere = arrays_.local("elsewhere_" + number, kInt32, span);
  const ir::Local* parted = arrays_.local("parted_" + number, kInt32, span);
  for (const ir::Local* local : {here, elsewhere, parted}) {
    emit(build_.stmt<ir::DeclareLocal>(span, local));
    emit(build_.stmt<ir::Assign>(span, local, i32(0, span)));
  }
  const auto add_truth = [&](const ir::Local* local, const Expr* truth) {
    const Expr* more = build_.make_cast(kInt32, truth, span);
    return build_.stmt<ir::Assign>(
        span, local, build_.make_binary(BinaryOp::Add, build_.local(local, span), more, span));
  };
  const auto is_some = [&](const ir::Local* local) {
    return build_.make_binary(BinaryOp::Gt, build_.local(local, span), i32(0, span), span);
  };
  emit(arrays_.loop("k", arrays_.thread_count(span), span, [&](const Expr* k) {
    const Expr* place = build_.make_binary(BinaryOp::BitAnd, k, i32(kWarpSize - 1, span), span);
    const Expr* is_first = build_.make_binary(BinaryOp::Eq, place, i32(0, span), span);
    const ir::IfClause new_warp{
        is_first,
        context_.arena.copy(
            {static_cast<const ir::Stmt*>(build_.stmt<ir::Assign>(span, here, i32(0, span))),
             static_cast<const ir::Stmt*>(build_.stmt<ir::Assign>(span, elsewhere, i32(0, span)))}),
        span};
    const Expr* heading = arrays_.element(heading_array(), k, span);
    // 0: it is here; 1: it has ended.
    const Expr* is_here = build_.make_binary(BinaryOp::Eq, heading, i32(0, span), span);
    const Expr* is_away = build_.make_binary(BinaryOp::Gt, heading, i32(1, span), span);
    const Expr* both = build_.make_binary(BinaryOp::And, is_some(here), is_some(elsewhere), span);
    return Stmts{build_.stmt<ir::If>(span, context_.arena.copy({new_warp}), ir::StmtList{}),
                 add_truth(here, is_here), add_truth(elsewhere, is_away), add_truth(parted, both)};
  }));
  const Expr* is_fine =
      build_.make_binary(BinaryOp::Eq, build_.local(parted, span), i32(0, span), span);
  emit(build_.stmt<ir::Assert>(span, is_fine, kDivergentShuffle));
}

const Expr* Fission::lower_vote(const ir::Call& call) {
  const ir::Span span = call.span;
  const std::string_view name = call.callee->name;
  if (name == "cuda.__activemask") return ballot(build_.bool_imm(true, span), span);
  const bool is_all = name == "cuda.all_sync";
  const Expr* predicate =
      is_all ? build_.fold_unary(ir::UnaryOp::Not, call.args[1], span) : call.args[1];
  const Expr* lanes =
      build_.fold_binary(BinaryOp::BitAnd, ballot(predicate, span), call.args[0], span);
  if (name == "cuda.ballot_sync") return lanes;
  const Expr* holds =
      build_.make_binary(is_all ? BinaryOp::Eq : BinaryOp::Ne, lanes, word(0, span), span);
  return build_.make_cast(kInt32, holds, span);
}

// Each lane goes over the lanes of the mask that are here.
const Expr* Fission::lower_reduction(const ir::Call& call) {
  const ir::Span span = call.span;
  const bool is_sum = call.callee->name == "cuda.reduce_add_sync_u32";
  const std::string number = std::to_string(names_++);
  const ir::Tensor* values = arrays_.make_per_lane("lanes_" + number, kUInt32, span, kWarpSize);
  const bool has_rows = arrays_.has_whole_warps();
  add(arrays_.set_lane(values, has_rows ? arrays_.lane(span) : arrays_.thread(span), call.args[1],
                       span));
  const Expr* here = ballot(build_.bool_imm(true, span), span);
  const ir::Local* result = arrays_.local("reduced_" + number, kUInt32, span);
  add(build_.stmt<ir::DeclareLocal>(span, result));
  add(build_.stmt<ir::Assign>(span, result, word(is_sum ? 0 : 0xffffffff, span)));
  add(arrays_.loop("lane", i32(kWarpSize, span), span, [&](const Expr* other) {
    const Expr* lanes = build_.fold_binary(BinaryOp::BitAnd, here, call.args[0], span);
    const Expr* bit = build_.make_binary(BinaryOp::ShiftRight, lanes, other, span);
    bit = build_.make_binary(BinaryOp::BitAnd, bit, word(1, span), span);
    const Expr* takes_part = build_.make_binary(BinaryOp::Ne, bit, word(0, span), span);
    const Expr* first =
        build_.make_binary(BinaryOp::BitAnd, arrays_.thread(span), i32(-kWarpSize, span), span);
    const Expr* place = has_rows ? other : build_.make_binary(BinaryOp::BitOr, first, other, span);
    const Expr* value = arrays_.lane_element(values, place, span);
    const Expr* old = build_.local(result, span);
    const Expr* joined =
        is_sum ? build_.make_binary(BinaryOp::Add, old, value, span)
               : build_.make_select(build_.make_binary(BinaryOp::Lt, value, old, span), value, old,
                                    span);
    const ir::Stmt* join = build_.stmt<ir::Assign>(span, result, joined);
    const ir::IfClause clause{takes_part, one(join), span};
    return Stmts{build_.stmt<ir::If>(span, context_.arena.copy({clause}), ir::StmtList{})};
  }));
  return build_.local(result, span);
}

// The lanes of this thread's warp that are here and for which the predicate holds. Ends the region.
const Expr* Fission::ballot(const Expr* predicate, ir::Span span) {
  const std::string number = std::to_string(names_++);
  const std::int64_t warps = (arrays_.most_threads() + kWarpSize - 1) / kWarpSize;
  const ir::Tensor* words = arrays_.make("ballot_" + number, kUInt32, span, {warps});
  if (arrays_.has_whole_warps()) {
    vote_by_warps(words, number, predicate, span);
    return arrays_.element(words, arrays_.warp(span), span);
  }
  const ir::Tensor* bits = arrays_.make_per_thread("vote_" + number, kBool, span);
  add(arrays_.set(bits, arrays_.thread(span), predicate, span));
  flush();
  emit(arrays_.loop("w", i32(warps, span), span, [&](const Expr* warp) {
    return Stmts{arrays_.set(words, warp, word(0, span), span)};
  }));
  emit(arrays_.loop("k", arrays_.thread_count(span), span, [&](const Expr* k) {
    const Expr* warp = build_.make_binary(BinaryOp::ShiftRight, k, i32(5, span), span);
    const Expr* place = build_.make_binary(BinaryOp::BitAnd, k, i32(kWarpSize - 1, span), span);
    const Expr* is_set = arrays_.element(bits, k, span);
    if (!headings_.empty()) {
      const Expr* is_here = build_.make_binary(
          BinaryOp::Eq, arrays_.element(heading_array(), k, span), i32(0, span), span);
      is_set = build_.make_binary(BinaryOp::And, is_here, is_set, span);
    }
    const Expr* bit = build_.make_binary(BinaryOp::ShiftLeft,
                                         build_.make_cast(kUInt32, is_set, span), place, span);
    const Expr* lanes =
        build_.make_binary(BinaryOp::BitOr, arrays_.element(words, warp, span), bit, span);
    return Stmts{arrays_.set(words, warp, lanes, span)};
  }));
  const Expr* own =
      build_.fold_binary(BinaryOp::ShiftRight, arrays_.thread(span), i32(5, span), span);
  return arrays_.element(words, own, span);
}

// The same where warps are whole: a word at a time.
void Fission::vote_by_warps(const ir::Tensor* words, const std::string& number,
                            const Expr* predicate, ir::Span span) {
  const ir::Tensor* bits = arrays_.make_per_lane("vote_" + number, kBool, span, kWarpSize);
  add(arrays_.set_lane(bits, arrays_.lane(span), predicate, span));
  flush();
  const ir::Local* word_of = arrays_.local("votes_" + number, kUInt32, span);
  const ir::Stmt* all =
      arrays_.loop("w", i32(arrays_.most_threads() / kWarpSize, span), span, [&](const Expr* warp) {
        const ir::Stmt* lanes = arrays_.loop("k", i32(kWarpSize, span), span, [&](const Expr* k) {
          const Expr* is_set = build_.load(bits, context_.arena.copy({warp, k}), span);
          if (!headings_.empty()) {
            const Expr* first = build_.make_binary(BinaryOp::Mul, warp, i32(kWarpSize, span), span);
            const Expr* thread = build_.make_binary(BinaryOp::Add, first, k, span);
            const Expr* is_here = build_.make_binary(
                BinaryOp::Eq, arrays_.element(heading_array(), thread, span), i32(0, span), span);
            is_set = build_.make_binary(BinaryOp::And, is_here, is_set, span);
          }
          const Expr* bit = build_.make_binary(BinaryOp::ShiftLeft,
                                               build_.make_cast(kUInt32, is_set, span), k, span);
          const Expr* more =
              build_.make_binary(BinaryOp::BitOr, build_.local(word_of, span), bit, span);
          return Stmts{build_.stmt<ir::Assign>(span, word_of, more)};
        });
        return Stmts{build_.stmt<ir::DeclareLocal>(span, word_of),
                     build_.stmt<ir::Assign>(span, word_of, word(0, span)), lanes,
                     arrays_.set(words, warp, build_.local(word_of, span), span)};
      });
  warp_loops_.insert(all);
  emit(all);
}

// The lowest lane that is here: no bit below its own.
const Expr* Fission::elect(const ir::Call& call) {
  const ir::Span span = call.span;
  const Expr* here = ballot(build_.bool_imm(true, span), span);
  const Expr* bit = build_.make_binary(BinaryOp::ShiftLeft, word(1, span), lane(span), span);
  const Expr* below = build_.make_binary(BinaryOp::Sub, bit, word(1, span), span);
  const Expr* others = build_.make_binary(BinaryOp::BitAnd, here, below, span);
  return build_.make_binary(BinaryOp::Eq, others, word(0, span), span);
}

}  // namespace tirxcc::passes
