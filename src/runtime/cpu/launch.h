// SPDX-License-Identifier: Apache-2.0
//
// Runs compiled kernels: the blocks of a grid over the thread pool, or a host function once.
#pragma once

#include <cstdint>

#include "abi/cpu_plugin.h"

namespace tirxcc::runtime_cpu {

// Runs all blocks of the grid and returns when they are done. Extents are at least 1. Returns 0, or
// 1 + the index of an assert that failed. `shared_bytes`: of dynamic shared memory.
std::int64_t launch(abi::CpuEntry entry, const std::uint64_t* args, const std::int64_t grid[3],
                    const std::int64_t block[3], std::int64_t shared_bytes = 0);

// The same on the calling thread, one block after another.
std::int64_t launch_in_order(abi::CpuEntry entry, const std::uint64_t* args,
                             const std::int64_t grid[3], const std::int64_t block[3],
                             std::int64_t shared_bytes = 0);

// Runs a host function on the calling thread; its T.parallel loops use the pool. The result, if it
// has one, goes to *result in slot representation.
std::int64_t call_host(abi::CpuEntry entry, const std::uint64_t* args, std::uint64_t* result);

// Size of the last-level cache, or a guess.
std::int64_t cache_bytes();

}  // namespace tirxcc::runtime_cpu
