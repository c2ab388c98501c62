// SPDX-License-Identifier: Apache-2.0
#include "ir/builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "intrinsics/intrinsics.h"
#include "ir/constant.h"

namespace tirxcc::ir {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

class BuilderTest : public ::testing::Test {
 protected:
  const Expr* i32(std::int64_t v) { return build.int_imm(kInt32, v); }
  const Expr* num(DType t, std::int64_t v) { return build.int_imm(t, v); }
  const Expr* flt(DType t, double v) { return build.float_imm(t, v); }
  const Expr* fold(BinaryOp op, const Expr* a, const Expr* b) {
    return build.fold_binary(op, a, b, {});
  }
  void expect_int(const Expr* e, DType type, std::int64_t value) {
    const IntImm* literal = as_int(e);
    ASSERT_NE(literal, nullptr);
    EXPECT_EQ(literal->dtype, type);
    EXPECT_EQ(literal->value, value);
  }
  void expect_float(const Expr* e, DType type, double value) {
    const auto* literal = as<FloatImm>(e);
    ASSERT_NE(literal, nullptr);
    EXPECT_EQ(literal->dtype, type);
    EXPECT_EQ(literal->value, value);
    EXPECT_EQ(std::signbit(literal->value), std::signbit(value));
  }
  const Expr* call(intrinsics::Effect effect, intrinsics::Convergence convergence) {
    auto* row = arena.make<intrinsics::Intrinsic>();
    row->name = "test";
    row->effect = effect;
    row->convergence = convergence;
    return build.make_call(row, kInt32, {}, {});
  }

  Arena arena;
  Builder build{arena};
  Var n{"n", kInt32, {}, VarKind::Symbol};
  const Expr* x = build.var(&n);
};

TEST_F(BuilderTest, IntegersWrapInTheirOwnType) {
  expect_int(fold(BinaryOp::Add, i32(2147483647), i32(1)), kInt32, -2147483648LL);
  expect_int(fold(BinaryOp::Add, num(kInt8, 100), num(kInt8, 100)), kInt8, -56);
  expect_int(fold(BinaryOp::Sub, num(kUInt8, 1), num(kUInt8, 2)), kUInt8, 255);
  expect_int(fold(BinaryOp::Mul, num(kUInt64, -1), num(kUInt64, -1)), kUInt64, 1);
  expect_int(fold(BinaryOp::Mul, num(kInt64, INT64_MIN), num(kInt64, -1)), kInt64, INT64_MIN);
  expect_int(build.fold_unary(UnaryOp::Neg, num(kUInt32, 1), {}), kUInt32, 4294967295LL);
  expect_int(build.fold_unary(UnaryOp::BitNot, num(kUInt64, 0), {}), kUInt64, -1);
  expect_int(build.fold_unary(UnaryOp::BitNot, build.bool_imm(true), {}), kBool, 0);
}

TEST_F(BuilderTest, DivisionRoundsDown) {
  expect_int(fold(BinaryOp::FloorDiv, i32(-7), i32(2)), kInt32, -4);
  expect_int(fold(BinaryOp::FloorDiv, i32(7), i32(-2)), kInt32, -4);
  expect_int(fold(BinaryOp::FloorDiv, i32(-7), i32(-2)), kInt32, 3);
  expect_int(fold(BinaryOp::FloorMod, i32(-7), i32(2)), kInt32, 1);
  expect_int(fold(BinaryOp::FloorMod, i32(7), i32(-2)), kInt32, -1);
  expect_int(fold(BinaryOp::FloorMod, i32(-7), i32(-2)), kInt32, -1);
  expect_int(fold(BinaryOp::TruncDiv, i32(-7), i32(2)), kInt32, -3);
  expect_int(fold(BinaryOp::TruncMod, i32(-7), i32(2)), kInt32, -1);
  expect_int(fold(BinaryOp::FloorDiv, i32(INT32_MIN), i32(-1)), kInt32, INT32_MIN);
  expect_int(fold(BinaryOp::FloorDiv, num(kUInt64, -1), num(kUInt64, 2)), kUInt64, INT64_MAX);
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::FloorDiv, i32(1), i32(0))));
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::TruncMod, i32(1), i32(0))));
}

TEST_F(BuilderTest, ShiftsStayInsideTheirWidth) {
  expect_int(fold(BinaryOp::ShiftLeft, i32(1), i32(31)), kInt32, INT32_MIN);
  expect_int(fold(BinaryOp::ShiftRight, i32(-8), i32(1)), kInt32, -4);
  expect_int(fold(BinaryOp::ShiftRight, num(kUInt64, -1), i32(63)), kUInt64, 1);
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::ShiftLeft, i32(1), i32(32))));
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::ShiftRight, i32(1), i32(-1))));
}

