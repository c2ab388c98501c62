// SPDX-License-Identifier: Apache-2.0
//
// See fission.h. A statement that has no barrier inside is the threads' own and goes into the
// region being filled. Of the others, those with even conditions become ifs and loops of the block;
// for the rest each thread decides, and who does not come along heads for the place where it goes
// on.
#include "passes/fission.h"

#include <algorithm>
#include <type_traits>

#include "intrinsics/intrinsics.h"
#include "ir/rewriter.h"
#include "ir/traverse.h"

namespace tirxcc::passes {

using ir::BinaryOp;
using ir::Expr;
using ir::Stmt;

constexpr std::int64_t kHere = 0;
constexpr std::int64_t kEnded = 1;
constexpr std::string_view kDivergentBarrier =
    "divergent barrier: some threads of the block are here, others are still elsewhere";

// Jumps out of a thread's own statement to a place of the block: the thread notes where it is
// heading and leaves the region.
class JumpTranslator : public ir::Rewriter<JumpTranslator> {
 public:
  using Rewriter::on_expr;
  using Rewriter::on_stmt;
  JumpTranslator(Arena& arena, Fission& fission) : Rewriter(arena), fission_(fission) {}

  void on_stmt(const ir::Break& stmt) { translate(stmt); }
  void on_stmt(const ir::Continue& stmt) { translate(stmt); }
  void on_stmt(const ir::Leave& stmt) { translate(stmt); }
  void on_stmt(const ir::ThreadReturn& stmt) { translate(stmt); }
  const std::vector<std::int64_t>& headings() const { return headings_; }

 private:
  template <typename T>
  void translate(const T& stmt) {
    if (!fission_.plan_.is_block_jump(&stmt)) return emit(&stmt);
    const std::int64_t heading = fission_.heading_of(fission_.plan_.target_of(&stmt));
    headings_.push_back(heading);
    emit(fission_.head_for(heading, stmt.span));
    emit(build().template stmt<ir::Leave>(stmt.span, fission_.region_label()));
    end_list();
  }

  Fission& fission_;
  std::vector<std::int64_t> headings_;
};

Fission::Fission(const ir::Kernel& kernel, const FissionPlan& plan, BlockArrays& arrays,
                 PassContext& context)
    : kernel_(kernel),
      plan_(plan),
      arrays_(arrays),
      context_(context),
      build_(context.arena),
      thread_sets_(kernel) {}

Fission::Stmts Fission::run() {
  lower(kernel_.body);
  flush();
  Stmts body = std::move(out_);
  out_.clear();
  if (heading_ != nullptr) {
    headings_.clear();
    region_.push_back(head_for(kHere, kernel_.span));
    flush();
    body.insert(body.begin(), out_.begin(), out_.end());
  }
  if (block_end_ == nullptr) return body;
  return {
      build_.stmt<ir::Block>(kernel_.span, block_end_, ir::StmtList(context_.arena.copy(body)))};
}

const ir::Label* Fission::region_label() {
  if (region_label_ == nullptr) {
    const std::string name = "region_" + std::to_string(regions_.size() + 1);
    region_label_ = context_.arena.make<ir::Label>(context_.arena.copy_string(name));
    regions_.push_back(region_label_);
    known_regions_.insert(region_label_);
  }
  return region_label_;
}

void Fission::add(const Stmt* stmt) {
  if (region_.empty()) region_is_guarded_ = !headings_.empty();
  region_.push_back(stmt);
}

void Fission::flush() {
  if (region_.empty()) return;
  const ir::Span span = region_[0]->span;
  const ir::Label* label = region_label();
  Stmts body = std::move(region_);
  region_.clear();
  if (region_is_guarded_ || !guards_.empty()) {
    const Expr* runs = region_is_guarded_ ? is_heading(BinaryOp::Eq, kHere, span) : guard();
    const ir::IfClause clause{runs, context_.arena.copy(body), span};
    body = {build_.stmt<ir::If>(span, context_.arena.copy({clause}), ir::StmtList{})};
  }
  emit(build_.stmt<ir::Block>(span, label, ir::StmtList(context_.arena.copy(body))));
  if (is_behind_barrier_) behind_barriers_.insert(label);
  is_behind_barrier_ = false;
  region_label_ = nullptr;
  region_is_guarded_ = false;
}

Fission::Stmts Fission::lowered(ir::StmtList list) {
  Stmts outer = std::move(out_);
  out_.clear();
  lower(list);
  flush();
  Stmts made = std::move(out_);
  out_ = std::move(outer);
  return made;
}

void Fission::lower(ir::StmtList list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool is_top = list.data() == kernel_.body.data();
    if (is_top && lower_rest_by_warps(*list[i], list.subspan(i + 1))) return;
    if (!lower_one(*list[i])) return;
  }
}

