// SPDX-License-Identifier: Apache-2.0
//
// simplify: folds constants and takes out what does nothing. It knows no ranges: an `if` that the
// user wrote stays, unless its condition is a literal or all of its bodies are empty.
//
// Expects: any kernel.
// Guarantees: no foldable operation (ir/builder.h), no unused value without effect, no unused
// mutable scalar, no statement after a jump in one list, no empty `if`, `else` or loop over a
// range, no jump to the place right behind it, no labelled block that nothing leaves, and no scope
// without a declaration.
//
//   a = x * 1 + 0                          a = x
//   b = B[x]                         =>    if x < n:
//   if x < n:                                  A[x] = a
//       A[x] = a                               T.gpu_thread_return()
//       T.gpu_thread_return()
//       A[x] = 0
//   else:
//       pass
#pragma once

#include "passes/pass.h"

namespace tirxcc::passes {

const ir::Kernel& simplify(const ir::Kernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
