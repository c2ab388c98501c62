// SPDX-License-Identifier: Apache-2.0
//
// The IR as kernel text. What sema makes of a kernel prints such that our own front end reads it
// back to an equal IR. Four forms exist only in printed text; sema accepts them:
//
//   with T.block("k_end"):                     Block with a label; what it is called
//   with T.block():                            Block that is only a scope
//   T.leave("k_end")                           Leave of the innermost open block of that name
//   for i in T.counted(start, step, turns):    CountedFor; `turns` is uint32 or uint64
//
// A host formula (launch sizes) prints without the casts to int64 that sema adds. After lowering,
// flat accesses print as `A.flat[offset]`, vector ones as `A.flat[offset : +4]` and `v.lane(1)`:
// forms for reading only.
#pragma once

#include <string>

#include "ir/ir.h"

namespace tirxcc::ir {

// Import line, symbols and the function.
std::string print(const Function& function);
// The same for several functions of one file.
std::string print(std::span<const Function* const> functions);
// One kernel as if it were the only one of its function.
std::string print(const Kernel& kernel);

// For debugging: names are not made unique across calls.
std::string dump(const Expr* expr);
std::string dump(const Stmt* stmt);

}  // namespace tirxcc::ir
