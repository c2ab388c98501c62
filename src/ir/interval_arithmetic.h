// SPDX-License-Identifier: Apache-2.0
//
// Operations on intervals of mathematical integers, for the range analysis. Each returns false if
// the result has no useful bound (a divisor that may be zero, a shift out of range).
#pragma once

#include "abi/dtype.h"
#include "ir/ir.h"
#include "ir/ranges.h"

namespace tirxcc::ir {

Interval whole(DType type);
Interval unite(Interval a, Interval b);
// Empty intersections give `a` (the place is never reached, and says nothing).
Interval intersect(Interval a, Interval b);

// `a op b` where the operands have `type` (the shift amount apart).
bool interval_of(BinaryOp op, DType type, Interval a, Interval b, Interval& result);

}  // namespace tirxcc::ir
