// SPDX-License-Identifier: Apache-2.0
//
// A launch as kernel text: T.device_entry(launch=T.cuda.LaunchConfig(grid=..., block=...)).
#pragma once

#include <string>

#include "ir/expr_printer.h"
#include "ir/ir.h"

namespace tirxcc::ir {

// Appends the statement, or the head of a `with` block.
void print_launch(std::string& out, ExprPrinter& exprs, const LaunchConfig& config, bool as_block);

}  // namespace tirxcc::ir
