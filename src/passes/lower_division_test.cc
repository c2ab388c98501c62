// SPDX-License-Identifier: Apache-2.0
#include "passes/lower_division.h"

#include "passes/testing.h"

namespace tirxcc::passes {
namespace {

using namespace ir;

class LowerDivisionTest : public PassTest {
 protected:
  std::string lower(const Expr* value) {
    const Var* var = make_var("v", value->dtype, VarKind::Let);
    std::string text = run(lower_division, kernel({let(*var, value)}));
    return text.substr(8, text.size() - 9);  // without "    v = " and the line end
  }
};

TEST_F(LowerDivisionTest, PowersOfTwo) {
  const Expr* signed_left = sub(thread(), i32(8));
  EXPECT_EQ(lower(floordiv(signed_left, i32(4))), "T.cuda.thread_idx(\"x\") - 8 >> 2");
  EXPECT_EQ(lower(floormod(signed_left, i32(4))), "T.cuda.thread_idx(\"x\") - 8 & 3");
  EXPECT_EQ(lower(floordiv(thread(), i32(1))), "T.cuda.thread_idx(\"x\")");
  EXPECT_EQ(lower(floormod(thread(), i32(1))), "0");
  const Expr* wide = cast(kInt64, thread());
  EXPECT_EQ(lower(floormod(wide, i64(1LL << 40))),
            "T.int64(T.cuda.thread_idx(\"x\")) & 1099511627775");
  const Expr* huge = cast(kUInt64, thread());
  EXPECT_EQ(lower(floordiv(huge, lit(kUInt64, INT64_MIN))),
            "T.uint64(T.cuda.thread_idx(\"x\")) >> 63");
}

TEST_F(LowerDivisionTest, OtherConstantsNeedALeftSideThatIsNotNegative) {
  EXPECT_EQ(lower(floordiv(thread(), i32(3))), "T.truncdiv(T.cuda.thread_idx(\"x\"), 3)");
  EXPECT_EQ(lower(floormod(thread(), i32(3))), "T.truncmod(T.cuda.thread_idx(\"x\"), 3)");
  EXPECT_EQ(lower(floordiv(sub(thread(), i32(8)), i32(3))), "(T.cuda.thread_idx(\"x\") - 8) // 3");
  EXPECT_EQ(lower(floordiv(thread(), i32(-4))), "T.cuda.thread_idx(\"x\") // -4");
  EXPECT_EQ(lower(floordiv(sub(i32(0), thread()), ref(*n))), "(0 - T.cuda.thread_idx(\"x\")) // n");
  EXPECT_EQ(lower(floordiv(thread(), ref(*n))), "T.truncdiv(T.cuda.thread_idx(\"x\"), n)");
}

TEST_F(LowerDivisionTest, UnsignedAlways) {
  const Expr* left = cast(kUInt32, sub(thread(), i32(8)));
  EXPECT_EQ(lower(floordiv(left, lit(kUInt32, 3))),
            "T.truncdiv(T.uint32(T.cuda.thread_idx(\"x\") - 8), 3)");
}

TEST_F(LowerDivisionTest, ConditionsHelp) {
  const Expr* quotient = floordiv(ref(*x), i32(3));
  Kernel k = kernel({
      let(*x, sub(thread(), i32(8))),
      store(*vec, {i32(0)},
            build.make_select(less(ref(*x), i32(0)), cast(kFloat32, quotient),
                              cast(kFloat32, quotient), {})),
      when(bin(BinaryOp::Ge, ref(*x), i32(0)), list({store(*vec, {quotient}, f32(0))}),
           list({store(*vec, {quotient}, f32(1))})),
  });
  EXPECT_EQ(run(lower_division, k), R"(    x = T.cuda.thread_idx("x") - 8
    A[0] = T.float32(x // 3) if x < 0 else T.float32(T.truncdiv(x, 3))
    if x >= 0:
        A[T.truncdiv(x, 3)] = 0.0
    else:
        A[x // 3] = 1.0
)");
}

TEST_F(LowerDivisionTest, FloatsStay) {
  const Expr* value = floordiv(f32(7), load(*vec, {i32(0)}));
  EXPECT_EQ(lower(value), "7.0 // A[0]");
}

}  // namespace
}  // namespace tirxcc::passes
