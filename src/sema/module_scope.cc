// SPDX-License-Identifier: Apache-2.0
#include "sema/module_scope.h"

#include "sema/builtins.h"
#include "sema/expr_internal.h"
#include "sema/suggest.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kNeedsPython{"module-needs-python", Severity::Error, ErrorClass::Name,
                                  "'{}' {}; a file is only read: compile from Python to use it"};
constexpr Diagnostic kUnknownModuleName{"unknown-module-name", Severity::Error, ErrorClass::Name,
                                        "name '{}' is not defined"};
constexpr Diagnostic kModuleCycle{"module-cycle", Severity::Error, ErrorClass::Name,
                                  "the value of '{}' depends on itself"};
constexpr Diagnostic kNotAtModuleLevel{"not-at-module-level", Severity::Error, ErrorClass::Syntax,
                                       "{} stands only inside a kernel"};
constexpr Diagnostic kSymbolArithmetic{"symbol-arithmetic", Severity::Error, ErrorClass::Type,
                                       "write the arithmetic with symbol {} inside the function"};
constexpr Diagnostic kUnpackCount{"unpack-count", Severity::Error, ErrorClass::Value,
                                  "there are more names on the left than the {} here"};
constexpr Diagnostic kSymbolType{"symbol-type", Severity::Error, ErrorClass::Type,
                                 "a symbol is int32 or int64, not {}"};
constexpr Diagnostic kSymbolName{"symbol-name", Severity::Error, ErrorClass::Type,
                                 "T.dynamic takes the name of the symbol, not {}"};

std::uint32_t hash_of(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  }
  return hash;
}

// What a module-level expression may ask for. There is no function around it: names are those of
// the module, and of T only what makes constants.
class ModuleNames : public NameResolver {
 public:
  ModuleNames(ModuleScope& scope, Arena& arena, source::Diagnostics& diags,
              std::uintptr_t stack_base)
      : scope_(scope),
        diags_(diags),
        context_{.arena = arena, .diags = diags, .build = ir::Builder(arena), .scope = scope} {
    context_.names = this;
    context_.stack_base = stack_base;
  }

  Value eval(const syntax::Expr& expr) { return eval_expr(context_, expr); }

  Value lookup(const syntax::Name& name) override {
    if (const Value* bound = find_binding(name.id)) return *bound;
    if (const std::optional<Value> value = scope_.lookup(name.id)) return *value;
    if (const auto gone = scope_.unavailable(name.id)) {
      diags_.report(name.span, kNeedsPython, name.id, gone->reason)
          .label(gone->span, "it is made here");
      return Value::error();
    }
    NearestName nearest(name.id);
    for (const std::string_view known : scope_.names()) {
      nearest.offer(known);
    }
    auto report = diags_.report(name.span, kUnknownModuleName, name.id);
    if (!nearest.result().empty()) report.note("did you mean '{}'?", nearest.result());
    return Value::error();
  }

  const ir::Var* symbol_var(const DynamicSymbol& symbol, Span use) override {
    diags_.report(use, kSymbolArithmetic, symbol.name);
    return context_.arena.make<ir::Var>(
        ir::Var{symbol.name, symbol.dtype, symbol.span, ir::VarKind::Symbol});
  }

  bool in_device_code() const override { return false; }

  Value call_statement_builtin(const Value& callee, const syntax::Call& call) override {
    if (callee.is_builtin("dynamic")) return make_symbol(call);
    diags_.report(call.func->span, kNotAtModuleLevel, describe(callee));
    return Value::error();
  }

  Value call_function(const Value& callee, const syntax::Call& call) override {
    diags_.report(call.func->span, kNotAtModuleLevel, "a call of " + describe(callee));
    return Value::error();
  }

