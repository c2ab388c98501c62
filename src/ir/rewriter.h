// SPDX-License-Identifier: Apache-2.0
//
// The base of every pass that changes a tree. A pass derives from Rewriter<itself> and defines
// overloads for the nodes it changes; all else is rebuilt bottom-up, and what did not change is
// shared, down to whole statement lists.
//
//   class Double : public Rewriter<Double> {
//    public:
//     using Rewriter::Rewriter;
//     using Rewriter::on_expr;
//     using Rewriter::on_stmt;
//     const Expr* on_expr(const VarRef& ref) { return twice(ref); }    // the new expression
//     void on_stmt(const Evaluate&) {}                                 // emits nothing: removed
//     void on_stmt(const Store& s) { emit(rebuild(s)); emit(extra); }  // becomes two statements
//   };
//   StmtList body = Double(arena).rewrite(kernel.body);
//
// Variables stay the same objects unless the pass defines map(const Var*), map(const Local*),
// map(const Tensor*) or map(const Label*); rewrite_tensor() makes a tensor whose shape is
// rewritten.
#pragma once

#include <tuple>
#include <unordered_map>
#include <vector>

#include "ir/builder.h"
#include "ir/ir.h"

namespace tirxcc::ir {

template <typename Derived>
class Rewriter {
 public:
  explicit Rewriter(Arena& arena) : arena_(&arena), build_(arena) {}

  // The rewritten expression; the same pointer if nothing changed. Null stays null.
  const Expr* rewrite(const Expr* expr) {
    if (expr == nullptr) return nullptr;
    return visit(*expr, [&](const auto& node) { return derived().on_expr(node); });
  }
  ExprList rewrite_exprs(ExprList list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Expr* changed = rewrite(list[i]);
      if (changed != list[i]) return rest_of_exprs(list, i, changed);
    }
    return list;
  }
  // The rewritten list; the same span if nothing changed.
  StmtList rewrite(StmtList list) {
    std::size_t start = out_.size();
    derived().enter_list();
    for (const Stmt* stmt : list) {
      if (is_list_ended()) break;
      visit(*stmt, [&](const auto& node) { derived().on_stmt(node); });
      derived().after(*stmt);
    }
    derived().leave_list();
    StmtList made(out_.data() + start, out_.size() - start);
    bool same = made.size() == list.size() && std::equal(made.begin(), made.end(), list.begin());
    StmtList result = same ? list : arena_->copy(made);
    out_.resize(start);
    ended_ = false;
    return result;
  }

  // Defaults, for the nodes that the pass does not name.
  template <typename T>
  const Expr* on_expr(const T& node) {
    return rebuild(node);
  }
  template <typename T>
  void on_stmt(const T& node) {
    emit(rebuild(node));
  }
  // Around each list, and behind each statement of the original list.
  void enter_list() {}
  void after(const Stmt&) {}
  void leave_list() {}
  const Var* map(const Var* var) { return var; }
  const Local* map(const Local* local) { return local; }
  const Tensor* map(const Tensor* tensor) { return tensor; }
  const Label* map(const Label* label) { return label; }

 protected:
  Derived& derived() { return static_cast<Derived&>(*this); }
  Arena& arena() const { return *arena_; }
  const Builder& build() const { return build_; }

  // Appends to the list being rewritten.
  void emit(const Stmt* stmt) {
    if (out_.capacity() == 0) out_.reserve(64);
    out_.push_back(stmt);
  }
  // The rest of the list being rewritten is dropped (code that nothing reaches).
  void end_list() { ended_ = true; }

  // The node with its children rewritten and its variables mapped; itself if nothing changed.
  template <typename T>
  const T* rebuild(const T& node) {
    T copy = node;
    bool changed = false;
    std::apply([&](auto... fields) { ((changed |= update(copy.*fields)), ...); }, T::kFields);
    return changed ? arena_->template make<T>(copy) : &node;
  }

  // The tensor with rewritten shape, strides and offset; one new object per tensor.
  const Tensor* rewrite_tensor(const Tensor* tensor) {
    if (tensor == nullptr) return nullptr;
    auto [place, is_new] = tensors_.try_emplace(tensor, tensor);
    if (!is_new) return place->second;
    Tensor copy = *tensor;
    copy.shape = rewrite_exprs(tensor->shape);
    copy.strides = rewrite_exprs(tensor->strides);
    copy.elem_offset = rewrite(tensor->elem_offset);
    bool same = copy.shape.data() == tensor->shape.data() &&
                copy.strides.data() == tensor->strides.data() &&
                copy.elem_offset == tensor->elem_offset;
    const Tensor* result = same ? tensor : arena_->template make<Tensor>(copy);
    tensors_[tensor] = result;
    return result;
  }

 private:
  bool is_list_ended() const { return ended_; }

  ExprList rest_of_exprs(ExprList list, std::size_t at, const Expr* changed) {
    std::vector<const Expr*> made(list.begin(), list.end());
    made[at] = changed;
    for (std::size_t i = at + 1; i < made.size(); ++i)
      made[i] = rewrite(made[i]);
    return arena_->copy(made);
  }

  template <typename T>
  bool replace(T& field, const T& value) {
    bool changed = field != value;
    field = value;
    return changed;
  }
  bool update(const Expr*& field) { return replace(field, rewrite(field)); }
  bool update(const Var*& field) { return replace(field, derived().map(field)); }
  bool update(const Local*& field) { return replace(field, derived().map(field)); }
  bool update(const Tensor*& field) { return replace(field, derived().map(field)); }
  bool update(const Label*& field) { return replace(field, derived().map(field)); }
  bool update(ExprList& field) {
    ExprList made = rewrite_exprs(field);
    bool changed = made.data() != field.data();
    field = made;
    return changed;
  }
  bool update(StmtList& field) {
    StmtList made = rewrite(field);
    bool changed = made.data() != field.data() || made.size() != field.size();
    field = made;
    return changed;
  }
  bool update(std::span<const IfClause>& field) {
    std::vector<IfClause> made;  // all clauses, once one of them has changed
    for (std::size_t i = 0; i < field.size(); ++i) {
      IfClause clause = field[i];
      const bool has_condition = update(clause.condition);
      const bool has_body = update(clause.body);
      if (!has_condition && !has_body) continue;
      if (made.empty()) made.assign(field.begin(), field.end());
      made[i] = clause;
    }
    if (made.empty()) return false;
    field = arena_->copy(made);
    return true;
  }
  template <typename T>
  bool update(T&) {
    return false;  // an attribute
  }

  Arena* arena_;
  Builder build_;
  std::vector<const Stmt*> out_;  // of all lists being rewritten, inner ones behind outer ones
  bool ended_ = false;
  std::unordered_map<const Tensor*, const Tensor*> tensors_;
};

using VarMap = std::unordered_map<const Var*, const Expr*>;

// Every reference to a variable of the map replaced by its expression, folded on the way up.
// Declarations (Let, For) of a replaced variable are the caller's business.
const Expr* substitute(Arena& arena, const Expr* expr, const VarMap& values);
StmtList substitute(Arena& arena, StmtList list, const VarMap& values);

// The kernel with another body.
const Kernel& with_body(Arena& arena, const Kernel& kernel, StmtList body);

}  // namespace tirxcc::ir
