// SPDX-License-Identifier: Apache-2.0
//
// ir::Function -> abi::Plan: how arguments are checked and bound, and the host code of a function
// as flat instructions. Done once per function; every variant of its kernels shares the plan.
#pragma once

#include "abi/plan.h"
#include "ir/ir.h"
#include "source/diagnostics.h"

namespace tirxcc::driver {

// The plan; after an error reported to `diags` it is incomplete and must not be used.
abi::Plan build_plan(const ir::Function& function, source::Diagnostics& diags);

}  // namespace tirxcc::driver
