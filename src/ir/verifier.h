// SPDX-License-Identifier: Apache-2.0
//
// The invariants that ir.h states, checked: dtypes of operands, variables visible where they are
// used and bound once, Break inside a loop, Leave inside its Block, a span on every statement and
// call. A violation is a fault of the stage that made the IR, never of the user.
#pragma once

#include <string>

#include "ir/ir.h"

namespace tirxcc::ir {

// What is wrong, one line per fault (ten at most); empty if nothing is.
std::string verify(const Kernel& kernel);
// The host part and all kernels.
std::string verify(const Function& function);

}  // namespace tirxcc::ir
