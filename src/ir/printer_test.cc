// SPDX-License-Identifier: Apache-2.0
#include "ir/printer.h"

#include "intrinsics/intrinsics.h"
#include "ir/testing.h"

namespace tirxcc::ir {
namespace {

class PrinterTest : public KernelTest {};

TEST_F(PrinterTest, WholeKernel) {
  const Expr* index = add(mul(block(), i32(256)), thread());
  Kernel k = kernel({
      let(*x, index),
      when(less(ref(*x), ref(*n)),
           list({make<DeclareLocal>(&total), make<Assign>(&total, f32(0)),
                 loop(*i, i32(0), i32(64),
                      {make<Assign>(&total, add(read(total), load(*mat, {ref(*x), ref(*i)})))}),
                 store(*vec, {ref(*x)}, read(total))}),
           list({make<ThreadReturn>()})),
  });
  EXPECT_EQ(verify(k), "");
  EXPECT_EQ(print(k), R"(from tirxcc.script import tirx as T

n = T.dynamic("n")

@T.function
def k(A: T.Tensor((n,), T.float32), B: T.Tensor((n, 64), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=256))
    x = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if x < n:
        total: T.float32 = 0.0
        for i in range(64):
            total = total + B[x, i]
        A[x] = total
    else:
        T.gpu_thread_return()
)");
}

TEST_F(PrinterTest, LiteralsKeepTheirTypes) {
  const Var* w = make_var("w", kInt64, VarKind::Let);
  const Var* h = make_var("h", kFloat16, VarKind::Let);
  const Var* c = make_var("c", kInt8, VarKind::Let);
  const Var* d = make_var("d", kFloat64, VarKind::Let);
  EXPECT_EQ(dump(i32(-5)), "-5");
  EXPECT_EQ(dump(i64(4)), "T.int64(4)");
  EXPECT_EQ(dump(i64(4294967296)), "4294967296");
  EXPECT_EQ(dump(lit(kUInt64, -1)), "T.uint64(18446744073709551615)");
  EXPECT_EQ(dump(build.int_imm(kUInt32, 0xff, {}, true)), "T.uint32(0xff)");
  EXPECT_EQ(dump(build.bool_imm(true)), "True");
  EXPECT_EQ(dump(add(ref(*w), i64(4))), "w + 4");
  EXPECT_EQ(dump(add(ref(*c), lit(kInt8, 4))), "c + T.int8(4)");
  EXPECT_EQ(dump(mul(ref(*h), build.float_imm(kFloat16, 0.1))), "h * T.float16(0.099975586)");
  EXPECT_EQ(dump(mul(ref(*d), build.float_imm(kFloat64, 0.1))), "d * 0.1");
  EXPECT_EQ(dump(build.float_imm(kFloat64, 0.1)), "T.float64(0.1)");
  EXPECT_EQ(dump(f32(0.1)), "0.1");
  EXPECT_EQ(dump(f32(1e30)), "1e+30");
  EXPECT_EQ(dump(f32(-INFINITY)), "T.float32(\"-inf\")");
  EXPECT_EQ(dump(build.float_imm(kBFloat16, NAN)), "T.bfloat16(\"nan\")");
  EXPECT_EQ(dump(cast(kFloat32, ref(*w))), "T.float32(w)");
  EXPECT_EQ(dump(build.make_cast(kFloat32, ref(*x), {}, true)), "T.reinterpret(x, ty=\"float32\")");
}

TEST_F(PrinterTest, ParenthesesAreTheFewestPythonNeeds) {
  const Expr* p = ref(*x);
  const Expr* q = ref(*y);
  EXPECT_EQ(dump(mul(add(p, q), sub(p, q))), "(x + y) * (x - y)");
  EXPECT_EQ(dump(sub(sub(p, q), p)), "x - y - x");
  EXPECT_EQ(dump(sub(p, sub(q, p))), "x - (y - x)");
  EXPECT_EQ(dump(bin(BinaryOp::BitAnd, bin(BinaryOp::ShiftRight, p, i32(2)), i32(7))),
            "x >> 2 & 7");
  EXPECT_EQ(dump(bin(BinaryOp::Eq, less(p, q), less(q, p))), "(x < y) == (y < x)");
  const Expr* both = bin(BinaryOp::And, less(p, q), less(q, p));
  EXPECT_EQ(dump(bin(BinaryOp::Or, both, both)), "x < y and y < x or x < y and y < x");
  EXPECT_EQ(dump(build.make_unary(UnaryOp::Not, both, {})), "not (x < y and y < x)");
  EXPECT_EQ(dump(build.make_unary(UnaryOp::Neg, add(p, q), {})), "-(x + y)");
  EXPECT_EQ(dump(mul(build.make_unary(UnaryOp::Neg, p, {}), q)), "-x * y");
  EXPECT_EQ(dump(add(p, build.make_select(less(p, q), p, q, {}))), "x + (x if x < y else y)");
  EXPECT_EQ(dump(bin(BinaryOp::TruncDiv, add(p, q), q)), "T.truncdiv(x + y, y)");
}

TEST_F(PrinterTest, ControlFlow) {
  Label end{"k_end"};
  const Var* j = make_var("i", kInt32, VarKind::Loop);
  Kernel k = kernel({
      make<For>(i, i32(10), ref(*n), -2, ForKind::Serial, 4, false, list({make<Break>()})),
      make<For>(j, i32(0), i32(4), 1, ForKind::Vectorized, -1, false, list({make<Continue>()})),
      make<CountedFor>(make_var("c", kInt32, VarKind::Loop), i32(0), ref(*n), lit(kUInt32, 7),
                       StmtList{}),
      make<Block>(&end, list({make<While>(build.bool_imm(true), list({make<Leave>(&end)}))})),
      make<If>(arena.copy<IfClause>({{less(ref(*n), i32(1)), {}, kHere},
                                     {less(ref(*n), i32(2)), list({make<ThreadReturn>()}), kHere}}),
               StmtList{}),
      make<Evaluate>(build.make_call(intrinsics::find("cuda.cta_sync", 'A'), kVoid, {}, kHere)),
  });
  EXPECT_EQ(verify(k), "");
  EXPECT_EQ(body_text(k), R"(    for i in T.serial(10, n, step=-2, unroll=4):
        break
    for i_1 in T.vectorized(4):
        continue
    for c in T.counted(0, n, T.uint32(7)):
        pass
    with T.block("k_end"):
        while True:
            T.leave("k_end")
    if n < 1:
        pass
    elif n < 2:
        T.gpu_thread_return()
    T.cuda.cta_sync()
)");
}

TEST_F(PrinterTest, NamesAreUniqueAndLegal) {
  const Var* first = make_var("A", kInt32, VarKind::Let);
  const Var* second = make_var("if", kInt32, VarKind::Let);
  const Var* third = make_var("2x", kInt32, VarKind::Let);
  Kernel k = kernel({let(*first, i32(1)), let(*second, ref(*first)), let(*third, ref(*second))});
  EXPECT_EQ(body_text(k), "    A_1 = 1\n    if_1 = A_1\n    _2x = if_1\n");
}

TEST_F(PrinterTest, LoweredForms) {
  Local v4{.name = "v", .dtype = kFloat32.with_lanes(4)};
  const Expr* wide = arena.make<VectorLoad>(Expr{ExprKind::VectorLoad, v4.dtype, {}}, vec, i32(4));
  const Expr* lane =
      arena.make<LaneRead>(Expr{ExprKind::LaneRead, kFloat32, {}}, &v4, std::uint8_t{1});
  const Expr* flat =
      arena.make<Load>(Expr{ExprKind::Load, kFloat32, {}}, mat, arena.copy({ref(*n)}), true);
  Kernel k = kernel({make<DeclareLocal>(&v4), make<Assign>(&v4, wide),
                     make<LaneStore>(&v4, std::uint8_t{0}, add(lane, flat)),
                     make<VectorStore>(vec, i32(8), &v4)});
  EXPECT_EQ(verify(k), "");
  EXPECT_EQ(body_text(k), R"(    v: T.float32x4 = A.flat[4 : +4]
    v.lane(0) = v.lane(1) + B.flat[n]
    A.flat[8 : +4] = v
)");
}

TEST_F(PrinterTest, HostCodeAndSeveralLaunches) {
  Kernel one = kernel({make<ThreadReturn>()});
  Kernel two = kernel({});
  const Var* w = make_var("w", kInt64, VarKind::Let);
  two.launch.grid[0] = floordiv(add(cast(kInt64, ref(*n)), i64(255)), i64(256));
  two.launch.grid[1] = i64(2);
  two.launch.min_blocks_per_sm = 3;
  const Kernel* kernels[] = {&one, &two};
  Symbol symbol{.var = n};
  Function function{.name = "f", .dialect = Dialect::B};
  function.params = one.params;
  function.symbols = {&symbol, 1};
  function.kernels = kernels;
  function.host_body =
      list({let(*w, i64(1)), when(less(ref(*n), i32(5)), list({make<Launch>(&one)})),
            make<Assert>(less(i32(0), ref(*n)), "no \"rows\""), make<Launch>(&two)});
  EXPECT_EQ(verify(function), "");
  EXPECT_EQ(print(function), R"(from tirxcc.script import tirx as T

n = T.dynamic("n")

@T.prim_func
def f(A: T.Buffer((n,), T.float32), B: T.Buffer((n, 64), T.float32)):
    w = T.int64(1)
    if n < 5:
        with T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=256)):
            T.gpu_thread_return()
    assert 0 < n, "no \"rows\""
    with T.device_entry(launch=T.cuda.LaunchConfig(grid=((n + 255) // 256, 2), block=256), kernel_attrs=T.cuda.KernelAttributes(min_blocks_per_sm=3)):
        pass
)");
}

}  // namespace
}  // namespace tirxcc::ir
