// SPDX-License-Identifier: Apache-2.0
//
// What is said about a launch whose grid came out as 0 although there is work: `grid=n // 256` for
// n = 100. Rule 9 wants nothing to run then; nobody wants to search for it.
#pragma once

#include "abi/launch.h"
#include "driver/compilation.h"

namespace tirxcc::driver {

// Once for each function: what there is to say after a run that left `empty` behind.
std::optional<Diagnostic> remark_on(const abi::EmptyLaunch& empty,
                                    std::span<const abi::Argument> args,
                                    const Compilation& compilation, Unit& unit);

}  // namespace tirxcc::driver
