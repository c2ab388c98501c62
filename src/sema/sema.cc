// SPDX-License-Identifier: Apache-2.0
//
// The entry points: all decorated functions of a file, or one of them.
#include "sema/sema.h"

#include "sema/function_sema.h"
#include "sema/module_scope.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kKernelInClass{"kernel-in-class", Severity::Error, ErrorClass::Runtime,
                                    "'{}' stands in the class '{}'; kernels in classes are not "
                                    "supported yet, write it at module level"};

// One of the decorators is that of a kernel: @T.function, @T.function(private=True), @function.
bool is_kernel_function(const syntax::FunctionDef& def) {
  for (const syntax::Expr* decorator : def.decorators) {
    if (const auto* call = syntax::as<syntax::Call>(decorator)) decorator = call->func;
    std::string_view word;
    if (const auto* attribute = syntax::as<syntax::Attribute>(decorator)) word = attribute->attr;
    if (const auto* name = syntax::as<syntax::Name>(decorator)) word = name->id;
    if (word == "function" || word == "prim_func" || word == "jit") return true;
  }
  return false;
}

// Kernels in classes (@I.ir_module) are not translated yet; saying nothing would look like success.
void report_methods(const syntax::ClassDef& cls, source::Diagnostics& diags) {
  for (const syntax::Stmt* stmt : cls.body) {
    const auto* def = syntax::as<syntax::FunctionDef>(stmt);
    if (def == nullptr || !is_kernel_function(*def)) continue;
    diags.report(def->name_span, kKernelInClass, def->name, cls.name);
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
  for (const syntax::Stmt* stmt : tree.body) {
    const auto* cls = syntax::as<syntax::ClassDef>(stmt);
    if (cls != nullptr && options.only.empty()) report_methods(*cls, diags);
    const auto* def = syntax::as<syntax::FunctionDef>(stmt);
    if (def == nullptr || !is_kernel_function(*def)) continue;
    if (!options.only.empty() && def->name != options.only) continue;
    const ir::Function* function = translate_function(*def, scope, module, diags, options);
    if (function != nullptr) functions.push_back(function);
    if (diags.is_full()) break;
  }
  module.functions = module.arena.copy(functions);
}

}  // namespace tirxcc::sema