// False if nothing behind the statement is reached.
bool Fission::lower_one(const Stmt& stmt) {
  if (plan_.is_block_jump(&stmt)) return lower_jump(stmt);
  if (const auto* alloc = ir::as<ir::Alloc>(&stmt)) {
    if (alloc->tensor->scope == ir::Scope::Local) add(&stmt);
    return true;  // shared memory: allocated at the block's start
  }
  if (!plan_.is_block_level(&stmt)) {
    lower_leaf(stmt);
    return true;
  }
  if (const auto* branch = ir::as<ir::If>(&stmt)) {
    lower_if(*branch);
  } else if (const auto* loop = ir::as<ir::For>(&stmt)) {
    lower_for(*loop);
  } else if (const auto* counted = ir::as<ir::CountedFor>(&stmt)) {
    lower_counted_for(*counted);
  } else if (const auto* repeated = ir::as<ir::While>(&stmt)) {
    lower_while(*repeated);
  } else if (const auto* block = ir::as<ir::Block>(&stmt)) {
    lower_block(*block);
  } else {
    lower_leaf(stmt);
  }
  return true;
}

void Fission::lower_leaf(const Stmt& stmt) {
  if (const auto* declare = ir::as<ir::DeclareLocal>(&stmt);
      declare != nullptr && plan_.is_block_local(declare->local)) {
    flush();
    return emit(&stmt);
  }
  if (const auto* assign = ir::as<ir::Assign>(&stmt);
      assign != nullptr && plan_.is_block_local(assign->local)) {
    flush();
    return emit_if_any(stmt.span, {&stmt});
  }
  // The region being filled does not change what the value is made of.
  if (const auto* let = ir::as<ir::Let>(&stmt); let != nullptr && plan_.is_even_let(*let)) {
    return emit(&stmt);
  }
  if (const auto* call = ir::as<ir::Evaluate>(&stmt)) {
    const auto* barrier = ir::as<ir::Call>(call->value);
    if (barrier != nullptr && barrier->callee->effect == intrinsics::Effect::Barrier &&
        barrier->callee->convergence != intrinsics::Convergence::Thread) {
      return lower_barrier(*barrier);
    }
  }
  if (plan_.is_block_level(&stmt)) {
    return extract(stmt);
  }
  if (region_.empty()) region_is_guarded_ = !headings_.empty();
  JumpTranslator translator(context_.arena, *this);
  const Stmt* one[] = {&stmt};
  for (const Stmt* made : translator.rewrite(ir::StmtList(one)))
    region_.push_back(made);
  for (const std::int64_t heading : translator.headings())
    note_heading(heading);
}

void Fission::note_meeting(const ir::Call& call, bool is_watched) {
  if (context_.facts == nullptr) return;
  const bool is_barrier = call.callee->convergence != intrinsics::Convergence::Warp;
  context_.facts->meetings.push_back({call.span, call.callee->name, is_barrier, is_watched});
}

void Fission::lower_barrier(const ir::Call& call) {
  flush();
  const bool is_of_warp = call.callee->convergence == intrinsics::Convergence::Warp;
  if (!is_of_warp) is_behind_barrier_ = true;
  const bool is_watched = !headings_.empty() && !is_of_warp;
  note_meeting(call, is_watched);
  if (!is_watched) return;
  const Expr* here = count_threads(BinaryOp::Eq, kHere, call.span);
  const Expr* alive = count_threads(BinaryOp::Ne, kEnded, call.span);
  const Expr* nobody = build_.fold_binary(BinaryOp::Eq, here, i32(0, call.span), call.span);
  const Expr* all = build_.fold_binary(BinaryOp::Eq, here, alive, call.span);
  const Expr* is_fine = build_.fold_binary(BinaryOp::Or, nobody, all, call.span);
  emit(build_.stmt<ir::Assert>(call.span, is_fine, kDivergentBarrier));
}