TEST_F(BuilderTest, UnsignedComparisonsReadTheBitPattern) {
  expect_int(fold(BinaryOp::Gt, num(kUInt64, -1), num(kUInt64, 1)), kBool, 1);
  expect_int(fold(BinaryOp::Lt, i32(-1), i32(1)), kBool, 1);
}

TEST_F(BuilderTest, FloatsRoundOnceToTheirWidth) {
  EXPECT_EQ(round_to(kFloat16, 65519.99), 65504);
  EXPECT_EQ(round_to(kFloat16, 65520), kInf);
  EXPECT_EQ(round_to(kFloat16, 1e-8), 0);
  EXPECT_EQ(round_to(kFloat16, std::ldexp(1.0, -24)), std::ldexp(1.0, -24));
  EXPECT_EQ(round_to(kFloat16, std::ldexp(1.0, -25)), 0);  // a tie goes to even
  EXPECT_EQ(round_to(kFloat16, std::ldexp(1.5, -25)), std::ldexp(1.0, -24));
  EXPECT_EQ(round_to(kBFloat16, 1.00390625), 1.0);
  EXPECT_EQ(round_to(kBFloat16, 3.4e38), kInf);
  // By way of float32 this would round up twice: 1 + 2^-11 + 2^-40 is just above the tie.
  EXPECT_EQ(round_to(kFloat16, 1 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40)),
            1 + std::ldexp(1.0, -10));
  EXPECT_EQ(round_to(kFloat16, 1 + std::ldexp(1.0, -11)), 1.0);
  EXPECT_EQ(round_to(kFloat32, 0.1), static_cast<double>(0.1F));
  EXPECT_TRUE(std::isnan(round_to(kFloat16, NAN)));
  EXPECT_TRUE(std::signbit(round_to(kBFloat16, -0.0)));
  // 2^60 + 2^36 + 1 by way of double loses the 1 and ties to even.
  EXPECT_EQ(round_int_to(kFloat32, (1LL << 60) + (1LL << 36) + 1),
            static_cast<double>(std::ldexp(1.0F, 60) + std::ldexp(1.0F, 37)));
  EXPECT_EQ(round_int_to(kFloat64, static_cast<int128>(UINT64_MAX)), 0x1p64);
}

TEST_F(BuilderTest, FloatFolding) {
  expect_float(fold(BinaryOp::Add, flt(kFloat32, 1), flt(kFloat32, 1e-9)), kFloat32, 1);
  expect_float(fold(BinaryOp::Mul, flt(kFloat16, 300), flt(kFloat16, 300)), kFloat16, kInf);
  expect_float(fold(BinaryOp::Div, flt(kFloat32, 1), flt(kFloat32, 3)), kFloat32, 1.0F / 3.0F);
  expect_float(build.fold_unary(UnaryOp::Neg, flt(kFloat32, 0), {}), kFloat32, -0.0);
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::Div, flt(kFloat32, 1), flt(kFloat32, 0))));
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::Sub, flt(kFloat64, kInf), flt(kFloat64, kInf))));
  expect_int(fold(BinaryOp::Ne, flt(kFloat32, NAN), flt(kFloat32, NAN)), kBool, 1);
  expect_int(fold(BinaryOp::Ge, flt(kFloat32, NAN), flt(kFloat32, 0)), kBool, 0);
  Var f{"f", kFloat32, {}};
  const Expr* y = build.var(&f);
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::Mul, y, flt(kFloat32, 0))));
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::Add, y, flt(kFloat32, 0))));
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::Sub, y, y)));
}

TEST_F(BuilderTest, Casts) {
  EXPECT_EQ(build.fold_cast(kInt32, x, {}), x);
  expect_int(build.fold_cast(kInt32, flt(kFloat32, -2.7), {}), kInt32, -2);
  expect_int(build.fold_cast(kInt32, flt(kFloat32, 3e9), {}), kInt32, INT32_MAX);
  expect_int(build.fold_cast(kInt8, flt(kFloat32, -1000), {}), kInt8, -128);
  expect_int(build.fold_cast(kUInt32, flt(kFloat64, -1), {}), kUInt32, 0);
  expect_int(build.fold_cast(kUInt64, flt(kFloat64, kInf), {}), kUInt64, -1);
  expect_int(build.fold_cast(kInt64, flt(kFloat64, 9.3e18), {}), kInt64, INT64_MAX);
  expect_int(build.fold_cast(kInt32, flt(kFloat32, NAN), {}), kInt32, 0);
  expect_int(build.fold_cast(kBool, flt(kFloat32, NAN), {}), kBool, 1);
  expect_int(build.fold_cast(kBool, i32(256), {}), kBool, 1);
  expect_int(build.fold_cast(kUInt8, i32(300), {}), kUInt8, 44);
  expect_int(build.fold_cast(kUInt32, i32(-1), {}), kUInt32, 4294967295LL);
  expect_float(build.fold_cast(kFloat16, i32(65519), {}), kFloat16, 65504);
  expect_float(build.fold_cast(kFloat64, num(kUInt64, -1), {}), kFloat64, 0x1p64);
}

