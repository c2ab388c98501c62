// SPDX-License-Identifier: Apache-2.0
//
// Scalar arguments and their representation in slots.
#pragma once

#include <cstdint>
#include <string>

#include "abi/argument.h"

namespace tirxcc::abi {

// The value as the bits of `type` (integers extended to 64 bits, floats in the low bits). False
// when it does not fit: an integer out of range, a float for an integer type, anything but True,
// False, 0, 1 for bool (rule 14), a finite float beyond the range of the type.
bool scalar_bits(const Argument& argument, DType type, std::uint64_t& bits);

// "300", "1.5", "True", for messages.
std::string to_string(const Argument& argument);

// Rounds to the type and gives its bits: float16, bfloat16, float32, float64.
std::uint64_t float_bits(DType type, double value);

}  // namespace tirxcc::abi
