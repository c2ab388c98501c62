// SPDX-License-Identifier: Apache-2.0
//
// Python text -> syntax tree. The parser accepts the whole grammar of Python 3.13 (it knows
// nothing of kernels), goes on after an error at the next logical line or the end of the block,
// and reports what it saw to `diags`. It never fails otherwise: after errors the tree holds the
// statements that were understood, so check diags.has_errors() before using it.
//
//   Arena arena;
//   const syntax::Module* module = syntax::parse_module(file, arena, diags);
//
// Everything in the tree lives in `arena`; spans refer to `file`.
#pragma once

#include "base/arena.h"
#include "source/diagnostics.h"
#include "source/source.h"
#include "syntax/ast.h"

namespace tirxcc::syntax {

// Brackets, operators and the like inside each other, as the parser descends.
inline constexpr int kMaxNesting = 1000;
// Levels of an expression tree. It exceeds kMaxNesting because `a + b + c + ...` and `a.b.c...`
// make a deep tree without nesting in the text.
inline constexpr int kMaxExprHeight = 3000;
// Statements inside statements.
inline constexpr int kMaxStmtNesting = 1000;

// The whole file. Never null.
const Module* parse_module(const source::SourceFile& file, Arena& arena,
                           source::Diagnostics& diags);

// The text of one function or class as inspect.getsource() gives it: all its lines may be indented
// by the same amount. Otherwise as parse_module.
const Module* parse_indented(const source::SourceFile& file, Arena& arena,
                             source::Diagnostics& diags);

// A single expression (line ends around it are fine). Null after an error.
const Expr* parse_expression(const source::SourceFile& file, Arena& arena,
                             source::Diagnostics& diags);

}  // namespace tirxcc::syntax
