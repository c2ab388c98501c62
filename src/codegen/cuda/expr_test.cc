// SPDX-License-Identifier: Apache-2.0
#include "codegen/cuda/expr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "codegen/cuda/literals.h"
#include "codegen/cuda/test_kernel.h"

namespace tirxcc::codegen_cuda {
namespace {

using Op = ir::BinaryOp;
using ir::UnaryOp;

// A kernel with scalar parameters of every kind; text() is the right side of a store of the value.
class CudaExpr : public ::testing::Test {
 protected:
  using Expr = ir::Expr;
  const Expr* param(std::string_view name, DType type) { return k.ref(k.scalar(name, type)); }
  const Expr* op(Op op, const Expr* x, const Expr* y) { return k.op(op, x, y); }
  const Expr* cast(DType type, const Expr* x) { return k.cast(type, x); }
  const Expr* imm(DType type, std::int64_t value) { return k.build.int_imm(type, value); }
  const Expr* unary(UnaryOp op, const Expr* x) { return k.build.make_unary(op, x, {}); }
  const Expr* select(const Expr* condition, const Expr* x, const Expr* y) {
    return k.build.make_select(condition, x, y, {});
  }
  // The text where the value is stored.
  std::string text(const ir::Expr* value) { return store_text(value, 0, " = "); }
  // The text as a subscript.
  std::string index(const ir::Expr* offset) {
    k.statements.clear();
    k.add({k.store(target(kInt32), offset, k.i32(0))});
    std::string line = k.body_text();
    return line.substr(line.find('[') + 1, line.rfind(']') - line.find('[') - 1);
  }
  // The text as a condition.
  std::string branch_text(const ir::Expr* value) {
    k.statements.clear();
    k.add({k.branch(value, k.stmts({k.store(target(kInt32), k.i32(0), k.i32(0))}))});
    std::string line = k.body_text();
    return line.substr(4, line.find(") {") - 4);
  }

  TestKernel k;
  const Expr* a = param("a", kInt32);
  const Expr* b = param("b", kInt32);
  const Expr* c = param("c", kInt32);
  const Expr* u = param("u", kUInt32);
  const Expr* l = param("l", kInt64);
  const Expr* m = param("m", kUInt64);
  const Expr* s = param("s", kInt8);
  const Expr* t = param("t", kUInt8);
  const Expr* w = param("w", kUInt16);
  const Expr* v = param("v", kInt16);
  const Expr* p = param("p", kBool);
  const Expr* q = param("q", kBool);
  const Expr* f = param("f", kFloat32);
  const Expr* g = param("g", kFloat32);
  const Expr* d = param("d", kFloat64);
  const Expr* h = param("h", kFloat16);
  const Expr* e = param("e", kBFloat16);