void Fission::lower_if(const ir::If& stmt) {
  if (!plan_.is_native(&stmt)) {
    if (!lower_warp_if(stmt)) lower_uneven_if(stmt);
    return;
  }
  flush();
  const Headings before = headings_;
  Headings after = before;
  const auto branch = [&](ir::StmtList list) {
    headings_ = before;
    const ir::StmtList made = context_.arena.copy(lowered(list));
    for (const std::int64_t heading : headings_) {
      if (std::find(after.begin(), after.end(), heading) == after.end()) after.push_back(heading);
    }
    return made;
  };
  std::vector<ir::IfClause> clauses;
  for (const ir::IfClause& clause : stmt.clauses)
    clauses.push_back({clause.condition, branch(clause.body), clause.span});
  const ir::StmtList rest = branch(stmt.else_body);
  headings_ = after;
  emit(build_.stmt<ir::If>(stmt.span, std::span<const ir::IfClause>(context_.arena.copy(clauses)),
                           rest));
}

// Who does not take a branch heads for the next; who has run one, for the end.
void Fission::lower_uneven_if(const ir::If& stmt) {
  std::vector<std::int64_t> next_of;
  const bool is_single = stmt.clauses.size() == 1 && stmt.else_body.empty();
  const std::int64_t end = is_single ? 0 : new_heading();
  for (const ir::IfClause& clause : stmt.clauses) {
    const std::int64_t next = new_heading();
    const Expr* condition = extract(clause.condition);
    const Expr* refuses = build_.fold_unary(ir::UnaryOp::Not, condition, clause.span);
    const Stmt* head = head_for(next, clause.span);
    const ir::IfClause leave{refuses, context_.arena.copy({head}), clause.span};
    add(build_.stmt<ir::If>(clause.span, context_.arena.copy({leave}), ir::StmtList{}));
    flush();
    note_heading(next);
    const Stmts body = lowered(clause.body);
    emit_if_any(clause.span, body);
    if (!is_single) {
      add(head_for(end, clause.span));
      flush();
      note_heading(end);
    }
    arrive(next, clause.span);
  }
  if (is_single) return;
  emit_if_any(stmt.span, lowered(stmt.else_body));
  arrive(end, stmt.span);
}

// A loop's body: nobody in a turn ends the loop; who heads for the next turn arrives at its end.
Fission::Stmts Fission::loop_body(const Stmt& loop, ir::StmtList body) {
  Stmts outer = std::move(out_);
  out_.clear();
  if (!headings_.empty()) {
    const Expr* here = count_threads(BinaryOp::Eq, kHere, loop.span);
    const Expr* nobody = build_.fold_binary(BinaryOp::Eq, here, i32(0, loop.span), loop.span);
    const ir::IfClause clause{nobody, one(build_.stmt<ir::Break>(loop.span)), loop.span};
    emit(build_.stmt<ir::If>(loop.span, context_.arena.copy({clause}), ir::StmtList{}));
  }
  lower(body);
  flush();
  arrive_at({&loop, true}, loop.span);
  Stmts made = std::move(out_);
  out_ = std::move(outer);
  return made;
}

// A loop of the block: all threads take the same turns.
template <typename Loop>
void Fission::lower_native_loop(const Loop& loop) {
  flush();
  for (const JumpTarget& target : plan_.uneven_exits(&loop))
    note_heading(heading_of(target));
  Loop made = loop;
  if constexpr (std::is_same_v<Loop, ir::For>) made.loop = ir::ForKind::Serial;
  made.body = context_.arena.copy(loop_body(loop, loop.body));
  emit(context_.arena.make<Loop>(made));
  arrive_at({&loop, false}, loop.span);
}

void Fission::lower_for(const ir::For& loop) {
  return plan_.is_native(&loop) ? lower_native_loop(loop) : lower_uneven_for(loop);
}

void Fission::lower_while(const ir::While& loop) {
  if (plan_.is_native(&loop)) return lower_native_loop(loop);
  lower_uneven_while(loop, loop.condition, {}, loop.body, {});
}

