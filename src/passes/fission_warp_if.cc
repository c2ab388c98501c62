// SPDX-License-Identifier: Apache-2.0
//
// The part of fission for what only some warps run: an `if` around warp operations of which nothing
// but the thread's place in the block decides, as in the end of a reduction.
//
//   if t < 32:                   ──▶   {                      # or, of several warps, a loop
//     v += shfl_down(v, 16)              warp = 0
//     v += shfl_down(v, 8)               regions of the 32 threads of this warp
//                                      }
//
// Nobody has to note where the others go on, for there is no barrier of the block inside. Where the
// threads are not whole warps (`t < 8`), each region asks again who runs it.
#include <bit>

#include "intrinsics/intrinsics.h"
#include "ir/traverse.h"
#include "ir/warp.h"
#include "passes/fission.h"

namespace tirxcc::passes {
namespace {

using ir::BinaryOp;
using ir::Expr;
using ir::kWarpSize;

constexpr std::size_t kLanes = kWarpSize;

// The warps that have some of the threads: bit k for warp k.
std::uint32_t warps_of(const ThreadSet& threads) {
  std::uint32_t warps = 0;
  for (std::size_t thread = 0; thread < threads.size(); ++thread)
    warps |= static_cast<std::uint32_t>(threads[thread]) << (thread / kLanes);
  return warps;
}

bool are_whole_warps(const ThreadSet& threads) {
  return threads.count() == static_cast<std::size_t>(std::popcount(warps_of(threads))) * kLanes;
}

bool is_loop(const ir::Stmt& stmt) {
  return ir::is<ir::For>(&stmt) || ir::is<ir::CountedFor>(&stmt) || ir::is<ir::While>(&stmt);
}

// Whether the lanes of a warp may run the call without the other warps; where some of the lanes are
// missing, only what does not ask who is there.
bool is_of_warp(const ir::Call& call, bool has_all_lanes) {
  const intrinsics::Intrinsic& row = *call.callee;
  if (row.convergence == intrinsics::Convergence::Thread) return true;
  if (row.convergence != intrinsics::Convergence::Warp) return false;
  return has_all_lanes || row.name == "cuda.warp_sync" || row.name.starts_with("cuda.__shfl");
}

}  // namespace

const Expr* Fission::guard() const {
  const Expr* all = guards_[0];
  for (std::size_t i = 1; i < guards_.size(); ++i)
    all = build_.fold_binary(BinaryOp::And, all, guards_[i], all->span);
  return all;
}

// The branches that some of the threads take; nullopt where it is not known who takes which.
std::optional<std::vector<Fission::Part>> Fission::split(const ir::If& stmt,
                                                         const ThreadSet& among) {
  std::vector<Part> parts;
  ThreadSet rest = among;
  const Expr* others = nullptr;  // what holds for `rest`
  const auto both = [&](const Expr* a, const Expr* b) {
    return a == nullptr ? b : build_.fold_binary(BinaryOp::And, a, b, stmt.span);
  };
  const auto add_part = [&](const ThreadSet& threads, ir::StmtList body, const Expr* condition) {
    if (threads.none() || body.empty()) return;
    parts.push_back({threads, body, are_whole_warps(threads) ? nullptr : condition});
  };
  for (const ir::IfClause& clause : stmt.clauses) {
    const std::optional<ThreadSet> takes = thread_sets_.of(*clause.condition);
    if (!takes) return std::nullopt;
    add_part(rest & *takes, clause.body, both(others, clause.condition));
    rest &= ~*takes;
    others = both(others, build_.fold_unary(ir::UnaryOp::Not, clause.condition, clause.span));
  }
  add_part(rest, stmt.else_body, others);
  return parts;
}

bool Fission::runs_by_warps(const Part& part) {
  return runs_by_warps(part.body, part);
}

bool Fission::runs_by_warps(ir::StmtList list, const Part& part) {
  for (const ir::Stmt* stmt : list) {
    bool is_fine = !plan_.is_block_jump(stmt);
    ir::for_each_operand(*stmt, [&](const Expr& expr) {
      ir::walk_exprs(expr, [&](const Expr& e) {
        const auto* call = ir::as<ir::Call>(&e);
        is_fine = is_fine && (call == nullptr || is_of_warp(*call, part.guard == nullptr));
      });
    });
    if (!is_fine) return false;
    const bool is_uneven = plan_.is_block_level(stmt) && !plan_.is_native(stmt);
    if (is_uneven && is_loop(*stmt)) return false;
    if (const auto* branch = ir::as<ir::If>(stmt); branch != nullptr && is_uneven) {
      const std::optional<std::vector<Part>> parts = split(*branch, part.threads);
      if (!parts) return false;
      for (Part inner : *parts) {
        if (inner.guard == nullptr) inner.guard = part.guard;
        if (!runs_by_warps(inner)) return false;
      }
      continue;
    }
    ir::for_each_body(*stmt,
                      [&](ir::StmtList body) { is_fine = is_fine && runs_by_warps(body, part); });
    if (!is_fine) return false;
  }
  return true;
}

// False, and nothing done, where threads must decide for themselves.
bool Fission::lower_warp_if(const ir::If& stmt) {
  if (context_.options.debug || !headings_.empty() || !arrays_.has_whole_warps()) return false;
  const std::optional<std::vector<Part>> parts =
      split(stmt, warp_ != nullptr ? here_ : thread_sets_.all());
  if (!parts) return false;
  // What is inside has been looked at with what is around it.
  const bool is_fine =
      warp_ != nullptr ||
      std::all_of(parts->begin(), parts->end(), [&](const Part& p) { return runs_by_warps(p); });
  if (!is_fine) return false;
  flush();
  if (context_.facts != nullptr) context_.facts->by_warps.push_back(stmt.span);
  for (const Part& part : *parts)
    lower_part(part, stmt.span);
  return true;
}

// `if t >= 32: thread_return` and what the others do then, to the end of the kernel.
bool Fission::lower_rest_by_warps(const ir::Stmt& stmt, ir::StmtList rest) {
  const auto* branch = ir::as<ir::If>(&stmt);
  if (branch == nullptr || branch->clauses.size() != 1 || !branch->else_body.empty()) return false;
  const ir::IfClause& clause = branch->clauses[0];
  if (clause.body.size() != 1 || !ir::is<ir::ThreadReturn>(clause.body[0])) return false;
  const bool has_meeting = std::any_of(
      rest.begin(), rest.end(), [&](const ir::Stmt* next) { return plan_.is_block_level(next); });
  if (!has_meeting || context_.options.debug || !headings_.empty() || !arrays_.has_whole_warps()) {
    return false;
  }
  const std::optional<ThreadSet> leaves = thread_sets_.of(*clause.condition);
  if (!leaves) return false;
  Part part{thread_sets_.all() & ~*leaves, rest};
  if (!are_whole_warps(part.threads)) {
    part.guard = build_.fold_unary(ir::UnaryOp::Not, clause.condition, clause.span);
  }
  if (part.threads.none() || !runs_by_warps(part)) return false;
  flush();
  if (context_.facts != nullptr) context_.facts->by_warps.push_back(clause.body[0]->span);
  lower_part(part, stmt.span);
  return true;
}

void Fission::lower_part(const Part& part, ir::Span span) {
  const ir::Var* const outer_warp = warp_;
  const ThreadSet outer = here_;
  const std::uint32_t warps = warps_of(part.threads);
  const auto first = std::countr_zero(warps);
  const auto end = static_cast<int>(std::bit_width(warps));
  const bool is_one = end == first + 1;
  if (outer_warp == nullptr) {
    warp_ = context_.arena.make<ir::Var>("warp", kInt32, span,
                                         is_one ? ir::VarKind::Let : ir::VarKind::Loop);
  }
  here_ = part.threads;
  if (part.guard != nullptr) guards_.push_back(part.guard);
  Stmts body = lowered(part.body);
  if (part.guard != nullptr) guards_.pop_back();
  here_ = outer;
  const ir::Var* const warp = warp_;
  if (outer_warp != nullptr) {
    if (warps == warps_of(outer)) {
      out_.insert(out_.end(), body.begin(), body.end());
    } else {
      for (const ir::Stmt* stmt : if_in(warps, body, span))
        emit(stmt);
    }
    return;
  }
  const bool has_gaps = std::popcount(warps) != end - first;
  const ir::Stmt* made = nullptr;
  if (is_one) {
    body.insert(body.begin(), build_.stmt<ir::Let>(span, warp, i32(first, span)));
    const ir::Label* const no_label = nullptr;
    made = build_.stmt<ir::Block>(span, no_label, ir::StmtList(context_.arena.copy(body)));
  } else {
    ir::For loop{{ir::StmtKind::For, span}};
    loop.var = warp;
    loop.begin = i32(first, span);
    loop.end = i32(end, span);
    loop.body = has_gaps ? if_in(warps, body, span) : ir::StmtList(context_.arena.copy(body));
    made = context_.arena.make<ir::For>(loop);
  }
  warp_ = nullptr;
  warp_parts_[made] = warp;
  emit(made);
}

// The statements where the warp is one of these.
ir::StmtList Fission::if_in(std::uint32_t warps, const Stmts& body, ir::Span span) {
  const Expr* bits =
      build_.make_binary(BinaryOp::ShiftRight, word(warps, span),
                         build_.make_cast(kUInt32, build_.var(warp_, span), span), span);
  const Expr* bit = build_.make_binary(BinaryOp::BitAnd, bits, word(1, span), span);
  const Expr* is_one = build_.make_binary(BinaryOp::Ne, bit, word(0, span), span);
  const ir::IfClause clause{is_one, context_.arena.copy(body), span};
  return one(build_.stmt<ir::If>(span, context_.arena.copy({clause}), ir::StmtList{}));
}

}  // namespace tirxcc::passes
