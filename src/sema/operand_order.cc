// SPDX-License-Identifier: Apache-2.0
//
// Operands are evaluated from left to right, as in Python. An operand that expands to statements (a
// call of a @T.inline function) puts them before the expression, and so before the operands to its
// left; where they change what such an operand reads, it is read before them, into a name.
//
//   @T.inline                          int acc_before = acc;
//   def f(x):                          acc = acc * 2;
//       x = x * 2           ->         B[i] = acc_before + acc;
//       return x
//   B[i] = acc + f(acc)
#include <algorithm>

#include "ir/traverse.h"
#include "sema/function_sema.h"

namespace tirxcc::sema {
namespace {

// What an expression reads that statements can change.
struct Reads {
  std::vector<const ir::Local*> locals;
  bool memory = false;

  explicit Reads(const ir::Expr& expr) {
    ir::walk_exprs(expr, [&](const ir::Expr& e) {
      if (const auto* read = ir::as<ir::LocalRead>(&e)) locals.push_back(read->local);
      memory = memory || ir::is<ir::Load>(&e) || ir::is<ir::VectorLoad>(&e) || ir::is<ir::Call>(&e);
    });
  }
  bool nothing() const { return locals.empty() && !memory; }

  bool are_changed_by(const ir::Stmt& stmt) const {
    if (const auto* assign = ir::as<ir::Assign>(&stmt)) {
      return std::find(locals.begin(), locals.end(), assign->local) != locals.end();
    }
    if (!memory) return false;
    if (ir::is<ir::Store>(&stmt) || ir::is<ir::VectorStore>(&stmt)) return true;
    bool has_effect = false;
    ir::for_each_operand(
        stmt, [&](const ir::Expr& e) { has_effect = has_effect || !ir::has_no_effect(&e); });
    return has_effect;
  }
};

}  // namespace

StatementMark FunctionSema::mark() {
  if (frame_ == kNoFrame) return {};
  return {frame_, list_size(), static_cast<std::uint32_t>(frames_.size())};
}

// Positions after the mark move on by one.
void FunctionSema::insert_statement(const StatementMark& mark, const ir::Stmt* stmt) {
  stack_.insert(stack_.begin() + frames_[frame_].begin + mark.position, stmt);
  for (std::size_t i = mark.frames; i < frames_.size(); ++i) {
    if (frames_[i].parent == frame_) ++frames_[i].position;
  }
  for (Variable* variable : variables_) {
    if (variable->frame == frame_ && variable->position > mark.position) ++variable->position;
  }
}

Value FunctionSema::settle(const StatementMark& mark, const Value& value, Span span) {
  if (frame_ == kNoFrame || mark.frame != frame_ || list_size() == mark.position) return value;
  if (!value.is_expr() || value.expr->dtype.is_void()) return value;
  const Reads reads(*value.expr);
  if (reads.nothing()) return value;
  const std::span<const ir::Stmt* const> since(
      stack_.data() + frames_[frame_].begin + mark.position, list_size() - mark.position);
  bool is_changed = false;
  for (const ir::Stmt* stmt : since) {
    ir::walk_stmts({&stmt, 1},
                   [&](const ir::Stmt& s) { is_changed = is_changed || reads.are_changed_by(s); });
  }
  if (!is_changed) return value;
  const auto* read = ir::as<ir::LocalRead>(value.expr);
  const std::string_view name =
      read != nullptr ? name_with(read->local->name, "_before") : std::string_view("before");
  const auto* var = module_.arena.make<ir::Var>(
      ir::Var{name, value.expr->dtype, span, ir::VarKind::Let, ir::pointee_of(value.expr)});
  frames_[frame_].has_declarations = true;
  insert_statement(mark, context_.build.stmt<ir::Let>(span, var, value.expr));
  return Value::of_expr(context_.build.var(var, span), value.constant);
}

}  // namespace tirxcc::sema
