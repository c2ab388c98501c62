// SPDX-License-Identifier: Apache-2.0
//
// The captured scope of a file that no Python runs (language.md 1.1): the tool and the C++ API. Its
// imports, constants, symbols and decorated functions have values, evaluated by sema itself when a
// kernel first uses them; everything else at module level is skipped, and a kernel that uses such a
// name is told why it has no value.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "sema/captured_scope.h"
#include "source/diagnostics.h"
#include "syntax/ast.h"

namespace tirxcc::sema {

// Why a function without a decorator has no value for a kernel.
inline constexpr std::string_view kPlainFunction = "is a plain Python function";

class ModuleScope : public CapturedScope {
 public:
  ModuleScope(const syntax::Module& tree, Arena& arena, source::Diagnostics& diags);

  std::optional<Value> lookup(std::string_view name) override;
  std::vector<std::string_view> names() const override;
  std::optional<Unavailable> unavailable(std::string_view name) const override;
  // Without evaluating anything: the name is an alias of the language; it is bound to something.
  bool is_language(std::string_view name) const;
  bool is_bound(std::string_view name) const { return find(name) != nullptr; }

 private:
  enum class State : std::uint8_t { Fresh, Evaluating, Done };
  // A name bound at module level: to the value of an expression, to something known at once, or to
  // something that only Python knows.
  struct Entry {
    std::string_view name;
    const syntax::Expr* expr = nullptr;
    std::vector<int> path = {};  // which item of the value: `a, (b, c) = ...`
    Value value = {};
    std::string_view reason = {};  // why it has no value; empty if it has
    Span span = {};
    State state = State::Done;
  };

  void scan(syntax::Stmts body);
  void scan_import(const syntax::ImportFrom& import);
  void scan_function(const syntax::FunctionDef& def);
  void add_target(const syntax::Expr& target, const syntax::Expr& value, std::vector<int>& path);
  // Names that a construct binds which is not evaluated here.
  void add_unavailable(const syntax::Stmt& stmt);
  void add_unavailable_target(const syntax::Expr& target, std::string_view reason);
  void add(Entry entry);
  void evaluate(Entry& entry);
  Entry* find(std::string_view name);
  const Entry* find(std::string_view name) const;

  int depth_ = 0;                  // constants that wait for the value of another
  std::uintptr_t stack_base_ = 0;  // see Context
  Arena& arena_;
  source::Diagnostics& diags_;
  std::vector<Entry> entries_;
  std::vector<std::int32_t> table_;  // open addressing: indices into entries_, -1 free
};

}  // namespace tirxcc::sema