// Each thread counts for itself.
void Fission::lower_uneven_for(const ir::For& loop) {
  const ir::Span span = loop.span;
  const DType type = loop.var->dtype;
  const std::string name(loop.var->name);
  const ir::Local* counter = arrays_.local(name + "_turn", type, span);
  const ir::Local* end = arrays_.local(name + "_end", type, span);
  const Expr* first = extract(loop.begin);
  const Expr* last = extract(loop.end);
  add(build_.stmt<ir::DeclareLocal>(span, counter));
  add(build_.stmt<ir::Assign>(span, counter, first));
  add(build_.stmt<ir::DeclareLocal>(span, end));
  add(build_.stmt<ir::Assign>(span, end, last));
  const Expr* value = build_.local(counter, span);
  const BinaryOp op = loop.step > 0 ? BinaryOp::Lt : BinaryOp::Gt;
  const Expr* goes_on = build_.make_binary(op, value, build_.local(end, span), span);
  const Expr* more =
      build_.make_binary(BinaryOp::Add, value, build_.int_imm(type, loop.step, span), span);
  lower_uneven_while(loop, goes_on, {build_.stmt<ir::Let>(span, loop.var, value)}, loop.body,
                     {build_.stmt<ir::Assign>(span, counter, more)});
}

void Fission::lower_counted_for(const ir::CountedFor& loop) {
  if (plan_.is_native(&loop)) return lower_native_loop(loop);
  const ir::Span span = loop.span;
  const DType type = loop.var->dtype;
  const DType counter_type = loop.turns->dtype;
  const std::string name(loop.var->name);
  const ir::Local* counter = arrays_.local(name + "_turn", counter_type, span);
  const ir::Local* turns = arrays_.local(name + "_turns", counter_type, span);
  const ir::Local* start = arrays_.local(name + "_start", type, span);
  const std::pair<const ir::Local*, const Expr*> values[] = {
      {counter, build_.int_imm(counter_type, 0, span)},
      {turns, extract(loop.turns)},
      {start, extract(loop.start)}};
  for (const auto& [local, value] : values) {
    add(build_.stmt<ir::DeclareLocal>(span, local));
    add(build_.stmt<ir::Assign>(span, local, value));
  }
  const Expr* turn = build_.local(counter, span);
  const Expr* goes_on = build_.make_binary(BinaryOp::Lt, turn, build_.local(turns, span), span);
  const Expr* distance =
      build_.make_binary(BinaryOp::Mul, build_.fold_cast(type, turn, span), loop.step, span);
  const Expr* value = build_.make_binary(BinaryOp::Add, build_.local(start, span), distance, span);
  const Expr* more =
      build_.make_binary(BinaryOp::Add, turn, build_.int_imm(counter_type, 1, span), span);
  lower_uneven_while(loop, goes_on, {build_.stmt<ir::Let>(span, loop.var, value)}, loop.body,
                     {build_.stmt<ir::Assign>(span, counter, more)});
}

// `first` and `last` are threads' statements around the body of each turn.
void Fission::lower_uneven_while(const Stmt& loop, const Expr* condition, const Stmts& first,
                                 ir::StmtList body, const Stmts& last) {
  const ir::Span span = loop.span;
  flush();
  const std::int64_t behind = heading_of({&loop, false});
  for (const JumpTarget& target : plan_.uneven_exits(&loop))
    note_heading(heading_of(target));
  Stmts outer = std::move(out_);
  out_.clear();
  note_heading(behind);
  const Expr* refuses = build_.fold_unary(ir::UnaryOp::Not, extract(condition), condition->span);
  const ir::IfClause leave{refuses, context_.arena.copy({head_for(behind, span)}), span};
  add(build_.stmt<ir::If>(span, context_.arena.copy({leave}), ir::StmtList{}));
  flush();
  const Expr* here = count_threads(BinaryOp::Eq, kHere, span);
  const Expr* nobody = build_.fold_binary(BinaryOp::Eq, here, i32(0, span), span);
  const ir::IfClause stop{nobody, one(build_.stmt<ir::Break>(span)), span};
  emit(build_.stmt<ir::If>(span, context_.arena.copy({stop}), ir::StmtList{}));
  for (const Stmt* stmt : first)
    add(stmt);
  lower(body);
  flush();
  arrive_at({&loop, true}, span);
  for (const Stmt* stmt : last)
    add(stmt);
  flush();
  Stmts made = std::move(out_);
  out_ = std::move(outer);
  emit(build_.stmt<ir::While>(span, build_.bool_imm(true, span),
                              ir::StmtList(context_.arena.copy(made))));
  arrive(behind, span);
}

