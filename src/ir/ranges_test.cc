// SPDX-License-Identifier: Apache-2.0
#include "ir/ranges.h"

#include "ir/testing.h"

namespace tirxcc::ir {
namespace {

constexpr int128 kMax = INT32_MAX;

class RangesTest : public KernelTest {
 protected:
  void expect(const RangeAnalysis& ranges, const Expr* expr, int128 lo, int128 hi) {
    Interval interval = ranges.range(expr);
    EXPECT_EQ(static_cast<std::int64_t>(interval.lo), static_cast<std::int64_t>(lo)) << dump(expr);
    EXPECT_EQ(static_cast<std::int64_t>(interval.hi), static_cast<std::int64_t>(hi)) << dump(expr);
  }
};

TEST_F(RangesTest, LaunchIndicesAndSizes) {
  Kernel k = kernel({});
  k.launch.grid[0] = i64(100);
  RangeAnalysis ranges(k);
  expect(ranges, thread(), 0, 255);
  expect(ranges, thread(1), 0, 0);
  expect(ranges, block(), 0, 99);
  expect(ranges, build.launch_index(LaunchIndexKind::BlockDim, 0), 256, 256);
  expect(ranges, build.launch_index(LaunchIndexKind::WarpId, 0), 0, 7);
  expect(ranges, ref(*n), 0, kMax);
  k.launch.block[0] = cast(kInt64, ref(*n));
  RangeAnalysis symbolic(k);
  expect(symbolic, thread(), 0, 1023);
}

TEST_F(RangesTest, GlobalIndexOfASymbolicGridFitsInt32) {
  Kernel k = kernel({});
  const Expr* index = add(mul(block(), i32(256)), thread());
  RangeAnalysis unbounded(k, false);
  EXPECT_FALSE(unbounded.no_wrap(index));
  EXPECT_TRUE(RangeAnalysis(k, true).no_wrap(index));
  expect(RangeAnalysis(k, true), index, 0, kMax);
  const Expr* too_large = add(mul(block(), i32(512)), thread());
  EXPECT_FALSE(RangeAnalysis(k, true).no_wrap(too_large));
  // grid = ceildiv(n, 256): no assumption is needed.
  k.launch.grid[0] = floordiv(add(cast(kInt64, ref(*n)), i64(255)), i64(256));
  EXPECT_TRUE(RangeAnalysis(k, false).no_wrap(index));
}

TEST_F(RangesTest, SymbolsOfLinearExtents) {
  const Var* m = make_var("m", kInt32, VarKind::Symbol);
  const Var* s = make_var("s", kInt64, VarKind::Symbol);
  vec->shape = arena.copy({add(ref(*m), i32(1))});
  mat->shape = arena.copy({mul(ref(*n), i32(2))});
  mat->strides = arena.copy({ref(*s)});
  RangeAnalysis ranges(kernel({}));
  expect(ranges, ref(*m), -1, kMax);
  expect(ranges, ref(*n), 0, kMax);
  expect(ranges, ref(*s), INT64_MIN, INT64_MAX);  // a stride may be negative
}

TEST_F(RangesTest, LoopsAndLets) {
  const Var* down = make_var("d", kInt32, VarKind::Loop);
  const Var* counted = make_var("c", kInt32, VarKind::Loop);
  Kernel k = kernel({
      loop(*i, i32(2), i32(10), {let(*x, mul(ref(*i), i32(4)))}),
      make<For>(down, i32(10), i32(0), -1, ForKind::Serial, -1, false, StmtList{}),
      make<CountedFor>(counted, i32(100), i32(-10), lit(kUInt32, 5), StmtList{}),
  });
  RangeAnalysis ranges(k);
  expect(ranges, ref(*i), 2, 9);
  expect(ranges, ref(*x), 8, 36);
  expect(ranges, ref(*down), 1, 10);
  expect(ranges, ref(*counted), 60, 100);
}

TEST_F(RangesTest, Operators) {
  const Expr* t = thread();  // 0..255
  RangeAnalysis ranges(kernel({}));
  expect(ranges, sub(t, i32(8)), -8, 247);
  expect(ranges, build.make_unary(UnaryOp::Neg, t, {}), -255, 0);
  expect(ranges, build.make_unary(UnaryOp::BitNot, t, {}), -256, -1);
  expect(ranges, floordiv(sub(t, i32(8)), i32(3)), -3, 82);
  expect(ranges, bin(BinaryOp::TruncDiv, sub(t, i32(8)), i32(3)), -2, 82);
  expect(ranges, floormod(sub(t, i32(8)), i32(3)), 0, 2);
  expect(ranges, bin(BinaryOp::TruncMod, sub(t, i32(8)), i32(3)), -2, 2);
  expect(ranges, floormod(t, i32(1000)), 0, 255);
  expect(ranges, floormod(sub(t, i32(8)), i32(-3)), -2, 0);
  expect(ranges, bin(BinaryOp::BitAnd, sub(t, i32(8)), i32(15)), 0, 15);
  expect(ranges, bin(BinaryOp::BitXor, t, i32(1)), 0, 255);
  expect(ranges, bin(BinaryOp::ShiftRight, sub(t, i32(8)), i32(2)), -2, 61);
  expect(ranges, bin(BinaryOp::ShiftLeft, t, i32(2)), 0, 1020);
  expect(ranges, less(t, i32(4)), 0, 1);
  expect(ranges, build.make_select(less(t, i32(4)), t, i32(-1), {}), -1, 255);
  expect(ranges, cast(kInt64, sub(t, i32(8))), -8, 247);
  expect(ranges, cast(kUInt32, sub(t, i32(8))), 0, UINT32_MAX);
  // What may wrap, or divide by zero, has the whole range.
  expect(ranges, add(ref(*n), i32(1)), INT32_MIN, kMax);
  EXPECT_FALSE(ranges.no_wrap(add(ref(*n), i32(1))));
  EXPECT_TRUE(ranges.no_wrap(sub(ref(*n), i32(1))));
  expect(ranges, floordiv(t, ref(*n)), INT32_MIN, kMax);
  const Expr* huge = lit(kUInt64, -1);
  EXPECT_FALSE(ranges.no_wrap(bin(BinaryOp::Mul, huge, huge)));
}

TEST_F(RangesTest, ConditionsHoldWhereTheyDominate) {
  RangeAnalysis ranges(kernel({let(*x, thread())}));
  std::size_t outer = ranges.mark();
  ranges.assume(bin(BinaryOp::And, less(ref(*x), i32(100)), bin(BinaryOp::Ge, ref(*x), i32(4))),
                true);
  expect(ranges, ref(*x), 4, 99);
  ranges.assume(bin(BinaryOp::Eq, ref(*x), i32(4)), false);
  expect(ranges, ref(*x), 5, 99);
  ranges.forget(outer);
  expect(ranges, ref(*x), 0, 255);
  ranges.assume(less(ref(*x), i32(100)), false);
  expect(ranges, ref(*x), 100, 255);
  ranges.forget(outer);
  // Or says something only when it is false; mutable scalars never.
  ranges.assume(bin(BinaryOp::Or, less(ref(*x), i32(9)), less(ref(*x), i32(3))), true);
  ranges.assume(less(read(count), i32(9)), true);
  expect(ranges, ref(*x), 0, 255);
  expect(ranges, read(count), INT32_MIN, kMax);
  ranges.assume(less(sub(cast(kInt64, ref(*x)), i64(2)), i64(10)), true);
  expect(ranges, ref(*x), 0, 11);
  ranges.assume(less(thread(), i32(32)), true);
  expect(ranges, thread(), 0, 31);
}

TEST_F(RangesTest, BindingsUnderConditions) {
  const Var* z = make_var("z", kInt32, VarKind::Let);
  Kernel k = kernel({
      let(*x, sub(thread(), i32(8))),
      when(less(ref(*x), i32(0)), list({make<ThreadReturn>()})),
      let(*y, add(ref(*x), i32(1))),
      when(less(ref(*x), i32(5)), list({let(*z, ref(*x))})),
  });
  RangeAnalysis ranges(k);
  expect(ranges, ref(*x), -8, 247);
  expect(ranges, ref(*y), 1, 248);
  expect(ranges, ref(*z), 0, 4);
}

}  // namespace
}  // namespace tirxcc::ir
