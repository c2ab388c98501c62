// SPDX-License-Identifier: Apache-2.0
//
// flatten: one index for every access, the offset in elements from the tensor's base.
//
// Expects: accesses with one index a dimension.
// Guarantees: Load, Store and AddressOf are flat. The offset is a sum with the terms in the order
// of the dimensions, zero terms left out, products not distributed. It is computed in int32, or in
// int64 when options.index64 says so, when a constant shape has more than kMostElements32 elements,
// or when one of the indices, extents or strides is 64 bits wide itself. The user's own index
// expressions are computed in their own type and then widened. An access of one dimension without
// stride keeps the user's expression as it is. Symbols that offsets need are in kernel.symbols.
//
//   B[x, y] = A[x, y + 1]   =>   B.flat[x * 64 + y] = A.flat[x * n + y + 1]
#pragma once

#include "abi/plan.h"
#include "passes/pass.h"

namespace tirxcc::passes {

// Up to here offsets are computed in int32; the launch plan picks the variant by the same number.
using abi::kMostElements32;

const ir::Kernel& flatten(const ir::Kernel& kernel, PassContext& context);

}  // namespace tirxcc::passes