 private:
  const ir::Tensor* target(DType type) {
    const ir::Tensor*& made = targets_[static_cast<std::size_t>(type.code) * 128 + type.bits];
    if (made == nullptr) made = k.tensor("out", type);
    return made;
  }
  std::string store_text(const ir::Expr* value, int offset, std::string_view mark) {
    k.statements.clear();
    k.add({k.store(target(value->dtype), k.i32(offset), value)});
    std::string line = k.body_text();
    std::size_t begin = line.find(mark) + mark.size();
    return line.substr(begin, line.find(";\n") - begin);
  }
  const ir::Tensor* targets_[1024] = {};
};

TEST_F(CudaExpr, MinimalParentheses) {
  EXPECT_EQ(text(op(Op::Add, op(Op::Mul, a, b), c)), "a * b + c");
  EXPECT_EQ(text(op(Op::Mul, a, op(Op::Add, b, c))), "a * (b + c)");
  EXPECT_EQ(text(op(Op::Sub, a, op(Op::Sub, b, c))), "a - (b - c)");
  EXPECT_EQ(text(op(Op::Sub, op(Op::Sub, a, b), c)), "a - b - c");
  EXPECT_EQ(text(op(Op::Add, a, op(Op::Add, b, c))), "a + (b + c)");
  EXPECT_EQ(text(op(Op::TruncDiv, a, op(Op::Mul, b, c))), "a / (b * c)");
  EXPECT_EQ(text(op(Op::Mul, op(Op::TruncDiv, a, b), c)), "a / b * c");
}

TEST_F(CudaExpr, ShiftAndBitwiseBesideOthersHaveParentheses) {
  EXPECT_EQ(text(op(Op::ShiftRight, op(Op::Add, a, b), k.i32(1))), "(a + b) >> 1");
  EXPECT_EQ(text(op(Op::Mul, op(Op::ShiftRight, a, k.i32(4)), k.i32(4))), "(a >> 4) * 4");
  EXPECT_EQ(text(op(Op::BitAnd, op(Op::ShiftRight, a, k.i32(3)), k.i32(7))), "(a >> 3) & 7");
  EXPECT_EQ(text(op(Op::BitOr, op(Op::BitAnd, a, b), c)), "(a & b) | c");
  EXPECT_EQ(text(op(Op::BitAnd, op(Op::BitAnd, a, b), c)), "a & b & c");
  EXPECT_EQ(text(op(Op::Add, a, op(Op::BitAnd, b, k.i32(15)))), "a + (b & 15)");
  EXPECT_EQ(branch_text(op(Op::Eq, op(Op::BitAnd, a, k.i32(1)), k.i32(0))), "(a & 1) == 0");
}

TEST_F(CudaExpr, Conditions) {
  const Expr* less = op(Op::Lt, a, b);
  const Expr* equal = op(Op::Eq, b, c);
  EXPECT_EQ(branch_text(op(Op::Or, op(Op::And, less, equal), p)), "(a < b && b == c) || p");
  EXPECT_EQ(branch_text(op(Op::And, op(Op::Or, p, q), less)), "(p || q) && a < b");
  EXPECT_EQ(branch_text(op(Op::And, p, op(Op::And, q, less))), "p && q && a < b");
  EXPECT_EQ(branch_text(unary(UnaryOp::Not, less)), "!(a < b)");
  EXPECT_EQ(branch_text(op(Op::Eq, less, equal)), "(a < b) == (b == c)");
  EXPECT_EQ(branch_text(cast(kBool, a)), "a");
  EXPECT_EQ(branch_text(op(Op::And, cast(kBool, l), cast(kBool, f))), "l && f != 0.0f");
  EXPECT_EQ(branch_text(unary(UnaryOp::Not, cast(kBool, h))), "!(__half2float(h) != 0.0f)");
  EXPECT_EQ(text(cast(kBool, a)), "a != 0");
  EXPECT_EQ(text(unary(UnaryOp::BitNot, p)), "!p");
}

TEST_F(CudaExpr, CastsOnlyWhereCWouldNotConvert) {
  EXPECT_EQ(text(op(Op::Mul, cast(kFloat32, a), f)), "a * f");
  EXPECT_EQ(text(op(Op::Mul, cast(kFloat32, a), k.f32(0.5))), "a * 0.5f");
  EXPECT_EQ(text(op(Op::Mul, cast(kInt64, a), l)), "a * l");
  EXPECT_EQ(text(op(Op::Mul, cast(kInt64, a), cast(kInt64, b))), "(long long)a * b");
  EXPECT_EQ(text(op(Op::Add, cast(kUInt32, a), u)), "a + u");
  EXPECT_EQ(text(op(Op::Add, a, cast(kInt32, u))), "a + (int)u");
  EXPECT_EQ(text(op(Op::Add, l, cast(kInt64, u))), "l + u");
  EXPECT_EQ(text(op(Op::Add, l, cast(kInt64, m))), "l + (long long)m");
  EXPECT_EQ(text(op(Op::Add, cast(kInt32, s), cast(kInt32, t))), "s + t");
  EXPECT_EQ(text(op(Op::Add, a, cast(kInt32, p))), "a + p");
  EXPECT_EQ(text(op(Op::Div, cast(kFloat32, a), cast(kFloat32, b))), "(float)a / b");
  EXPECT_EQ(text(op(Op::Mul, cast(kFloat64, f), d)), "f * d");
  EXPECT_EQ(text(op(Op::Mul, cast(kFloat32, d), f)), "(float)d * f");
  EXPECT_EQ(text(op(Op::ShiftLeft, cast(kInt64, a), k.i32(3))), "(long long)a << 3");
  EXPECT_EQ(text(op(Op::ShiftLeft, cast(kInt32, s), k.i32(3))), "s << 3");
  EXPECT_EQ(text(cast(kInt64, a)), "a");
  EXPECT_EQ(text(cast(kInt8, a)), "a");
  EXPECT_EQ(text(cast(kFloat32, cast(kFloat64, f))), "f");
  EXPECT_EQ(text(cast(kFloat32, d)), "d");
  EXPECT_EQ(text(cast(kInt64, cast(kInt32, l))), "(int)l");
  EXPECT_EQ(text(select(p, cast(kFloat32, a), f)), "p ? a : f");
  EXPECT_EQ(branch_text(op(Op::Lt, cast(kInt64, a), l)), "a < l");
  EXPECT_EQ(branch_text(op(Op::Lt, cast(kUInt32, s), cast(kUInt32, a))), "(unsigned int)s < a");
}

TEST_F(CudaExpr, NarrowResultsAreCut) {
  EXPECT_EQ(text(op(Op::Add, t, t)), "t + t");
  EXPECT_EQ(text(cast(kInt32, op(Op::Add, t, t))), "(unsigned char)(t + t)");
  EXPECT_EQ(text(op(Op::Add, op(Op::Add, t, t), t)), "t + t + t");
  EXPECT_EQ(text(cast(kInt32, op(Op::Add, op(Op::Add, s, s), s))), "(signed char)(s + s + s)");
  EXPECT_EQ(text(op(Op::Mul, w, w)), "(unsigned int)w * w");
  EXPECT_EQ(text(cast(kInt32, op(Op::Mul, w, w))), "(unsigned short)((unsigned int)w * w)");
  EXPECT_EQ(text(op(Op::Add, op(Op::Mul, v, v), v)), "(short)(v * v) + v");
  EXPECT_EQ(text(op(Op::ShiftRight, op(Op::Add, t, t), imm(kUInt8, 1))),
            "(unsigned char)(t + t) >> 1");
  EXPECT_EQ(text(op(Op::BitAnd, t, imm(kUInt8, 15))), "t & 15");
  EXPECT_EQ(text(cast(kInt32, unary(UnaryOp::BitNot, t))), "(unsigned char)~t");
  EXPECT_EQ(text(cast(kInt32, unary(UnaryOp::Neg, s))), "(signed char)-s");
  EXPECT_EQ(branch_text(op(Op::Lt, op(Op::Add, t, t), t)), "(unsigned char)(t + t) < t");
  EXPECT_EQ(text(cast(kUInt8, op(Op::Add, a, b))), "a + b");
  EXPECT_EQ(text(op(Op::Add, cast(kUInt8, a), t)), "(unsigned char)a + t");
  EXPECT_EQ(text(cast(kInt32, op(Op::Add, p, q))), "(bool)(p + q)");
}

TEST_F(CudaExpr, FlatIndices) {
  const Expr* inner = op(Op::Add, op(Op::Mul, b, k.i32(4)), k.i32(1));
  EXPECT_EQ(index(op(Op::Add, op(Op::Mul, a, k.i32(64)), inner)), "a * 64 + b * 4 + 1");
  EXPECT_EQ(index(op(Op::Add, op(Op::Mul, a, k.i32(64)), op(Op::Sub, b, c))), "a * 64 + b - c");
  EXPECT_EQ(index(op(Op::Mul, op(Op::Add, a, b), k.i32(64))), "(a + b) * 64");
  const Expr* wide = op(Op::Mul, cast(kInt64, op(Op::Add, a, b)), imm(kInt64, 64));
  EXPECT_EQ(index(op(Op::Add, wide, cast(kInt64, c))), "(long long)(a + b) * 64 + c");
  EXPECT_EQ(index(op(Op::Add, op(Op::Mul, cast(kInt64, a), imm(kInt64, 64)), cast(kInt64, inner))),
            "(long long)a * 64 + b * 4 + 1");
  EXPECT_EQ(index(op(Op::Add, l, imm(kInt64, 1))), "l + 1");
  EXPECT_EQ(index(cast(kInt64, a)), "a");
  EXPECT_EQ(index(imm(kInt64, 0)), "0");
}

TEST_F(CudaExpr, UnaryOperators) {
  EXPECT_EQ(text(unary(UnaryOp::Neg, unary(UnaryOp::Neg, a))), "-(-a)");
  EXPECT_EQ(text(unary(UnaryOp::Neg, op(Op::Add, a, b))), "-(a + b)");
  EXPECT_EQ(text(op(Op::Sub, a, unary(UnaryOp::Neg, b))), "a - -b");
  EXPECT_EQ(text(op(Op::Sub, a, k.i32(-5))), "a + 5");
  EXPECT_EQ(text(unary(UnaryOp::BitNot, op(Op::Mul, a, b))), "~(a * b)");
  EXPECT_EQ(text(unary(UnaryOp::Neg, f)), "-f");
}

TEST_F(CudaExpr, FloorDivision) {
  EXPECT_EQ(text(op(Op::FloorDiv, a, b)), "floordiv(a, b)");
  EXPECT_EQ(text(op(Op::FloorMod, l, cast(kInt64, a))), "floormod(l, (long long)a)");
  EXPECT_EQ(text(op(Op::FloorDiv, u, imm(kUInt32, 3))), "u / 3u");
  EXPECT_EQ(text(op(Op::FloorDiv, f, g)), "floorf(f / g)");
  EXPECT_EQ(text(op(Op::FloorMod, d, d)), "floormod(d, d)");
  EXPECT_EQ(text(cast(kInt32, op(Op::FloorDiv, s, s))), "(signed char)floordiv(s, s)");
  EXPECT_EQ(text(op(Op::FloorDiv, h, h)), "hfloor(h / h)");
}

TEST_F(CudaExpr, FloatsToIntegers) {
  EXPECT_EQ(text(cast(kInt32, f)), "(int)f");
  EXPECT_EQ(text(cast(kUInt32, h)), "(unsigned int)__half2float(h)");
  EXPECT_EQ(text(cast(kInt8, f)), "to_int8(f)");
  EXPECT_EQ(text(cast(kInt64, d)), "to_int64(d)");
  EXPECT_EQ(text(cast(kUInt64, f)), "to_uint64(f)");
  EXPECT_EQ(text(cast(kInt32, d)), "to_int32(d)");
  EXPECT_EQ(text(cast(kUInt16, e)), "to_uint16(__bfloat162float(e))");
}

TEST_F(CudaExpr, Halves) {
  EXPECT_EQ(text(op(Op::Mul, h, k.build.float_imm(kFloat16, 2))), "h * __float2half(2.0f)");
  EXPECT_EQ(text(cast(kFloat16, f)), "__float2half(f)");
  EXPECT_EQ(text(cast(kFloat16, a)), "__float2half(a)");
  EXPECT_EQ(text(cast(kBFloat16, a)), "__int2bfloat16_rn(a)");
  EXPECT_EQ(text(cast(kFloat16, d)), "__double2half(d)");
  EXPECT_EQ(text(cast(kFloat32, h)), "__half2float(h)");
  EXPECT_EQ(text(cast(kBFloat16, h)), "__float2bfloat16(__half2float(h))");
  EXPECT_EQ(text(op(Op::Mul, cast(kFloat32, h), f)), "__half2float(h) * f");
  EXPECT_EQ(branch_text(op(Op::Lt, h, h)), "h < h");
}

TEST_F(CudaExpr, Bits) {
  auto bits = [&](DType type, const ir::Expr* x) { return k.build.make_cast(type, x, {}, true); };
  EXPECT_EQ(text(bits(kFloat32, a)), "__int_as_float(a)");
  EXPECT_EQ(text(bits(kFloat32, u)), "__uint_as_float(u)");
  EXPECT_EQ(text(bits(kInt32, f)), "__float_as_int(f)");
  EXPECT_EQ(text(bits(kUInt64, d)), "(unsigned long long)__double_as_longlong(d)");
  EXPECT_EQ(text(bits(kUInt16, h)), "__half_as_ushort(h)");
  EXPECT_EQ(text(bits(kBFloat16, h)), "__ushort_as_bfloat16(__half_as_ushort(h))");
  EXPECT_EQ(text(bits(kInt32, u)), "(int)u");
}

TEST_F(CudaExpr, Calls) {
  EXPECT_EQ(text(k.call("max", {f, g}, kFloat32)), "max_nan(f, g)");
  EXPECT_EQ(text(k.call("max", {f, g}, kFloat32, 'B')), "max(f, g)");
  EXPECT_EQ(text(k.call("max", {a, b}, kInt32)), "max(a, b)");
  EXPECT_EQ(text(k.call("min", {h, h}, kFloat16)), "__hmin_nan(h, h)");
  EXPECT_EQ(text(k.call("sqrt", {cast(kFloat32, a)}, kFloat32)), "sqrtf((float)a)");
  EXPECT_EQ(text(k.call("sqrt", {d}, kFloat64)), "sqrt(d)");
  EXPECT_EQ(text(k.call("tan", {h}, kFloat16)), "__float2half(tanf(__half2float(h)))");
  EXPECT_EQ(text(k.call("sqrt", {h}, kFloat16)), "hsqrt(h)");
  EXPECT_EQ(text(k.call("abs", {a}, kInt32)), "abs(a)");
  EXPECT_EQ(text(k.call("sigmoid", {f}, kFloat32)), "1.0f / (1.0f + expf(-f))");
  EXPECT_EQ(branch_text(k.call("isnan", {f}, kBool)), "isnan(f)");
  EXPECT_EQ(branch_text(k.call("isnan", {e}, kBool)), "__hisnan(e)");
  EXPECT_EQ(text(cast(kInt32, k.call("isinf", {f}, kBool))), "isinf(f) != 0");
  EXPECT_EQ(branch_text(k.call("cuda.elect_sync", {}, kBool)), "elect_sync()");
}

TEST_F(CudaExpr, LongSumsDoNotNest) {
#ifdef TIRXCC_SANITIZE_THREAD
  GTEST_SKIP() << "ThreadSanitizer's own stack holds 65,536 frames";
#endif
  const Expr* sum = a;
  for (int i = 0; i < 100000; ++i)
    sum = op(Op::Add, sum, b);
  EXPECT_EQ(text(sum).size(), 1u + 100000u * 4u);
}

TEST(CudaLiteral, Integers) {
  auto text = [](DType type, std::int64_t value, bool is_hex = false) {
    std::string out;
    append_int(out, type, value, is_hex);
    return out;
  };
  EXPECT_EQ(text(kInt32, 7), "7");
  EXPECT_EQ(text(kInt32, -7), "-7");
  EXPECT_EQ(text(kInt32, std::numeric_limits<std::int32_t>::min()), "(-2147483647 - 1)");
  EXPECT_EQ(text(kInt64, std::numeric_limits<std::int64_t>::min()), "(-9223372036854775807ll - 1)");
  EXPECT_EQ(text(kUInt32, 255), "255u");
  EXPECT_EQ(text(kUInt32, 0xffffffff, true), "0xffffffffu");
  EXPECT_EQ(text(kInt64, 3000000000), "3000000000ll");
  EXPECT_EQ(text(kUInt64, -1), "18446744073709551615ull");
  EXPECT_EQ(text(kUInt64, -1, true), "0xffffffffffffffffull");
  EXPECT_EQ(text(kUInt8, 200), "200");
  EXPECT_EQ(text(kBool, 1), "true");
}

TEST(CudaLiteral, Floats) {
  auto text = [](DType type, double value) {
    std::string out;
    append_float(out, type, value);
    return out;
  };
  EXPECT_EQ(text(kFloat32, 0.0), "0.0f");
  EXPECT_EQ(text(kFloat32, -0.0), "-0.0f");
  EXPECT_EQ(text(kFloat32, 0.5), "0.5f");
  EXPECT_EQ(text(kFloat32, 0.1f), "0.1f");
  EXPECT_EQ(text(kFloat32, -1e30f), "-1e30f");
  EXPECT_EQ(text(kFloat32, 1e-30f), "1e-30f");
  EXPECT_EQ(text(kFloat32, 1000000), "1000000.0f");
  EXPECT_EQ(text(kFloat32, 16777216), "16777216.0f");
  EXPECT_EQ(text(kFloat32, 3.4028234663852886e38), "3.4028235e38f");
  EXPECT_EQ(text(kFloat64, 0.1), "0.1");
  EXPECT_EQ(text(kFloat64, 1e-5), "1e-5");
  EXPECT_EQ(text(kFloat64, 0.0001), "0.0001");
  EXPECT_EQ(text(kFloat64, 123456789012.0), "123456789012.0");
  EXPECT_EQ(text(kFloat32, INFINITY), "__int_as_float(0x7f800000)");
  EXPECT_EQ(text(kFloat32, -INFINITY), "__int_as_float(0xff800000)");
  EXPECT_EQ(text(kFloat32, NAN), "__int_as_float(0x7fc00000)");
  EXPECT_EQ(text(kFloat64, INFINITY), "__longlong_as_double(0x7ff0000000000000ll)");
  EXPECT_EQ(text(kFloat64, NAN), "__longlong_as_double(0x7ff8000000000000ll)");
  EXPECT_EQ(text(kFloat16, 0.0999755859375), "__float2half(0.1f)");
  EXPECT_EQ(text(kFloat16, 65504), "__float2half(65504.0f)");
  EXPECT_EQ(text(kFloat16, INFINITY), "__ushort_as_half(0x7c00)");
  EXPECT_EQ(text(kBFloat16, NAN), "__ushort_as_bfloat16(0x7fc0)");
}

}  // namespace
}  // namespace tirxcc::codegen_cuda
