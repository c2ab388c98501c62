// SPDX-License-Identifier: Apache-2.0
//
// How many threads of a block are a warp: on every GPU there is, and on the CPU target.
#pragma once

#include <cstdint>

namespace tirxcc::ir {

inline constexpr std::int64_t kWarpSize = 32;

}  // namespace tirxcc::ir