 private:
  // T.dynamic("n") is int32; T.dynamic("n", "int64").
  Value make_symbol(const syntax::Call& call) {
    static constexpr ParamSpec kParams[] = {{"name"}, {"dtype", false}};
    Argument arguments[2];
    if (!bind_arguments(context_, call, "T.dynamic", kParams, arguments)) return Value::error();
    const Value name = eval(*arguments[0].expr);
    if (name.is_error()) return name;
    if (name.kind != ValueKind::String) {
      diags_.report(arguments[0].span(), kSymbolName, describe(name));
      return Value::error();
    }
    DType type = kInt32;
    if (arguments[1]) {
      const std::optional<DType> given = dtype_argument(context_, arguments[1]);
      if (!given) return Value::error();
      if (*given != kInt32 && *given != kInt64) {
        diags_.report(arguments[1].span(), kSymbolType, to_string(*given));
        return Value::error();
      }
      type = *given;
    }
    Value value;
    value.kind = ValueKind::Symbol;
    value.symbol = context_.arena.make<DynamicSymbol>(DynamicSymbol{name.text, type, call.span});
    return value;
  }

  ModuleScope& scope_;
  source::Diagnostics& diags_;
  Context context_;
};

// "function" for @T.function and @T.function(...); empty for anything else.
std::string_view decorator_word(const syntax::FunctionDef& def) {
  for (const syntax::Expr* decorator : def.decorators) {
    if (const auto* call = syntax::as<syntax::Call>(decorator)) decorator = call->func;
    const auto* attribute = syntax::as<syntax::Attribute>(decorator);
    if (attribute == nullptr) continue;
    for (const std::string_view word : {"function", "prim_func", "inline", "macro", "jit"}) {
      if (attribute->attr == word) return word;
    }
  }
  return {};
}

// The language, whatever package the import line names.
bool is_language_module(std::string_view name) {
  return name == "tirx" || name.ends_with(".tirx");
}

// `if __name__ == "__main__":` is for Python alone.
bool is_main_guard(const syntax::If& stmt) {
  const auto* compare = syntax::as<syntax::Compare>(stmt.clauses[0].condition);
  if (compare == nullptr) return false;
  const auto* name = syntax::as<syntax::Name>(compare->left);
  return name != nullptr && name->id == "__name__";
}

}  // namespace

ModuleScope::ModuleScope(const syntax::Module& tree, Arena& arena, source::Diagnostics& diags)
    : arena_(arena), diags_(diags) {
  scan(tree.body);
}

void ModuleScope::scan(syntax::Stmts body) {
  entries_.reserve(body.size());
  for (const syntax::Stmt* stmt : body) {
    if (const auto* def = syntax::as<syntax::FunctionDef>(stmt)) {
      scan_function(*def);
    } else if (const auto* from = syntax::as<syntax::ImportFrom>(stmt)) {
      scan_import(*from);
    } else if (const auto* assign = syntax::as<syntax::Assign>(stmt)) {
      for (const syntax::Expr* target : assign->targets) {
        std::vector<int> path;
        add_target(*target, *assign->value, path);
      }
    } else if (const auto* annotated = syntax::as<syntax::AnnAssign>(stmt)) {
      std::vector<int> path;
      if (annotated->value != nullptr) add_target(*annotated->target, *annotated->value, path);
    } else {
      add_unavailable(*stmt);
    }
  }
}

void ModuleScope::scan_import(const syntax::ImportFrom& import) {
  for (const syntax::Alias& alias : import.names) {
    const std::string_view name = alias.as_name.empty() ? alias.name : alias.as_name;
    Entry entry{.name = name, .span = alias.span};
    if (alias.name == "tirx") {
      entry.value = Value::of_builtin("");
    } else if (import.module == "math" && import.level == 0) {
      const std::string path = "math." + std::string(alias.name);
      const BuiltinRow* row = find_builtin(path);
      const std::optional<double> constant = math_constant(path);
      if (row == nullptr) entry.reason = "is imported";
      if (row != nullptr) {
        entry.value = constant ? Value::of_float(*constant) : Value::of_builtin(row->path);
      }
    } else {
      entry.reason = "is imported";
    }
    if (import.module != "__future__" && name != "*") add(std::move(entry));
  }
}

void ModuleScope::scan_function(const syntax::FunctionDef& def) {
  Entry entry{.name = def.name, .span = def.name_span};
  const std::string_view word = decorator_word(def);
  if (word.empty()) {
    entry.reason = kPlainFunction;
  } else {
    FunctionValue function;
    function.def = &def;
    function.decorator = word;
    function.scope = this;
    entry.value.kind = ValueKind::Function;
    entry.value.function = arena_.make<FunctionValue>(function);
  }
  add(std::move(entry));
}