void Fission::lower_block(const ir::Block& block) {
  flush();
  const ir::StmtList body = context_.arena.copy(lowered(block.body));
  emit(build_.stmt<ir::Block>(block.span, block.label, body));
  if (block.label != nullptr) arrive_at({block.label, false}, block.span);
}

bool Fission::lower_jump(const Stmt& jump) {
  const JumpTarget target = plan_.target_of(&jump);
  if (!plan_.is_native_jump(&jump)) {
    const std::int64_t heading = heading_of(target);
    add(head_for(heading, jump.span));
    flush();
    note_heading(heading);
    return false;
  }
  // All threads come by here or none does; where each decides for itself, none may be here now.
  flush();
  const Stmt* made = &jump;
  if (target.place == nullptr) {
    if (block_end_ == nullptr) block_end_ = context_.arena.make<ir::Label>("block_end");
    made = build_.stmt<ir::Leave>(jump.span, block_end_);
  }
  emit_if_any(jump.span, {made});
  return false;
}

std::int64_t Fission::heading_of(JumpTarget target) {
  if (target.place == nullptr) return kEnded;
  std::int64_t& heading = targets_[target.to_next_turn ? 1 : 0][target.place];
  if (heading == 0) heading = new_heading();
  return heading;
}

const ir::Tensor* Fission::heading_array() {
  if (heading_ == nullptr) heading_ = arrays_.make_per_thread("heading", kInt32, kernel_.span);
  return heading_;
}

const Stmt* Fission::head_for(std::int64_t heading, ir::Span span) {
  return arrays_.set(heading_array(), arrays_.thread(span), i32(heading, span), span);
}

const Expr* Fission::is_heading(BinaryOp op, std::int64_t heading, ir::Span span) {
  const Expr* value = arrays_.element(heading_array(), arrays_.thread(span), span);
  return build_.make_binary(op, value, i32(heading, span), span);
}

void Fission::note_heading(std::int64_t heading) {
  if (std::find(headings_.begin(), headings_.end(), heading) == headings_.end()) {
    headings_.push_back(heading);
  }
}

// Threads on their way to this place are here now.
void Fission::arrive(std::int64_t heading, ir::Span span) {
  const auto found = std::find(headings_.begin(), headings_.end(), heading);
  if (found == headings_.end()) return;
  flush();
  headings_.erase(found);
  const ir::IfClause clause{is_heading(BinaryOp::Eq, heading, span),
                            context_.arena.copy({head_for(kHere, span)}), span};
  region_.push_back(build_.stmt<ir::If>(span, context_.arena.copy({clause}), ir::StmtList{}));
  region_is_guarded_ = false;
  flush();
}

void Fission::arrive_at(JumpTarget target, ir::Span span) {
  const auto& known = targets_[target.to_next_turn ? 1 : 0];
  if (const auto found = known.find(target.place); found != known.end()) {
    arrive(found->second, span);
  }
}

const Expr* Fission::count_threads(BinaryOp op, std::int64_t heading, ir::Span span) {
  const std::string name = "threads_" + std::to_string(names_++);
  const ir::Local* count = arrays_.local(name, kInt32, span);
  emit(build_.stmt<ir::DeclareLocal>(span, count));
  emit(build_.stmt<ir::Assign>(span, count, i32(0, span)));
  emit(arrays_.loop("k", arrays_.thread_count(span), span, [&](const Expr* k) {
    const Expr* is_one =
        build_.make_binary(op, arrays_.element(heading_array(), k, span), i32(heading, span), span);
    const Expr* more = build_.make_binary(BinaryOp::Add, build_.local(count, span),
                                          build_.make_cast(kInt32, is_one, span), span);
    return Stmts{build_.stmt<ir::Assign>(span, count, more)};
  }));
  return build_.local(count, span);
}

// Statements of the block that must not run when nobody is here.
void Fission::emit_if_any(ir::Span span, const Stmts& body) {
  if (body.empty()) return;
  if (headings_.empty()) {
    out_.insert(out_.end(), body.begin(), body.end());
    return;
  }
  const Expr* here = count_threads(BinaryOp::Eq, kHere, span);
  const Expr* any = build_.fold_binary(BinaryOp::Ne, here, i32(0, span), span);
  const ir::IfClause clause{any, context_.arena.copy(body), span};
  emit(build_.stmt<ir::If>(span, context_.arena.copy({clause}), ir::StmtList{}));
}

}  // namespace tirxcc::passes
