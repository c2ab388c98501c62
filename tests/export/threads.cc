// SPDX-License-Identifier: Apache-2.0
//
// A C++ program that spreads the blocks of a kernel over threads of its own.
#include <cstdio>
#include <thread>
#include <vector>

#include "kernels.h"

int main() {
  constexpr std::int64_t kBlocks = 1001;
  std::vector<float> a(kBlocks * 128, 0.5F), b(kBlocks);
  const std::int64_t blocks = block_sums_block_count(a.data(), b.data(), kBlocks);
  std::vector<std::thread> workers;
  std::vector<int> status(4, 1);
  for (int w = 0; w < 4; ++w) {
    workers.emplace_back([&, w] {
      status[w] =
          block_sums_blocks(a.data(), b.data(), kBlocks, blocks * w / 4, blocks * (w + 1) / 4);
    });
  }
  for (std::thread& worker : workers)
    worker.join();
  for (const float sum : b) {
    if (sum != 64.0F) return 1;
  }
  return blocks == kBlocks && status == std::vector<int>(4, 0) ? 0 : 2;
}