void ModuleScope::add_target(const syntax::Expr& target, const syntax::Expr& value,
                             std::vector<int>& path) {
  if (const auto* name = syntax::as<syntax::Name>(&target)) {
    add({.name = name->id,
         .expr = &value,
         .path = path,
         .span = name->span,
         .state = State::Fresh});
    return;
  }
  syntax::Exprs targets;
  if (const auto* tuple = syntax::as<syntax::Tuple>(&target)) targets = tuple->elements;
  if (const auto* list = syntax::as<syntax::List>(&target)) targets = list->elements;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (const auto* star = syntax::as<syntax::Starred>(targets[i])) {
      add_unavailable_target(*star->value, "is unpacked with '*'");
      continue;
    }
    path.push_back(static_cast<int>(i));
    add_target(*targets[i], value, path);
    path.pop_back();
  }
}

void ModuleScope::add_unavailable_target(const syntax::Expr& target, std::string_view reason) {
  if (const auto* name = syntax::as<syntax::Name>(&target)) {
    add({.name = name->id, .reason = reason, .span = name->span});
  } else if (const auto* tuple = syntax::as<syntax::Tuple>(&target)) {
    for (const syntax::Expr* element : tuple->elements) {
      add_unavailable_target(*element, reason);
    }
  }
}

void ModuleScope::add_unavailable(const syntax::Stmt& stmt) {
  const auto each = [&](syntax::Stmts body) {
    for (const syntax::Stmt* inner : body) {
      if (const auto* assign = syntax::as<syntax::Assign>(inner)) {
        for (const syntax::Expr* target : assign->targets) {
          add_unavailable_target(*target, "is assigned under a condition or in a loop");
        }
      } else if (const auto* def = syntax::as<syntax::FunctionDef>(inner)) {
        add({.name = def->name,
             .reason = "is defined under a condition or in a loop",
             .span = def->name_span});
      } else {
        add_unavailable(*inner);
      }
    }
  };
  if (const auto* import = syntax::as<syntax::Import>(&stmt)) {
    for (const syntax::Alias& alias : import->names) {
      const bool has_alias = !alias.as_name.empty();
      const std::string_view whole = has_alias ? alias.as_name : alias.name;
      Entry entry{.name = whole.substr(0, whole.find('.')), .span = alias.span};
      if (alias.name == "math") {
        entry.value = Value::of_builtin("math");
      } else if (has_alias && is_language_module(alias.name)) {
        entry.value = Value::of_builtin("");
      } else {
        entry.reason = "is an imported module";
      }
      add(std::move(entry));
    }
  } else if (const auto* from = syntax::as<syntax::ImportFrom>(&stmt)) {
    scan_import(*from);
  } else if (const auto* cls = syntax::as<syntax::ClassDef>(&stmt)) {
    add({.name = cls->name, .reason = "is a class", .span = cls->name_span});
  } else if (const auto* augmented = syntax::as<syntax::AugAssign>(&stmt)) {
    add_unavailable_target(*augmented->target, "is changed after it was made");
  } else if (const auto* branch = syntax::as<syntax::If>(&stmt)) {
    if (is_main_guard(*branch)) return;
    for (const syntax::IfClause& clause : branch->clauses) {
      each(clause.body);
    }
    each(branch->orelse);
  } else if (const auto* loop = syntax::as<syntax::For>(&stmt)) {
    add_unavailable_target(*loop->target, "is assigned by a loop");
    each(loop->body);
  } else if (const auto* repeat = syntax::as<syntax::While>(&stmt)) {
    each(repeat->body);
  } else if (const auto* with = syntax::as<syntax::With>(&stmt)) {
    each(with->body);
  } else if (const auto* attempt = syntax::as<syntax::Try>(&stmt)) {
    each(attempt->body);
    for (const syntax::ExceptHandler& handler : attempt->handlers) {
      each(handler.body);
    }
  }
}

