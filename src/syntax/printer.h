// SPDX-License-Identifier: Apache-2.0
//
// Shows a syntax tree as text, for people and for the comparison with CPython's own `ast`: one node
// or field a line, indented by depth, with positions as CPython counts them (line from 1, column in
// UTF-8 bytes from 0, then the same for the end).
//
//   Module
//     body[0]: Assign 1:0-1:9
//       targets[0]: Name 1:0-1:1
//         id: "x"
//         ctx: Store
//       value: BinOp 1:4-1:9
//         ...
//
// Classes, fields and their order are CPython's: an elif is an If in the orelse of an If. Fields
// without a value and empty lists are left out. Beyond depth 50 the depth is written as a number.
#pragma once

#include <string>

#include "source/source.h"
#include "syntax/ast.h"

namespace tirxcc::syntax {

struct DumpOptions {
  // What stands inside f-strings, whose positions older versions of Python do not know.
  bool show_fstring_parts = true;
};

std::string dump(const Module& module, const source::SourceFile& file, DumpOptions options = {});
std::string dump(const Expr& expr, const source::SourceFile& file, DumpOptions options = {});

}  // namespace tirxcc::syntax
