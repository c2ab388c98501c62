// SPDX-License-Identifier: Apache-2.0
//
// See uninitialised_read.h. One walk in the order of the text keeps the scalars that some path may
// have assigned; what is in both branches and in neither loop turn falls out of that, as the set
// only grows. A statement that a loop may reach in a later turn first (under a condition, behind a
// jump) sees all that the loops around it assign.
#include "passes/uninitialised_read.h"

#include <utility>
#include <vector>

#include "base/pointer_map.h"
#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
namespace {

using namespace ir;
using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kUninitialised{"uninitialised-read", Severity::Warning, ErrorClass::Value,
                                    "'{}' is read before anything is assigned to it"};

bool is_loop(const Stmt& stmt) {
  return is<For>(&stmt) || is<CountedFor>(&stmt) || is<While>(&stmt);
}

// The same in every turn of the loops around, so a loop up to it runs in the first one or never.
bool is_invariant(const Expr* expr) {
  return !any_expr(*expr, [](const Expr& e) {
    if (const auto* ref = as<VarRef>(&e)) {
      return ref->var->kind != VarKind::Symbol && ref->var->kind != VarKind::Param;
    }
    return !is<IntImm>(&e) && !is<Binary>(&e) && !is<Cast>(&e);
  });
}

class Finder {
 public:
  Finder(StmtList body, source::Diagnostics& diags) : diags_(diags) {
    number_assignments(body);
    if (declared_.size() == 0) return;
    walk(body);
  }

 private:
  struct Loop {
    std::size_t first = 0;  // its assignments, in assignments_
    std::size_t last = 0;
    bool is_taken = false;
  };

  void number_assignments(StmtList body) {
    walk_stmts(
        body,
        [&](const Stmt& stmt) {
          if (const auto* made = as<DeclareLocal>(&stmt)) declared_[made->local] = true;
          if (const auto* assign = as<Assign>(&stmt)) {
            if (assignments_.empty()) assignments_.reserve(32);
            assignments_.push_back(assign->local);
          }
          if (is_loop(stmt)) loops_[&stmt].first = assignments_.size();
        },
        [&](const Stmt& stmt) {
          if (is_loop(stmt)) loops_[&stmt].last = assignments_.size();
        });
  }

  // What the loops around assign may have been assigned in an earlier turn.
  void take_earlier_turns() {
    for (Loop* loop : around_) {
      if (std::exchange(loop->is_taken, true)) continue;
      for (std::size_t i = loop->first; i < loop->last; ++i)
        assigned_[assignments_[i]] = true;
    }
  }

  bool may_be_assigned(const Local* local) const {
    const bool* found = assigned_.find(local);
    return local->address_taken || !declared_.contains(local) || (found != nullptr && *found);
  }

  void read(const Expr& root) {
    bool is_lazy = false;
    const LocalRead* found = nullptr;
    walk_exprs(root, [&](const Expr& expr) {
      const auto* binary = as<Binary>(&expr);
      is_lazy = is_lazy || is<Select>(&expr) || (binary != nullptr && is_logical(binary->op));
      const auto* local = as<LocalRead>(&expr);
      if (local != nullptr && found == nullptr && !may_be_assigned(local->local)) found = local;
    });
    if (found == nullptr) return;
    // An operand that may not be evaluated in the first turn.
    if (is_lazy) take_earlier_turns();
    if (!may_be_assigned(found->local)) report(*found);
  }

  void report(const LocalRead& read) {
    const Local* local = read.local;
    assigned_[local] = true;
    diags_.report(read.span, kUninitialised, local->name)
        .label(local->span, "'{}' is declared here, without a value", local->name)
        .note("give it its first value there: '{}: T.{} = {}'", local->name,
              to_string(local->dtype),
              local->dtype.is_float()  ? "0.0"
              : local->dtype.is_bool() ? "False"
                                       : "0");
  }

  // True if there is a jump inside: what follows may be reached in a later turn first.
  bool walk(StmtList list) {
    bool has_jump = false;
    for (const Stmt* stmt : list) {
      const bool jumps = visit_stmt(*stmt);
      if (jumps) take_earlier_turns();
      has_jump = has_jump || jumps;
    }
    return has_jump;
  }

  bool visit_stmt(const Stmt& stmt) {
    if (const auto* branch = as<If>(&stmt)) return visit_if(*branch);
    if (is_loop(stmt)) return visit_loop(stmt);
    for_each_operand(stmt, [&](const Expr& expr) { read(expr); });
    if (const auto* made = as<DeclareLocal>(&stmt)) assigned_[made->local] = false;
    if (const auto* assign = as<Assign>(&stmt)) assigned_[assign->local] = true;
    bool has_jump = is<Break>(&stmt) || is<Continue>(&stmt) || is<Leave>(&stmt);
    for_each_body(stmt, [&](StmtList body) { has_jump = walk(body) || has_jump; });
    return has_jump;
  }

  bool visit_if(const If& branch) {
    bool has_jump = false;
    for (const IfClause& clause : branch.clauses) {
      read(*clause.condition);
      take_earlier_turns();
      has_jump = walk(clause.body) || has_jump;
    }
    return walk(branch.else_body) || has_jump;
  }

  bool visit_loop(const Stmt& stmt) {
    const auto* counted = as<For>(&stmt);
    if (counted == nullptr || !is_invariant(counted->begin) || !is_invariant(counted->end)) {
      take_earlier_turns();
    }
    // Bounds are evaluated before the loop, a condition again before each turn.
    const bool is_while = is<While>(&stmt);
    if (!is_while) for_each_operand(stmt, [&](const Expr& expr) { read(expr); });
    around_.push_back(&loops_[&stmt]);
    if (is_while) for_each_operand(stmt, [&](const Expr& expr) { read(expr); });
    bool has_jump = false;
    for_each_body(stmt, [&](StmtList body) { has_jump = walk(body) || has_jump; });
    around_.pop_back();
    return has_jump;
  }

  source::Diagnostics& diags_;
  PointerMap<bool> declared_;
  PointerMap<bool> assigned_;
  std::vector<const Local*> assignments_;
  PointerMap<Loop> loops_;
  std::vector<Loop*> around_;
};

}  // namespace

void warn_of_uninitialised_reads(const ir::Function& function, source::Diagnostics& diags) {
  Finder(function.host_body, diags);
  for (const Kernel* kernel : function.kernels)
    Finder(kernel->body, diags);
}

}  // namespace tirxcc::passes