void ModuleScope::add(Entry entry) {
  if (entries_.size() * 2 >= table_.size()) {
    table_.assign(table_.empty() ? 32 : table_.size() * 2, -1);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      std::size_t slot = hash_of(entries_[i].name) & (table_.size() - 1);
      while (table_[slot] >= 0)
        slot = (slot + 1) & (table_.size() - 1);
      table_[slot] = static_cast<std::int32_t>(i);
    }
  }
  std::size_t slot = hash_of(entry.name) & (table_.size() - 1);
  for (; table_[slot] >= 0; slot = (slot + 1) & (table_.size() - 1)) {
    Entry& other = entries_[static_cast<std::size_t>(table_[slot])];
    if (other.name != entry.name) continue;
    // The last binding counts.
    other = std::move(entry);
    return;
  }
  table_[slot] = static_cast<std::int32_t>(entries_.size());
  entries_.push_back(std::move(entry));
}

const ModuleScope::Entry* ModuleScope::find(std::string_view name) const {
  if (table_.empty()) return nullptr;
  std::size_t slot = hash_of(name) & (table_.size() - 1);
  for (; table_[slot] >= 0; slot = (slot + 1) & (table_.size() - 1)) {
    const Entry& entry = entries_[static_cast<std::size_t>(table_[slot])];
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

bool ModuleScope::is_language(std::string_view name) const {
  const Entry* entry = find(name);
  return entry != nullptr && entry->expr == nullptr && entry->value.is_builtin("");
}

ModuleScope::Entry* ModuleScope::find(std::string_view name) {
  return const_cast<Entry*>(std::as_const(*this).find(name));
}

void ModuleScope::evaluate(Entry& entry) {
  if (entry.state == State::Evaluating) {
    diags_.report(entry.span, kModuleCycle, entry.name);
    entry.value = Value::error();
    entry.state = State::Done;
    return;
  }
  entry.state = State::Evaluating;
  // A constant made of another, made of another, ...: the chain gets a part of the stack.
  constexpr std::uintptr_t kReserved = 3u << 20;
  if (depth_ == 0) {
    stack_base_ = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + kReserved;
  }
  ++depth_;
  ModuleNames names(*this, arena_, diags_, stack_base_);
  Value value = names.eval(*entry.expr);
  --depth_;
  for (const int index : entry.path) {
    if (value.is_error()) break;
    const bool has_item = is_sequence(value) && index < sequence_size(value);
    if (!has_item) {
      const std::int64_t count = is_sequence(value) ? sequence_size(value) : 1;
      diags_.report(entry.expr->span, kUnpackCount,
                    count == 1 ? "one value" : fmt::format("{} values", count));
      value = Value::error();
      break;
    }
    Context context{.arena = arena_, .diags = diags_, .build = ir::Builder(arena_), .scope = *this};
    value = sequence_item(context, value, index);
  }
  entry.value = value;
  entry.state = State::Done;
}

std::optional<Value> ModuleScope::lookup(std::string_view name) {
  if (Entry* entry = find(name)) {
    if (!entry->reason.empty()) return std::nullopt;
    if (entry->state != State::Done) evaluate(*entry);
    return entry->value;
  }
  char path[32] = "py.";
  if (name.size() + 3 > sizeof path) return std::nullopt;
  name.copy(path + 3, name.size());
  const BuiltinRow* row = find_builtin({path, name.size() + 3});
  return row != nullptr ? std::optional(Value::of_builtin(row->path)) : std::nullopt;
}

std::optional<CapturedScope::Unavailable> ModuleScope::unavailable(std::string_view name) const {
  const Entry* entry = find(name);
  if (entry == nullptr || entry->reason.empty()) return std::nullopt;
  return Unavailable{entry->reason, entry->span};
}

std::vector<std::string_view> ModuleScope::names() const {
  std::vector<std::string_view> result;
  for (const Entry& entry : entries_) {
    result.push_back(entry.name);
  }
  for (const BuiltinRow& row : builtins()) {
    if (row.path.starts_with("py.")) result.push_back(row.path.substr(3));
  }
  return result;
}

}  // namespace tirxcc::sema
