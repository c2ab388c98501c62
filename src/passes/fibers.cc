// SPDX-License-Identifier: Apache-2.0
//
// See fibers.h. A loop waits for memory if what ends it is read, in every turn, from a place that
// does not change from turn to turn and that the kernel writes elsewhere: a flag, a counter, a
// lock. A search, a queue, an attempt that others can only delay, or what also counts its turns is
// no such loop.
#include "passes/fibers.h"

#include <unordered_set>
#include <vector>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/rewriter.h"
#include "ir/traverse.h"
#include "passes/cpu_facts.h"

namespace tirxcc::passes {
namespace {

using intrinsics::Effect;

constexpr std::string_view kSleep = "cuda.nano_sleep";
// So often in a row a loop that is not known to wait counts as one that gets on.
constexpr std::int64_t kTurns = 1000;

bool is_fiber_operation(const ir::Call& call) {
  return call.callee->cpu == "fiber";
}

// What has a site: all that lets a fiber wait.
bool is_meeting(const ir::Call& call) {
  return call.callee->convergence != intrinsics::Convergence::Thread || call.callee->name == kSleep;
}

bool is_atomic(const ir::Expr& expr) {
  const auto* call = ir::as<ir::Call>(&expr);
  return call != nullptr && call->callee->effect == Effect::Atomic;
}

// Tensors that some statement stores to, or may: by a pointer. And arrays of the block.
std::unordered_set<const ir::Tensor*> written_tensors(const ir::Kernel& kernel) {
  std::unordered_set<const ir::Tensor*> written;
  ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) {
    if (const auto* store = ir::as<ir::Store>(&stmt)) written.insert(store->tensor);
  });
  ir::walk_exprs(kernel.body, [&](const ir::Expr& expr) {
    if (const auto* address = ir::as<ir::AddressOf>(&expr)) written.insert(address->tensor);
  });
  return written;
}

// What a loop changes from turn to turn, and how it may end.
struct Turn {
  std::unordered_set<const void*> changed;       // locals and names made inside
  std::unordered_set<const ir::Tensor*> stored;  // by the loop itself
  std::vector<const ir::Expr*> conditions;       // of the loop and of ifs with a jump inside
  std::unordered_set<const ir::Local*> moving;   // get values that the loop works out itself
};

class WaitFinder {
 public:
  explicit WaitFinder(const ir::Kernel& kernel) : written_(written_tensors(kernel)) {}

  bool waits(const ir::While& loop) const {
    Turn turn;
    turn.conditions.push_back(loop.condition);
    ir::walk_stmts(loop.body, [&](const ir::Stmt& stmt) { note(stmt, turn); });
    ir::walk_exprs(loop.body, [&](const ir::Expr& expr) {
      if (const auto* address = ir::as<ir::AddressOf>(&expr)) turn.stored.insert(address->tensor);
    });
    const auto asks = [&](const ir::Expr& e) { return asks_others(e, turn); };
    ir::walk_stmts(loop.body, [&](const ir::Stmt& stmt) {
      const auto* assign = ir::as<ir::Assign>(&stmt);
      if (assign != nullptr && !ir::any_expr(*assign->value, asks)) {
        turn.moving.insert(assign->local);
      }
    });
    // What a condition names is made of expressions of the turn; two steps reach all that matters.
    for (int step = 0; step < 2; ++step)
      add_sources(loop, turn);
    for (const ir::Expr* condition : turn.conditions) {
      const bool moves = ir::any_expr(*condition, [&](const ir::Expr& e) {
        const auto* read = ir::as<ir::LocalRead>(&e);
        return read != nullptr && turn.moving.contains(read->local);
      });
      if (!moves && ir::any_expr(*condition, asks)) return true;
    }
    return false;
  }

