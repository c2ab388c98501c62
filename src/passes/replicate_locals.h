// SPDX-License-Identifier: Apache-2.0
//
// The end of fission_at_barriers: what a thread keeps from one region to another. A name whose
// value is cheap and cannot have changed is computed again; other names, mutable scalars and local
// arrays become arrays of the block with an element for each thread.
//
//   before:  region_1: { i = bx * 256 + t          after:  region_1: { i = bx * 256 + t
//                        x = A[i] }                                    x = A[i]
//            region_2: { B[i] = x }                                    x_of[t] = x }
//                                                          region_2: { i_1 = bx * 256 + t
//                                                                      B[i_1] = x_of[t] }
#pragma once

#include <span>
#include <vector>

#include "ir/cpu_kernel.h"
#include "passes/block_arrays.h"
#include "passes/pass.h"

namespace tirxcc::passes {

// `body`: the block's statements; `regions`: the labels of the regions in it. What is kept only
// among those that a warp runs together has an element for each lane. With
// context.options.debug each region begins with the addresses of what its thread keeps, and `views`
// tells what they are.
ir::StmtList replicate_locals(ir::StmtList body, std::span<const ir::Label* const> regions,
                              std::span<const ir::WarpRegion> warp_regions, BlockArrays& arrays,
                              PassContext& context, std::vector<ir::View>& views);

}  // namespace tirxcc::passes