TEST_F(BuilderTest, IntegerIdentities) {
  EXPECT_EQ(fold(BinaryOp::Add, x, i32(0)), x);
  EXPECT_EQ(fold(BinaryOp::Add, i32(0), x), x);
  EXPECT_EQ(fold(BinaryOp::Sub, x, i32(0)), x);
  EXPECT_EQ(fold(BinaryOp::Mul, i32(1), x), x);
  EXPECT_EQ(fold(BinaryOp::FloorDiv, x, i32(1)), x);
  EXPECT_EQ(fold(BinaryOp::BitAnd, x, i32(-1)), x);
  EXPECT_EQ(fold(BinaryOp::ShiftRight, x, i32(0)), x);
  expect_int(fold(BinaryOp::Mul, x, i32(0)), kInt32, 0);
  expect_int(fold(BinaryOp::Sub, x, build.var(&n)), kInt32, 0);
  expect_int(fold(BinaryOp::FloorMod, x, i32(1)), kInt32, 0);
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::Sub, i32(0), x)));
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::FloorDiv, i32(1), x)));
  EXPECT_EQ(build.fold_unary(UnaryOp::Neg, build.make_unary(UnaryOp::Neg, x, {}), {}), x);
}

TEST_F(BuilderTest, NothingWithAnEffectIsDropped) {
  const Expr* atomic = call(intrinsics::Effect::Atomic, intrinsics::Convergence::Thread);
  const Expr* shuffle = call(intrinsics::Effect::Pure, intrinsics::Convergence::Warp);
  const Expr* clock = call(intrinsics::Effect::Reads, intrinsics::Convergence::Thread);
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::Mul, atomic, i32(0))));
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::Sub, atomic, atomic)));
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::Mul, shuffle, i32(0))));
  expect_int(fold(BinaryOp::Mul, clock, i32(0)), kInt32, 0);
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::Sub, clock, clock)));
  EXPECT_FALSE(is_pure_value(clock));
  EXPECT_TRUE(has_no_effect(clock));

  Tensor a{.name = "a", .dtype = kInt32};
  const Expr* load = build.load(&a, arena.copy({x}), {});
  EXPECT_FALSE(is_pure_value(load));
  expect_int(fold(BinaryOp::Mul, load, i32(0)), kInt32, 0);

  const Expr* effect = fold(BinaryOp::Eq, atomic, i32(0));
  expect_int(fold(BinaryOp::And, build.bool_imm(false), effect), kBool, 0);
  EXPECT_EQ(fold(BinaryOp::And, build.bool_imm(true), effect), effect);
  EXPECT_EQ(fold(BinaryOp::Or, effect, build.bool_imm(false)), effect);
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::And, effect, build.bool_imm(false))));
  EXPECT_TRUE(is<Binary>(fold(BinaryOp::Or, effect, build.bool_imm(true))));
}

TEST_F(BuilderTest, EqualityIsByStructureAndIdentityOfVariables) {
  Var other{"n", kInt32, {}, VarKind::Symbol};
  const Expr* a = build.make_binary(BinaryOp::Add, x, i32(1), {});
  EXPECT_TRUE(equal(a, build.make_binary(BinaryOp::Add, build.var(&n), i32(1), {})));
  EXPECT_FALSE(equal(a, build.make_binary(BinaryOp::Add, build.var(&other), i32(1), {})));
  EXPECT_FALSE(equal(i32(1), num(kInt64, 1)));
  EXPECT_FALSE(equal(flt(kFloat32, 0.0), flt(kFloat32, -0.0)));
  EXPECT_TRUE(equal(flt(kFloat32, NAN), flt(kFloat32, NAN)));
}

TEST_F(BuilderTest, SelectTakesTheKnownSide) {
  EXPECT_EQ(build.fold_select(build.bool_imm(true), x, i32(1), {}), x);
  EXPECT_TRUE(
      is<Select>(build.fold_select(build.make_binary(BinaryOp::Lt, x, i32(1), {}), x, x, {})));
}

TEST_F(BuilderTest, StaticThreads) {
  LaunchConfig launch;
  launch.block[0] = num(kInt64, 32);
  launch.block[1] = num(kInt64, 8);
  EXPECT_EQ(launch.static_threads(), 256);
  launch.block[2] = x;
  EXPECT_EQ(launch.static_threads(), 0);
}

}  // namespace
}  // namespace tirxcc::ir