 private:
  static void note(const ir::Stmt& stmt, Turn& turn) {
    if (const auto* assign = ir::as<ir::Assign>(&stmt)) turn.changed.insert(assign->local);
    if (const auto* declare = ir::as<ir::DeclareLocal>(&stmt)) turn.changed.insert(declare->local);
    if (const auto* let = ir::as<ir::Let>(&stmt)) turn.changed.insert(let->var);
    if (const auto* loop = ir::as<ir::For>(&stmt)) turn.changed.insert(loop->var);
    if (const auto* loop = ir::as<ir::CountedFor>(&stmt)) turn.changed.insert(loop->var);
    if (const auto* store = ir::as<ir::Store>(&stmt)) turn.stored.insert(store->tensor);
    const auto* branch = ir::as<ir::If>(&stmt);
    if (branch == nullptr) return;
    bool has_jump = false;
    const auto look = [&](const ir::Stmt& inner) {
      has_jump |= ir::is<ir::Break>(&inner) || ir::is<ir::Leave>(&inner) ||
                  ir::is<ir::ThreadReturn>(&inner);
    };
    for (const ir::IfClause& clause : branch->clauses)
      ir::walk_stmts(clause.body, look);
    ir::walk_stmts(branch->else_body, look);
    if (!has_jump) return;
    for (const ir::IfClause& clause : branch->clauses)
      turn.conditions.push_back(clause.condition);
  }

  // The values of names and scalars that conditions ask for.
  static void add_sources(const ir::While& loop, Turn& turn) {
    std::unordered_set<const void*> asked;
    for (const ir::Expr* condition : turn.conditions) {
      ir::walk_exprs(*condition, [&](const ir::Expr& e) {
        if (const auto* read = ir::as<ir::LocalRead>(&e)) asked.insert(read->local);
        if (const auto* ref = ir::as<ir::VarRef>(&e)) asked.insert(ref->var);
      });
    }
    ir::walk_stmts(loop.body, [&](const ir::Stmt& stmt) {
      const auto* assign = ir::as<ir::Assign>(&stmt);
      const auto* let = ir::as<ir::Let>(&stmt);
      if (assign != nullptr && asked.contains(assign->local)) {
        turn.conditions.push_back(assign->value);
      }
      if (let != nullptr && asked.contains(let->var)) turn.conditions.push_back(let->value);
    });
  }

  static bool is_fixed(const ir::Expr& expr, const Turn& turn) {
    return !ir::any_expr(expr, [&](const ir::Expr& e) {
      const auto* read = ir::as<ir::LocalRead>(&e);
      const auto* ref = ir::as<ir::VarRef>(&e);
      return (read != nullptr && turn.changed.contains(read->local)) ||
             (ref != nullptr && turn.changed.contains(ref->var)) || ir::is<ir::Load>(&e) ||
             (ir::is<ir::Call>(&e) && ir::as<ir::Call>(&e)->callee->effect != Effect::Pure);
    });
  }

  // A value that this loop can only wait for.
  bool asks_others(const ir::Expr& expr, const Turn& turn) const {
    if (const auto* load = ir::as<ir::Load>(&expr)) {
      if (load->tensor->scope == ir::Scope::Local) return false;
      if (!written_.contains(load->tensor) || turn.stored.contains(load->tensor)) return false;
      for (const ir::Expr* index : load->indices) {
        if (!is_fixed(*index, turn)) return false;
      }
      return true;
    }
    if (!is_atomic(expr)) return false;
    const auto& call = *ir::as<ir::Call>(&expr);
    if (!is_fixed(*call.args[0], turn) || !is_fixed(*call.args[1], turn)) return false;
    // A lock (exchange), or a look (adding nothing); what counts on gets a new number each time.
    const std::string_view name = call.callee->name;
    if (name == "cuda.atomic_cas" || name == "cuda.atomic_exch") return true;
    const bool counts = name == "cuda.atomic_add" || name == "cuda.atomic_sub";
    return !counts || ir::is_int_value(call.args[1], 0);
  }

  std::unordered_set<const ir::Tensor*> written_;
};

// Whether control comes to a place in the turn where the fiber lets others run.
bool has_meeting(ir::StmtList body) {
  bool has = false;
  ir::walk_exprs(body, [&](const ir::Expr& e) {
    const auto* call = ir::as<ir::Call>(&e);
    has |= call != nullptr && is_meeting(*call);
  });
  return has;
}

// A loop over memory that others may write.
bool reads_memory(const ir::While& loop) {
  const auto reads = [](const ir::Expr& e) {
    const auto* load = ir::as<ir::Load>(&e);
    return (load != nullptr && load->tensor->scope != ir::Scope::Local) || is_atomic(e);
  };
  bool has = ir::any_expr(*loop.condition, reads);
  ir::walk_exprs(loop.body, [&](const ir::Expr& e) { has |= reads(e); });
  return has;
}

