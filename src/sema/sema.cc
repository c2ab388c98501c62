// SPDX-License-Identifier: Apache-2.0
//
// The entry points: all decorated functions of a file, or one of them.
#include "sema/sema.h"

#include "base/pointer_map.h"
#include "sema/function_sema.h"
#include "sema/module_scope.h"
#include "sema/suggest.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kInnerKernel{"kernel-inside", Severity::Error, ErrorClass::Runtime,
                                  "'{}' stands in the {} '{}', which only Python runs; compile it "
                                  "from Python, or write it at module level"};
constexpr Diagnostic kDefinedTwice{"defined-twice", Severity::Error, ErrorClass::Name,
                                   "'{}' is defined twice; of kernels of one name only one could "
                                   "be called"};
constexpr Diagnostic kMisspeltDecorator{"misspelt-decorator", Severity::Error, ErrorClass::Name,
                                        "'{}' is decorated with @{}, which makes no kernel"};
constexpr Diagnostic kUndecorated{
    "undecorated-kernel", Severity::Error, ErrorClass::Syntax,
    "'{}' has a device entry but not the decorator of a kernel; write "
    "@T.function or @T.prim_func above it"};

// The last word of a name, with dots or without: `function` of T.function.
std::string_view last_word(const syntax::Expr& expr) {
  if (const auto* attribute = syntax::as<syntax::Attribute>(&expr)) return attribute->attr;
  const auto* name = syntax::as<syntax::Name>(&expr);
  return name != nullptr ? name->id : std::string_view();
}

const syntax::Expr& without_call(const syntax::Expr& decorator) {
  const auto* call = syntax::as<syntax::Call>(&decorator);
  return call != nullptr ? *call->func : decorator;
}

// One of the decorators is that of a kernel: @T.function, @T.function(private=True), @function.
bool is_kernel_function(const syntax::FunctionDef& def) {
  for (const syntax::Expr* decorator : def.decorators) {
    const std::string_view word = last_word(without_call(*decorator));
    if (word == "function" || word == "prim_func" || word == "jit") return true;
  }
  return false;
}

// @T.fucntion, @fucntion: of the language's namespace, or of no namespace there is.
bool is_misspelt(const syntax::Expr& decorator, const ModuleScope& scope) {
  const std::string_view word = last_word(decorator);
  for (const std::string_view good : {"", "inline", "macro", "meta_class"}) {
    if (word == good) return false;
  }
  const syntax::Expr* root = &decorator;
  while (const auto* attribute = syntax::as<syntax::Attribute>(root))
    root = attribute->value;
  const auto* name = syntax::as<syntax::Name>(root);
  if (name == nullptr) return false;
  const bool is_bare = root == &decorator;
  if (is_bare) {
    NearestName nearest(word);
    nearest.offer("function");
    nearest.offer("prim_func");
    return !scope.is_bound(word) && !nearest.result().empty();
  }
  return scope.is_language(name->id);
}

bool has_device_entry(const syntax::FunctionDef& def) {
  for (const syntax::Stmt* stmt : def.body) {
    const auto* expr = syntax::as<syntax::ExprStmt>(stmt);
    if (expr != nullptr && last_word(without_call(*expr->value)) == "device_entry") return true;
  }
  return false;
}

// A function that is no kernel and was meant to be one is not passed over in silence.
void report_meant_kernel(const syntax::FunctionDef& def, const ModuleScope& scope,
                         source::Diagnostics& diags) {
  for (const syntax::Expr* decorator : def.decorators) {
    const syntax::Expr& name = without_call(*decorator);
    if (!is_misspelt(name, scope)) continue;
    NearestName nearest(last_word(name));
    for (const std::string_view word : {"function", "prim_func", "inline"}) {
      nearest.offer(word);
    }
    auto report =
        diags.report(name.span, kMisspeltDecorator, def.name, diags.sources().text_of(name.span));
    if (nearest.result().empty()) {
      report.note("a kernel is decorated with @T.function or @T.prim_func");
    } else {
      report.note("did you mean '@T.{}'?", nearest.result());
    }
    return;
  }
  if (has_device_entry(def)) diags.report(def.name_span, kUndecorated, def.name);
}

// Kernels in classes and functions are not translated here; saying nothing would look like success.
void report_inner_kernels(syntax::Stmts body, std::string_view kind, std::string_view name,
                          source::Diagnostics& diags) {
  for (const syntax::Stmt* stmt : body) {
    const auto* def = syntax::as<syntax::FunctionDef>(stmt);
    if (def == nullptr || !is_kernel_function(*def)) continue;
    diags.report(def->name_span, kInnerKernel, def->name, kind, name);
  }
}

}  // namespace

std::vector<std::string_view> function_names(const syntax::Module& tree) {
  std::vector<std::string_view> names;
  for (const syntax::Stmt* stmt : tree.body) {
    const auto* def = syntax::as<syntax::FunctionDef>(stmt);
    if (def != nullptr && is_kernel_function(*def)) names.push_back(def->name);
  }
  return names;
}

const ir::Function* translate_function(const syntax::FunctionDef& def, CapturedScope& scope,
                                       ir::Module& module, source::Diagnostics& diags,
                                       const SemaOptions& options) {
  return FunctionSema(def, scope, module, diags, options).translate();
}

void translate_module(const syntax::Module& tree, ir::Module& module, source::Diagnostics& diags,
                      const SemaOptions& options) {
  ModuleScope scope(tree, module.arena, diags);
  std::vector<const ir::Function*> functions;
  std::vector<const syntax::FunctionDef*> makers;  // that may hold kernels
  PointerMap<Span> defined;                        // by the name, which is interned
  for (const syntax::Stmt* stmt : tree.body) {
    const auto* cls = syntax::as<syntax::ClassDef>(stmt);
    if (cls != nullptr && options.only.empty()) {
      report_inner_kernels(cls->body, "class", cls->name, diags);
    }
    const auto* def = syntax::as<syntax::FunctionDef>(stmt);
    if (def == nullptr || (!options.only.empty() && def->name != options.only)) continue;
    if (!is_kernel_function(*def)) {
      report_meant_kernel(*def, scope, diags);
      if (def->decorators.empty() && options.only.empty()) makers.push_back(def);
      continue;
    }
    if (const Span* first = defined.find(def->name.data())) {
      diags.report(def->name_span, kDefinedTwice, def->name).label(*first, "the first one is here");
    } else {
      defined[def->name.data()] = def->name_span;
    }
    const ir::Function* function = translate_function(*def, scope, module, diags, options);
    if (function != nullptr) functions.push_back(function);
    if (diags.is_full()) break;
  }
  // Beside kernels at module level, one that Python makes is no mistake.
  if (functions.empty()) {
    for (const syntax::FunctionDef* def : makers)
      report_inner_kernels(def->body, "function", def->name, diags);
  }
  module.functions = module.arena.copy(functions);
}

}  // namespace tirxcc::sema
