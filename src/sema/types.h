// SPDX-License-Identifier: Apache-2.0
//
// Types of literals and of the results of operators (language.md 3.1, 3.2; rules 2, 3, 4, 21).
// promote() itself is public and stands in expr_sema.h.
#pragma once

#include "abi/dtype.h"
#include "sema/value.h"

namespace tirxcc::sema {

// What an int literal is on its own: int32, else int64, else uint64; Error type if 64 bits do not
// hold it.
DType natural_type(int128 value);

// What happens to a narrow integer or bool that meets an int literal.
enum class NarrowOperand : std::uint8_t {
  Widens,  // arithmetic and comparisons: the result is int32 (rule 2)
  Keeps,   // choices and max/min: the literal adopts the narrow type if it fits
};

// The common type of a typed operand and a Python number next to it. A literal that does not fit
// keeps its own type and promotion applies (rule 21). Error type if 64 bits do not hold it.
DType type_with_literal(DType typed, const Value& literal, NarrowOperand narrow);

}  // namespace tirxcc::sema