class SiteNumbers : public ir::Rewriter<SiteNumbers> {
 public:
  using Rewriter::on_expr;
  using Rewriter::on_stmt;
  SiteNumbers(Arena& arena, const ir::Kernel& kernel)
      : Rewriter(arena),
        finder_(kernel),
        sleep_(intrinsics::find(kSleep, kernel.dialect == ir::Dialect::A ? 'A' : 'B')) {}

  const ir::Expr* on_expr(const ir::Call& call) {
    const ir::Expr* made = rebuild(call);
    if (!is_meeting(call)) return made;
    const ir::ExprList given = ir::as<ir::Call>(made)->args;
    std::vector<const ir::Expr*> args(given.begin(), given.end());
    const bool is_sleep = call.callee->name == kSleep;
    if (is_sleep) args.assign(1, build().int_imm(kUInt32, 0, call.span));
    args.push_back(site(call.span, is_sleep ? "" : call.callee->name));
    return build().make_call(call.callee, call.dtype, arena().copy(args), call.span);
  }

  void on_stmt(const ir::While& loop) {
    const bool yields = reads_memory(loop) && !has_meeting(loop.body) &&
                        !ir::any_expr(*loop.condition, [](const ir::Expr& e) {
                          const auto* call = ir::as<ir::Call>(&e);
                          return call != nullptr && is_meeting(*call);
                        });
    if (!yields) return emit(rebuild(loop));
    const ir::Span span = loop.span;
    const ir::Expr* args[] = {build().int_imm(kUInt32, finder_.waits(loop) ? 0 : kTurns, span),
                              site(span, "")};
    const ir::Expr* sleep =
        build().make_call(sleep_, kVoid, arena().copy(ir::ExprList(args)), span);
    ir::While made = loop;
    made.condition = rewrite(loop.condition);
    const ir::StmtList body = rewrite(loop.body);
    std::vector<const ir::Stmt*> list = {build().stmt<ir::Evaluate>(span, sleep)};
    list.insert(list.end(), body.begin(), body.end());
    made.body = arena().copy(list);
    emit(arena().make<ir::While>(made));
  }

  const std::vector<ir::MeetingSite>& sites() const { return sites_; }

 private:
  const ir::Expr* site(ir::Span span, std::string_view name) {
    sites_.push_back({span, name});
    return build().int_imm(kInt32, static_cast<std::int64_t>(sites_.size()) - 1, span);
  }

  WaitFinder finder_;
  const intrinsics::Intrinsic* sleep_;
  std::vector<ir::MeetingSite> sites_;
};

}  // namespace

FiberReason needs_fibers(const ir::Kernel& kernel) {
  FiberReason reason;
  if (kernel.kind != ir::KernelKind::Device) return reason;
  ir::walk_exprs(kernel.body, [&](const ir::Expr& expr) {
    const auto* call = ir::as<ir::Call>(&expr);
    if (!reason && call != nullptr && is_fiber_operation(*call)) {
      reason = {call->span, call->callee->name};
    }
  });
  if (reason) return reason;
  bool has_while = false;
  ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) { has_while |= ir::is<ir::While>(&stmt); });
  if (!has_while) return reason;
  const WaitFinder finder(kernel);
  ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) {
    const auto* loop = ir::as<ir::While>(&stmt);
    if (!reason && loop != nullptr && finder.waits(*loop)) reason = {loop->span, {}};
  });
  return reason;
}

const ir::CpuKernel& with_fibers(const ir::Kernel& kernel, PassContext& context) {
  if (context.facts != nullptr) {
    context.facts->is_fibers = true;
    context.facts->fiber_reason = needs_fibers(kernel);
  }
  SiteNumbers numbers(context.arena, kernel);
  const ir::StmtList body = numbers.rewrite(kernel.body);
  ir::CpuKernel made;
  made.kernel = &ir::with_body(context.arena, kernel, body);
  made.is_fibers = true;
  made.sites = context.arena.copy(numbers.sites());
  return *context.arena.make<ir::CpuKernel>(made);
}

}  // namespace tirxcc::passes
