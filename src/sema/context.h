// SPDX-License-Identifier: Apache-2.0
//
// State shared by the parts of sema while one function is translated, and the two interfaces by
// which expressions (expr_sema.h) and statements (function_sema.h) know each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "sema/captured_scope.h"
#include "sema/value.h"
#include "source/diagnostics.h"

namespace tirxcc::sema {

// A place between the statements of a kernel, from which more statements may follow.
struct StatementMark {
  std::uint32_t frame = 0;
  std::uint32_t position = 0;
  std::uint32_t frames = 0;  // how many lists there were
};

// What expressions ask of the function they stand in.
class NameResolver {
 public:
  virtual ~NameResolver() = default;
  // The value of a name here: local variable (an Expr of VarRef or LocalRead), parameter, loop
  // variable, tensor, captured value. Reports unknown names itself ("did you mean") and reads of
  // names that some path leaves unassigned; Error then.
  virtual Value lookup(const syntax::Name& name) = 0;
  // The function's ir::Var for a T.dynamic object (also notes that it is used).
  virtual const ir::Var* symbol_var(const DynamicSymbol& symbol, Span use) = 0;
  // Names bound only inside an expression (comprehension targets, lambda parameters), innermost
  // last. They hide the function's own. Those before the base belong to a caller.
  void push_binding(std::string_view name, Value* cell) { bindings_.push_back({name, cell}); }
  void pop_binding() { bindings_.pop_back(); }
  std::span<Binding> bindings() { return std::span(bindings_).subspan(bindings_base_); }
  const Value* find_binding(std::string_view name) const {
    for (std::size_t i = bindings_.size(); i-- > bindings_base_;) {
      if (bindings_[i].name == name) return bindings_[i].cell;
    }
    return nullptr;
  }
  // Hides all bindings until exchange_base gets the former one back.
  std::size_t hide_bindings() { return exchange_base(bindings_.size()); }
  std::size_t exchange_base(std::size_t base) { return std::exchange(bindings_base_, base); }
  // The names of the function around a lambda that is made here, and the same as the names that its
  // body sees while it is called (null: those of `function.scope`); the former ones.
  virtual const void* names_here() { return nullptr; }
  virtual const void* enter_names_of(const FunctionValue& function) {
    (void)function;
    return nullptr;
  }
  virtual void leave_names(const void* former) { (void)former; }
  // The value as it is now, whatever is stored later.
  virtual Value keep(const Value& value, std::string_view name, Span span) {
    (void)name, (void)span;
    return value;
  }
  // True inside a device region; index functions elsewhere are an error.
  virtual bool in_device_code() const = 0;
  // Size of the launch along an axis, when it is a literal: kind BlockDim or GridDim. Axes that the
  // launch does not mention have extent 1. nullopt: symbolic, or not known yet.
  virtual std::optional<std::int64_t> static_extent(ir::LaunchIndexKind kind, int axis) {
    (void)kind, (void)axis;
    return std::nullopt;
  }
  // Whether the launch, of which all is known, does not mention the axis.
  virtual bool lacks_axis(ir::LaunchIndexKind kind, int axis) {
    (void)kind, (void)axis;
    return false;
  }
  // Calls of the language that are only statements or loop iterators (T.serial, T.device_entry,
  // T.alloc_local as a value, scope ids, ...): the statement part evaluates what it can as a value
  // and reports the rest ("T.serial(...) is only for 'for' loops").
  virtual Value call_statement_builtin(const Value& callee, const syntax::Call& call) = 0;
  // A call of a decorated function or @T.inline function.
  virtual Value call_function(const Value& callee, const syntax::Call& call) = 0;
  // Operands are evaluated from left to right, and one that expands to statements comes before the
  // expression. mark() is asked when an operand has been evaluated, settle() when all have: where
  // statements since the mark change what the operand reads, it gets a name at the mark.
  virtual StatementMark mark() { return {}; }
  virtual Value settle(const StatementMark& mark, const Value& value, Span span) {
    (void)mark, (void)span;
    return value;
  }

 protected:
  std::vector<Binding> bindings_;
  std::size_t bindings_base_ = 0;
};

struct Context {
  Arena& arena;
  source::Diagnostics& diags;
  ir::Builder build;
  CapturedScope& scope;
  ir::Dialect dialect = ir::Dialect::A;
  NameResolver* names = nullptr;
  bool warn_narrowing = true;
  // While the name before a dot is looked up: what follows the dot. For advice in messages.
  std::string_view member_of_name = {};
  int lambda_depth = 0;  // calls of lambdas that are being expanded
  // Where the stack was when the first expression was translated; 0 before.
  std::uintptr_t stack_base = 0;
  int lazy_depth = 0;  // operands around that the kernel may not evaluate

  char dialect_letter() const { return dialect == ir::Dialect::A ? 'A' : 'B'; }
};

// While it lives, an operand is translated that is evaluated only if the kernel decides so.
class LazyOperand {
 public:
  explicit LazyOperand(Context& context, bool is_lazy = true)
      : depth_(context.lazy_depth), added_(is_lazy ? 1 : 0) {
    depth_ += added_;
  }
  ~LazyOperand() { depth_ -= added_; }
  LazyOperand(const LazyOperand&) = delete;
  LazyOperand& operator=(const LazyOperand&) = delete;

 private:
  int& depth_;
  int added_;
};

}  // namespace tirxcc::sema
