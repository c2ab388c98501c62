// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on constants exactly as the kernel's own types do it: integers wrap at their width,
// floats are rounded once to theirs. Used by the builder's folding and by sema's literals.
#pragma once

#include <cstdint>
#include <optional>

#include "abi/dtype.h"
#include "base/int128.h"
#include "ir/ir.h"

namespace tirxcc::ir {

// `value` rounded once, to nearest even, to a float type. Overflow gives an infinity.
double round_to(DType type, double value);
// An integer rounded once to a float type (not by way of double).
double round_int_to(DType type, int128 value);
// A float cut to an integer type: toward zero, saturating at its width, NaN gives 0; bool: != 0.
int128 float_to_int(DType type, double value);

// The mathematical value of a literal (uint64 bit patterns read as unsigned).
int128 int_value(const IntImm& literal);

// The operation on two integers of `type` (bool as 0 and 1), wrapped to it. nullopt where the
// result is not defined: division by zero, a shift outside 0..width-1, an operation that the type
// does not have. Comparisons and logic give 0 or 1.
std::optional<int128> fold_ints(BinaryOp op, DType type, int128 a, int128 b);
// The operation on two floats of `type`, rounded to it. nullopt for division by zero, for a NaN
// result (its bits differ between machines) and for operations that give no float.
std::optional<double> fold_floats(BinaryOp op, DType type, double a, double b);
// A comparison of two floats; nullopt for other operations.
std::optional<bool> compare_floats(BinaryOp op, double a, double b);

}  // namespace tirxcc::ir
