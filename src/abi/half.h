// SPDX-License-Identifier: Apache-2.0
//
// float16 and bfloat16 in C++, which knows neither: the one place that rounds to them.
#pragma once

#include <cstdint>

#include "abi/dtype.h"

namespace tirxcc::abi {

// The bits of the nearest number of the type, ties to even, rounded once: a long double holds every
// double and every 64-bit integer. Overflow gives an infinity.
std::uint16_t half_bits(DType type, long double value);

// What the bits stand for.
double half_value(DType type, std::uint16_t bits);

}  // namespace tirxcc::abi
