// SPDX-License-Identifier: Apache-2.0
//
// Grids of several dimensions: whatever part of the blocks an entry is given, it runs each of their
// threads once, in the long rows that kernels get which know only their place along x and in
// others.
#include "driver/cpu_testing.h"

namespace tirxcc::driver {
namespace {

constexpr std::int64_t kGrid[3] = {5, 3, 2};
constexpr std::int64_t kBlock[3] = {9, 2, 1};
constexpr int kBlocks = 5 * 3 * 2;
constexpr int kThreads = 9 * 2;

class CpuRowsTest : public testing::CpuTest {
 protected:
  // O[x, y, z of the grid and thread as one number] += 1, where x < 43 of 45.
  const ir::CpuKernel& count(bool has_long_rows) {
    for (int axis = 0; axis < 3; ++axis) {
      grid[axis] = i64(kGrid[axis]);
      block[axis] = i64(kBlock[axis]);
    }
    const ir::Tensor* out = tensor("O", kInt32);
    const ir::Var* x = variable("x", kInt32);
    const ir::Var* y = variable("y", kInt32);
    const ir::Var* place = variable("place", kInt32);
    const Expr* row = add(mul(block_index(2), i32(6)), ref(y));
    List<Stmt> guarded = {let(place, add(mul(row, i32(45)), ref(x))),
                          store(out, ref(place), add(load(out, ref(place)), i32(1)))};
    if (!has_long_rows) {
      // Asks for the thread alone, and changes nothing.
      guarded = {when(less(thread(), i32(9)), guarded)};
    }
    return lower({let(x, add(mul(block_index(), i32(9)), thread())),
                  let(y, add(mul(block_index(1), i32(2)), thread(1))),
                  when(less(ref(x), i32(43)), guarded)});
  }

  // How often the thread with this place ran when the entry was given the blocks [first, last).
  static int expected(int place, int first, int last) {
    const int x = place % 45;
    const int y = place / 45 % 6;
    const int z = place / 270;
    const int block_number = x / 9 + 5 * (y / 2 + 3 * z);
    return x < 43 && block_number >= first && block_number < last ? 1 : 0;
  }

  void check(const ir::CpuKernel& kernel) {
    const runtime_cpu::Code code = compile(kernel);
    const std::int64_t sizes[6] = {kGrid[0], kGrid[1], kGrid[2], kBlock[0], kBlock[1], kBlock[2]};
    for (int first = 0; first <= kBlocks; ++first) {
      for (int last = first; last <= kBlocks; ++last) {
        std::vector<std::int32_t> result(kBlocks * kThreads, 0);
        const std::uint64_t args[] = {word(result.data())};
        ASSERT_EQ(code.entry()(args, sizes, first, last, nullptr), 0);
        for (int place = 0; place < kBlocks * kThreads; ++place) {
          ASSERT_EQ(result[place], expected(place, first, last))
              << "at " << place << " for blocks " << first << " to " << last;
        }
      }
    }
  }
};

TEST_F(CpuRowsTest, LongRows) {
  const ir::CpuKernel& kernel = count(true);
  EXPECT_TRUE(kernel.has_long_rows);
  check(kernel);
}

TEST_F(CpuRowsTest, BlockByBlock) {
  const ir::CpuKernel& kernel = count(false);
  EXPECT_FALSE(kernel.has_long_rows);
  check(kernel);
}

}  // namespace
}  // namespace tirxcc::driver
