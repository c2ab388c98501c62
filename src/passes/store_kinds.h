// SPDX-License-Identifier: Apache-2.0
//
// What a store does with what was there, for those who look for threads in each other's way.
#pragma once

#include "ir/ir.h"
#include "source/source.h"

namespace tirxcc::passes {

// Arithmetic of one thread: no memory, nothing of other threads.
bool is_arithmetic(const ir::Expr& expr);
// `B[0] = B[0] + x`: the value is made of the element that is stored to.
bool reads_itself(const ir::Store& store);
// The place that is stored to, `B[0]`: up to the bracket behind the last index.
source::Span target_of(const ir::Store& store, const source::SourceManager& sources);

}  // namespace tirxcc::passes
