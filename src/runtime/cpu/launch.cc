// SPDX-License-Identifier: Apache-2.0
//
// See launch.h.
#include "runtime/cpu/launch.h"

#include <unistd.h>

#include "base/int128.h"
#include "runtime/cpu/thread_pool.h"

namespace tirxcc::runtime_cpu {
namespace {

struct Launch {
  abi::CpuEntry entry;
  const std::uint64_t* args;
  std::int64_t sizes[7];
};

std::int64_t run_blocks(void* context, std::int64_t first, std::int64_t last) {
  const auto* launch = static_cast<const Launch*>(context);
  return launch->entry(launch->args, launch->sizes, first, last, nullptr);
}

// The number of blocks; grids beyond what 64 bits count would not end in this lifetime.
std::int64_t block_count(const std::int64_t grid[3]) {
  int128 count = 1;
  for (int axis = 0; axis < 3; ++axis)
    count = count * grid[axis] > INT64_MAX ? INT64_MAX : count * grid[axis];
  return static_cast<std::int64_t>(count);
}

}  // namespace

std::int64_t launch(abi::CpuEntry entry, const std::uint64_t* args, const std::int64_t grid[3],
                    const std::int64_t block[3], std::int64_t shared_bytes) {
  Launch request = {
      entry, args, {grid[0], grid[1], grid[2], block[0], block[1], block[2], shared_bytes}};
  const std::int64_t row = grid[1] > 1 || grid[2] > 1 ? grid[0] : 1;
  return parallel_for_rows(run_blocks, &request, block_count(grid), row);
}

std::int64_t launch_in_order(abi::CpuEntry entry, const std::uint64_t* args,
                             const std::int64_t grid[3], const std::int64_t block[3],
                             std::int64_t shared_bytes) {
  const std::int64_t sizes[7] = {grid[0],  grid[1],  grid[2],     block[0],
                                 block[1], block[2], shared_bytes};
  return entry(args, sizes, 0, block_count(grid), nullptr);
}

std::int64_t cache_bytes() {
  static const std::int64_t bytes = [] {
    constexpr std::int64_t kGuess = 8 << 20;
#ifdef _SC_LEVEL3_CACHE_SIZE
    const std::int64_t known = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return known > 0 ? known : kGuess;
#else
    return kGuess;
#endif
  }();
  return bytes;
}

std::int64_t call_host(abi::CpuEntry entry, const std::uint64_t* args, std::uint64_t* result) {
  const std::int64_t sizes[7] = {1, 1, 1, 1, 1, 1, 0};
  return entry(args, sizes, 0, 1, result);
}

}  // namespace tirxcc::runtime_cpu
