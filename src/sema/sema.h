// SPDX-License-Identifier: Apache-2.0
//
// Syntax tree -> IR: names, types, constants, launch. The public entry of the module.
#pragma once

#include <string_view>
#include <vector>

#include "ir/ir.h"
#include "sema/captured_scope.h"
#include "source/diagnostics.h"
#include "syntax/ast.h"

namespace tirxcc::sema {

struct SemaOptions {
  // Translate only this function (and what it calls); empty: all decorated functions of the file.
  std::string_view only;
  bool warn_narrowing = true;
};

// All decorated functions of a file, its module level evaluated by sema itself (language.md 1.1).
// Functions with errors are left out; check diags. Nodes live in `module.arena`.
void translate_module(const syntax::Module& tree, ir::Module& module, source::Diagnostics& diags,
                      const SemaOptions& options = {});

// One function whose free names come from `scope`. Null after an error.
const ir::Function* translate_function(const syntax::FunctionDef& def, CapturedScope& scope,
                                       ir::Module& module, source::Diagnostics& diags,
                                       const SemaOptions& options = {});

// Names of the decorated functions of a file, in order (for messages of the tool: "it defines
// ...").
std::vector<std::string_view> function_names(const syntax::Module& tree);

}  // namespace tirxcc::sema
