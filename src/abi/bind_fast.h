// SPDX-License-Identifier: Apache-2.0
//
// The usual call in one pass: every argument is as the plan wants it, tensors are compact, extents
// are symbols and constants. Private to the plan's runner.
#pragma once

#include <cstdint>
#include <span>

#include "abi/argument.h"
#include "abi/plan.h"

namespace tirxcc::abi {

// Checks the arguments, fills the slots of scalars and symbols and finds the variant, all as bind()
// and needed_variant() do it. False says only that something is not usual, right or wrong: then
// those two must look, and the slots mean nothing.
bool bind_fast(const Plan& plan, std::span<const Argument> args, Device device, std::int64_t* slots,
               std::uint8_t& variant);

}  // namespace tirxcc::abi
