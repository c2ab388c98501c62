// SPDX-License-Identifier: Apache-2.0
#include "ir/uniformity.h"

#include "intrinsics/intrinsics.h"
#include "ir/testing.h"

namespace tirxcc::ir {

void PrintTo(Uniformity level, std::ostream* out) {
  static constexpr const char* kNames[] = {"Grid", "Block", "Warp", "Thread"};
  *out << kNames[static_cast<int>(level)];
}

namespace {

class UniformityTest : public KernelTest {
 protected:
  const Stmt* mark() { return store(*mat, {i32(0), i32(0)}, f32(0)); }
  const Expr* data(const Expr* index) { return load(*vec, {index}); }
  const Expr* if_thread() { return less(thread(), i32(3)); }
};

TEST_F(UniformityTest, Expressions) {
  Kernel k = kernel({mark()});
  UniformityAnalysis uniform(k);
  EXPECT_EQ(uniform.of(add(i32(1), ref(*n))), Uniformity::Grid);
  EXPECT_EQ(uniform.of(add(block(), ref(*n))), Uniformity::Block);
  EXPECT_EQ(uniform.of(add(thread(), block())), Uniformity::Thread);
  EXPECT_EQ(uniform.of(thread(1)), Uniformity::Grid);  // one thread along y
  EXPECT_EQ(uniform.of(block(1)), Uniformity::Grid);
  EXPECT_EQ(uniform.of(floordiv(thread(), i32(32))), Uniformity::Warp);
  EXPECT_EQ(uniform.of(bin(BinaryOp::ShiftRight, thread(), i32(5))), Uniformity::Warp);
  EXPECT_EQ(uniform.of(floordiv(thread(), i32(16))), Uniformity::Thread);
  EXPECT_EQ(uniform.of(build.launch_index(LaunchIndexKind::WarpId, 0)), Uniformity::Warp);
  const auto* sqrt = intrinsics::find("sqrt", 'A');
  EXPECT_EQ(uniform.of(build.make_call(sqrt, kFloat32, arena.copy({f32(2)}), kHere)),
            Uniformity::Grid);
  const auto* elect = intrinsics::find("cuda.elect_sync", 'A');
  ASSERT_NE(elect, nullptr);
  EXPECT_EQ(uniform.of(build.make_call(elect, kBool, {}, kHere)), Uniformity::Thread);
}

// Votes and the value of one lane are the same in a warp that agrees on who takes part.
TEST_F(UniformityTest, GatheredValues) {
  Kernel k = kernel({mark()});
  UniformityAnalysis uniform(k);
  const auto call = [&](const char* name, DType type, std::initializer_list<const Expr*> args) {
    const auto* row = intrinsics::find(name, 'A');
    return uniform.of(build.make_call(row, type, arena.copy(args), kHere));
  };
  const Expr* full = build.int_imm(kUInt32, 0xffffffff, kHere);
  const Expr* own = build.fold_cast(kUInt32, thread(), kHere);
  EXPECT_EQ(call("cuda.any_sync", kInt32, {full, if_thread()}), Uniformity::Warp);
  EXPECT_EQ(call("cuda.any_sync", kInt32, {own, if_thread()}), Uniformity::Thread);
  EXPECT_EQ(call("cuda.ballot_sync", kUInt32, {full, if_thread()}), Uniformity::Warp);
  EXPECT_EQ(call("cuda.__shfl_sync", kInt32, {full, thread(), i32(3), i32(32)}), Uniformity::Warp);
  EXPECT_EQ(call("cuda.__shfl_sync", kInt32, {full, thread(), i32(3), i32(16)}),
            Uniformity::Thread);
  EXPECT_EQ(call("cuda.__shfl_sync", kInt32, {full, thread(), thread(), i32(32)}),
            Uniformity::Thread);
  EXPECT_EQ(call("cuda.__shfl_xor_sync", kInt32, {full, thread(), i32(1), i32(32)}),
            Uniformity::Thread);
  EXPECT_EQ(call("cuda.syncthreads_or", kInt32, {if_thread()}), Uniformity::Block);
  EXPECT_EQ(call("cuda.__activemask", kUInt32, {}), Uniformity::Thread);
}

TEST_F(UniformityTest, MemoryThatNothingWritesIsTheSameForAll) {
  Kernel k = kernel({mark()});  // writes B
  UniformityAnalysis uniform(k);
  EXPECT_EQ(uniform.of(data(i32(0))), Uniformity::Grid);
  EXPECT_EQ(uniform.of(data(block())), Uniformity::Block);
  EXPECT_EQ(uniform.of(load(*mat, {i32(0), i32(0)})), Uniformity::Thread);
  EXPECT_EQ(UniformityAnalysis(k, true).of(data(i32(0))), Uniformity::Thread);
}

TEST_F(UniformityTest, RowsOfThreads) {
  Kernel k = kernel({});
  k.launch.block[0] = i64(64);
  k.launch.block[1] = i64(4);
  EXPECT_EQ(UniformityAnalysis(k).of(thread(1)), Uniformity::Warp);
  k.launch.block[0] = i64(16);
  EXPECT_EQ(UniformityAnalysis(k).of(thread(1)), Uniformity::Thread);
  EXPECT_EQ(UniformityAnalysis(k).of(floordiv(thread(), i32(32))), Uniformity::Thread);
}

TEST_F(UniformityTest, ValuesAndControl) {
  const Stmt* in_if = mark();
  const Stmt* after_if = mark();
  const Stmt* after_return = mark();
  Kernel k = kernel({
      let(*x, block()),
      when(less(ref(*x), i32(3)), list({make<ThreadReturn>()})),
      after_if,
      when(if_thread(), list({in_if, make<ThreadReturn>()})),
      after_return,
  });
  UniformityAnalysis uniform(k);
  EXPECT_EQ(uniform.of(ref(*x)), Uniformity::Block);
  EXPECT_EQ(uniform.control(after_if), Uniformity::Block);
  EXPECT_EQ(uniform.control(in_if), Uniformity::Thread);
  EXPECT_EQ(uniform.control(after_return), Uniformity::Thread);
}

TEST_F(UniformityTest, ScalarsAssignedUnderDivergentControl) {
  Local same{.name = "same", .dtype = kInt32};
  Kernel k = kernel({
      make<DeclareLocal>(&count),
      make<DeclareLocal>(&same),
      make<Assign>(&same, ref(*n)),
      make<Assign>(&count, i32(0)),
      when(if_thread(), list({make<Assign>(&count, i32(1))})),
  });
  UniformityAnalysis uniform(k);
  EXPECT_EQ(uniform.of(read(count)), Uniformity::Thread);
  EXPECT_EQ(uniform.of(read(same)), Uniformity::Grid);
}

TEST_F(UniformityTest, ADivergentBreakThinsLaterTurns) {
  const Stmt* top = mark();
  const Stmt* bottom = mark();
  const Stmt* after = mark();
  // count counts turns, and is read after the loop that threads leave one by one.
  Kernel k = kernel({
      make<DeclareLocal>(&count),
      make<Assign>(&count, i32(0)),
      loop(*i, i32(0), ref(*n),
           {top, make<Assign>(&count, add(read(count), i32(1))),
            when(if_thread(), list({make<Break>()})), bottom}),
      after,
  });
  UniformityAnalysis uniform(k);
  EXPECT_EQ(uniform.control(top), Uniformity::Thread);
  EXPECT_EQ(uniform.control(bottom), Uniformity::Thread);
  EXPECT_EQ(uniform.control(after), Uniformity::Grid);
  EXPECT_EQ(uniform.of(read(count)), Uniformity::Thread);
  EXPECT_EQ(uniform.of(ref(*i)), Uniformity::Grid);  // among threads in the same turn
}

TEST_F(UniformityTest, ADivergentContinueOnlyEndsTheTurn) {
  const Stmt* top = mark();
  const Stmt* bottom = mark();
  Kernel k = kernel(
      {loop(*i, i32(0), ref(*n), {top, when(if_thread(), list({make<Continue>()})), bottom})});
  UniformityAnalysis uniform(k);
  EXPECT_EQ(uniform.control(top), Uniformity::Grid);
  EXPECT_EQ(uniform.control(bottom), Uniformity::Thread);
}

TEST_F(UniformityTest, BlocksRejoinAtTheirEnd) {
  Label end{"end"};
  const Stmt* inside = mark();
  const Stmt* after = mark();
  const Stmt* in_loop = mark();
  Kernel k = kernel({
      make<Block>(&end, list({loop(*i, i32(0), ref(*n),
                                   {in_loop, when(if_thread(), list({make<Leave>(&end)}))}),
                              inside})),
      after,
  });
  UniformityAnalysis uniform(k);
  EXPECT_EQ(uniform.control(in_loop), Uniformity::Thread);
  EXPECT_EQ(uniform.control(inside), Uniformity::Thread);
  EXPECT_EQ(uniform.control(after), Uniformity::Grid);
}

TEST_F(UniformityTest, LoopsWithTheirOwnNumberOfTurns) {
  const Stmt* body = mark();
  const Stmt* in_while = mark();
  // `count` becomes divergent only through the loop that it controls.
  Kernel k = kernel({
      make<DeclareLocal>(&count),
      make<Assign>(&count, i32(0)),
      make<While>(less(read(count), ref(*n)),
                  list({in_while, make<Assign>(&count, add(read(count), i32(1))),
                        when(less(data(add(thread(), read(count))), f32(0)),
                             list({make<Assign>(&count, ref(*n))}))})),
      loop(*i, i32(0), thread(), {body}),
  });
  UniformityAnalysis uniform(k);
  EXPECT_EQ(uniform.control(in_while), Uniformity::Thread);
  EXPECT_EQ(uniform.control(body), Uniformity::Thread);
}

}  // namespace
}  // namespace tirxcc::ir
