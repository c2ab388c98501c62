// SPDX-License-Identifier: Apache-2.0
//
// The interpreter of HostInstr, private to the plan's runner.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "abi/plan.h"

namespace tirxcc::abi {

enum class HostFault : std::uint8_t { None, Overflow, DivisionByZero };

// One arithmetic, comparison or selection instruction on `slots`.
HostFault execute(const HostInstr& instr, std::int64_t* slots);

// True for the operations that execute() handles.
bool is_arithmetic(HostOp op);

}  // namespace tirxcc::abi
