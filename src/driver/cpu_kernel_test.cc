// SPDX-License-Identifier: Apache-2.0
//
// The CPU target from IR to results: whole kernels of the documents' kind.
#include <atomic>
#include <numeric>
#include <set>
#include <sstream>
#include <thread>

#include "driver/cpu_testing.h"
#include "ir/traverse.h"

namespace tirxcc::driver {
namespace {

using ir::BinaryOp;

class CpuKernelTest : public testing::CpuTest {
 protected:
  // The seed ReLU: `if i < n: if A[i] > 0: B[i] = A[i] else: B[i] = 0`.
  List<Stmt> relu() {
    const ir::Tensor* a = tensor("A", kFloat32);
    const ir::Tensor* b = tensor("B", kFloat32);
    const ir::Var* n = symbol("n");
    block[0] = i64(256);
    grid[0] = ref(n);  // known at launch only
    const ir::Var* i = variable("i", kInt32);
    const Expr* is_positive = binary(BinaryOp::Gt, load(a, ref(i)), f32(0));
    return {let(i, add(mul(block_index(), i32(256)), thread())),
            when(less(ref(i), ref(n)), {when(is_positive, {store(b, ref(i), load(a, ref(i)))},
                                             {store(b, ref(i), f32(0))})})};
  }
};

TEST_F(CpuKernelTest, Relu) {
  for (const int n : {1, 255, 256, 257, 1000, 100'000}) {
    params.clear();
    symbols.clear();
    std::vector<float> a(n);
    std::vector<float> b(n + 64, -7.0f);
    for (int i = 0; i < n; ++i)
      a[i] = static_cast<float>((i * 7919) % 201 - 100);
    run(relu(), {word(a.data()), word(b.data()), static_cast<std::uint64_t>(n)}, (n + 255) / 256,
        256);
    for (int i = 0; i < n; ++i)
      ASSERT_EQ(b[i], a[i] > 0 ? a[i] : 0.0f) << i;
    for (int i = n; i < n + 64; ++i)
      ASSERT_EQ(b[i], -7.0f) << i;
  }
}

// `if i >= n: return` is the same guard; the loop over threads must end at n as well.
TEST_F(CpuKernelTest, EarlyExit) {
  const ir::Tensor* a = tensor("A", kFloat32);
  const ir::Tensor* b = tensor("B", kFloat32);
  const ir::Var* n = symbol("n");
  block[0] = i64(256);
  grid[0] = ref(n);
  const ir::Var* i = variable("i", kInt32);
  const List<Stmt> body = {
      let(i, add(mul(block_index(), i32(256)), thread())),
      when(binary(BinaryOp::Ge, ref(i), ref(n)), {build.stmt<ir::ThreadReturn>(testing::kSpan)}),
      store(b, ref(i), add(load(a, ref(i)), load(a, ref(i))))};
  std::vector<float> input(1000);
  std::iota(input.begin(), input.end(), 0.0f);
  std::vector<float> output(1100, -1.0f);
  run(body, {word(input.data()), word(output.data()), 1000}, 4, 256);
  for (int k = 0; k < 1100; ++k)
    ASSERT_EQ(output[k], k < 1000 ? 2.0f * static_cast<float>(k) : -1.0f);
}

// A grid and a block of three dimensions: every (block, thread) runs once and sees its own indices.
TEST_F(CpuKernelTest, ThreeDimensions) {
  const ir::Tensor* out = tensor("O", kInt64);
  const ir::Var* sizes[3] = {symbol("gx"), symbol("gy"), symbol("gz")};
  for (int axis = 0; axis < 3; ++axis) {
    grid[axis] = ref(sizes[axis]);
    block[axis] = axis == 1 ? static_cast<const Expr*>(ref(sizes[axis])) : i64(axis + 2);
  }
  const auto extent = [&](ir::LaunchIndexKind which, int axis) {
    return cast(kInt64, build.launch_index(which, axis, testing::kSpan));
  };
  const Expr* linear = i64(0);
  const Expr* code = i64(0);
  for (int axis = 2; axis >= 0; --axis) {
    linear = add(mul(linear, extent(ir::LaunchIndexKind::GridDim, axis)),
                 extent(ir::LaunchIndexKind::BlockIdx, axis));
    code = add(mul(code, i64(100)), extent(ir::LaunchIndexKind::BlockIdx, axis));
  }
  for (int axis = 2; axis >= 0; --axis) {
    linear = add(mul(linear, extent(ir::LaunchIndexKind::BlockDim, axis)),
                 extent(ir::LaunchIndexKind::ThreadIdx, axis));
    code = add(mul(code, i64(100)), extent(ir::LaunchIndexKind::ThreadIdx, axis));
  }
  const ir::CpuKernel& kernel = lower({store(out, linear, code)});
  const std::int64_t grid_size[3] = {5, 3, 7};
  const std::int64_t block_size[3] = {2, 3, 4};
  std::vector<std::int64_t> result(5 * 3 * 7 * 2 * 3 * 4, -1);
  run(kernel, {word(result.data()), 5, 3, 7}, grid_size, block_size);
  std::size_t at = 0;
  for (int bz = 0; bz < 7; ++bz) {
    for (int by = 0; by < 3; ++by) {
      for (int bx = 0; bx < 5; ++bx) {
        for (int thread_index = 0; thread_index < 24; ++thread_index) {
          const std::int64_t wanted =
              ((((bz * 100LL + by) * 100 + bx) * 100 + thread_index / 6) * 100 +
               thread_index / 2 % 3) *
                  100 +
              thread_index % 2;
          ASSERT_EQ(result[at++], wanted);
        }
      }
    }
  }
}

// Both guards of a two-dimensional kernel, in one condition, become bounds.
TEST_F(CpuKernelTest, TwoDimensionalGuard) {
  const ir::Var* rows = symbol("rows");
  const ir::Var* columns = symbol("columns");
  const ir::Tensor* out = tensor("O", kInt32, {ref(rows), ref(columns)});
  grid[0] = ref(columns);
  grid[1] = ref(rows);
  block[0] = i64(16);
  block[1] = i64(8);
  const ir::Var* x = variable("x", kInt32);
  const ir::Var* y = variable("y", kInt32);
  const Expr* is_inside =
      binary(BinaryOp::And, less(ref(y), ref(rows)), binary(BinaryOp::Gt, ref(columns), ref(x)));
  const Stmt* store_it = build.stmt<ir::Store>(testing::kSpan, out, arena.copy({ref(y), ref(x)}),
                                               add(mul(ref(y), i32(1000)), ref(x)));
  const ir::CpuKernel& kernel =
      lower({let(x, add(mul(block_index(0), i32(16)), thread(0))),
             let(y, add(mul(block_index(1), i32(8)), thread(1))), when(is_inside, {store_it})});
  int ifs = 0;
  ir::walk_stmts(kernel.kernel->body, [&](const ir::Stmt& stmt) {
    const auto* conditional = ir::as<ir::If>(&stmt);
    if (conditional != nullptr && conditional->clauses[0].body[0]->kind == ir::StmtKind::Store) {
      ++ifs;
    }
  });
  EXPECT_EQ(ifs, 0) << "the guard should be gone from around the store";
  for (const auto& [h, w] : {std::pair{1, 1}, {8, 16}, {9, 17}, {61, 100}}) {
    std::vector<std::int32_t> result(static_cast<std::size_t>(h * w + 200), -1);
    const std::int64_t grid_size[3] = {(w + 15) / 16, (h + 7) / 8, 1};
    const std::int64_t block_size[3] = {16, 8, 1};
    run(kernel, {word(result.data()), static_cast<std::uint64_t>(h), static_cast<std::uint64_t>(w)},
        grid_size, block_size);
    for (int k = 0; k < h * w + 200; ++k)
      ASSERT_EQ(result[k], k < h * w ? k / w * 1000 + k % w : -1);
  }
}

// Bounds from guards of every form, against the guard evaluated in C++.
TEST_F(CpuKernelTest, GuardForms) {
  constexpr int kThreads = 64;
  for (int form = 0; form < 10; ++form) {
    params.clear();
    const ir::Tensor* out = tensor("O", kInt32);
    const ir::Var* n = scalar("n", kInt32);
    block[0] = i64(kThreads);
    const ir::Var* i = variable("i", kInt32);
    const Expr* three_i = mul(ref(i), i32(3));
    const Expr* reversed = binary(BinaryOp::Sub, i32(50), ref(i));
    const Expr* conditions[] = {
        less(ref(i), ref(n)),
        binary(BinaryOp::Le, ref(i), ref(n)),
        binary(BinaryOp::Gt, ref(i), ref(n)),
        binary(BinaryOp::Ge, ref(i), ref(n)),
        less(three_i, ref(n)),
        binary(BinaryOp::Ge, three_i, ref(n)),
        less(reversed, ref(n)),
        binary(BinaryOp::Ge, reversed, ref(n)),
        binary(BinaryOp::Eq, ref(i), ref(n)),
        binary(BinaryOp::And, less(ref(i), ref(n)), binary(BinaryOp::Ge, three_i, i32(20))),
    };
    const ir::CpuKernel& kernel =
        lower({let(i, thread()), when(conditions[form], {store(out, ref(i), i32(1))})});
    const runtime_cpu::Code code = compile(kernel);
    for (const int limit : {-200, -1, 0, 1, 2, 7, 30, 63, 64, 65, 191, 1000}) {
      std::vector<std::int32_t> result(kThreads, 0);
      const std::uint64_t args[] = {word(result.data()), static_cast<std::uint64_t>(limit)};
      const std::int64_t grid_size[3] = {1, 1, 1};
      const std::int64_t block_size[3] = {kThreads, 1, 1};
      ASSERT_EQ(runtime_cpu::launch(code.entry(), args, grid_size, block_size), 0);
      for (int k = 0; k < kThreads; ++k) {
        const bool wanted[] = {k<limit, k <= limit, k> limit,
                               k >= limit,
                               3 * k < limit,
                               3 * k >= limit,
                               50 - k < limit,
                               50 - k >= limit,
                               k == limit,
                               k < limit && 3 * k >= 20};
        ASSERT_EQ(result[k], wanted[form]) << "form " << form << " n " << limit << " thread " << k;
      }
    }
  }
}

// An index that wraps in int32 must wrap: a guard on it is not a bound.
TEST_F(CpuKernelTest, WrappingGuardStays) {
  const ir::Tensor* out = tensor("O", kInt32);
  const ir::Var* n = scalar("n", kInt32);
  block[0] = i64(64);
  const ir::Var* i = variable("i", kInt32);
  const ir::CpuKernel& kernel = lower(
      {let(i, add(thread(), ref(n))), when(less(ref(i), i32(0)), {store(out, thread(), ref(i))})});
  std::vector<std::int32_t> result(64, 1);
  const std::int64_t one[3] = {1, 1, 1};
  const std::int64_t block_size[3] = {64, 1, 1};
  run(kernel, {word(result.data()), static_cast<std::uint64_t>(INT32_MAX - 10)}, one, block_size);
  for (int k = 0; k < 64; ++k) {
    ASSERT_EQ(result[k], k <= 10 ? 1 : static_cast<std::int32_t>(INT32_MIN + (k - 11)));
  }
}

// The 32-bit index of a grid beyond int32 wraps as on the GPU; `fits_launch` sends such launches to
// the variant that knows.
TEST_F(CpuKernelTest, BigGridVariant) {
  const ir::Tensor* out = tensor("O", kInt32);
  const ir::Var* n = symbol("n");
  block[0] = i64(1024);
  grid[0] = ref(n);
  const ir::Var* i = variable("i", kInt32);
  // Only the last block of a grid of 2^22 stores: its indices have wrapped.
  const List<Stmt> body = {let(i, add(mul(block_index(), i32(1024)), thread())),
                           when(binary(BinaryOp::Eq, block_index(), i32((1 << 22) - 1)),
                                {store(out, thread(), ref(i))})};
  const std::int64_t grid_size[3] = {1 << 22, 1, 1};
  const std::int64_t block_size[3] = {1024, 1, 1};
  EXPECT_FALSE(fits_launch(lower(body), grid_size, block_size));
  pass_options.big_grid = true;
  const ir::CpuKernel& big = lower(body);
  EXPECT_TRUE(fits_launch(big, grid_size, block_size));
  std::vector<std::int32_t> result(1024, 1);
  const runtime_cpu::Code code = compile(big);
  const std::uint64_t args[] = {word(result.data()), 1 << 22};
  const std::int64_t sizes[6] = {1 << 22, 1, 1, 1024, 1, 1};
  ASSERT_EQ(code.entry()(args, sizes, (1 << 22) - 2, 1 << 22, nullptr), 0);
  for (int k = 0; k < 1024; ++k)
    ASSERT_EQ(result[k], k - 1024);
}

// Each thread on its own: while, break, continue, mutable scalars, a local array.
TEST_F(CpuKernelTest, LoopsAndLocals) {
  const ir::Tensor* out = tensor("O", kInt32);
  const ir::Tensor* scratch = local_array("s", kInt32, 8);
  block[0] = i64(100);
  const ir::Local* total = mutable_scalar("total", kInt32);
  const ir::Local* k = mutable_scalar("k", kInt32);
  const ir::Var* j = variable("j", kInt32, ir::VarKind::Loop);
  const ir::Var* m = variable("m", kInt32, ir::VarKind::Loop);
  const Expr* is_third = binary(BinaryOp::Eq, binary(BinaryOp::FloorMod, ref(j), i32(3)), i32(0));
  const List<Stmt> body = {
      build.stmt<ir::Alloc>(testing::kSpan, scratch),
      declare(total),
      assign(total, i32(0)),
      loop(j, i32(0), i32(1000),
           {when(is_third, {build.stmt<ir::Continue>(testing::kSpan)}),
            when(binary(BinaryOp::Gt, ref(j), thread()), {build.stmt<ir::Break>(testing::kSpan)}),
            assign(total, add(ref(total), ref(j)))}),
      loop(m, i32(7), i32(-1), {store(scratch, ref(m), mul(ref(m), ref(total)))}, -1),
      declare(k),
      assign(k, i32(0)),
      build.stmt<ir::While>(
          testing::kSpan, less(ref(k), i32(8)),
          arena.copy(List<Stmt>{assign(total, add(ref(total), load(scratch, ref(k)))),
                                assign(k, add(ref(k), i32(1)))})),
      store(out, thread(), ref(total))};
  std::vector<std::int32_t> result(100, -1);
  run(body, {word(result.data())}, 1, 100);
  for (int t = 0; t < 100; ++t) {
    int sum = 0;
    for (int x = 0; x <= t; ++x)
      sum += x % 3 == 0 ? 0 : x;
    ASSERT_EQ(result[t], sum + 28 * sum) << t;
  }
}

// Run-time steps: `turns` is evaluated once, the variable wraps on its last increment.
TEST_F(CpuKernelTest, CountedFor) {
  const ir::Tensor* out = tensor("O", kInt32);
  block[0] = i64(4);
  const ir::Var* step = scalar("step", kInt32);
  const ir::Var* i = variable("i", kInt32, ir::VarKind::Loop);
  const ir::Local* at = mutable_scalar("at", kInt32);
  ir::CountedFor counted{{ir::StmtKind::CountedFor, testing::kSpan}};
  counted.var = i;
  counted.start = i32(INT32_MAX - 5);
  counted.step = ref(step);
  counted.turns = cast(kUInt32, thread());
  counted.body = arena.copy(List<Stmt>{store(out, add(mul(thread(), i32(8)), ref(at)), ref(i)),
                                       assign(at, add(ref(at), i32(1)))});
  std::vector<std::int32_t> result(32, -1);
  run({declare(at), assign(at, i32(0)), arena.make<ir::CountedFor>(counted)},
      {word(result.data()), 4}, 1, 4);
  for (int t = 0; t < 4; ++t) {
    for (int turn = 0; turn < 8; ++turn) {
      const std::int64_t value = wrap_int(kInt32, int128{INT32_MAX} - 5 + 4 * turn);
      ASSERT_EQ(result[t * 8 + turn], turn < t ? value : -1);
    }
  }
}

// Guarded loads are not executed: the arrays end where memory that cannot be read begins.
TEST_F(CpuKernelTest, LazyChoiceAndShortCircuit) {
  const ir::Tensor* a = tensor("A", kFloat32);
  const ir::Tensor* out = tensor("O", kFloat32);
  const ir::Var* n = scalar("n", kInt32);
  block[0] = i64(64);
  const Expr* is_inside = less(thread(), ref(n));
  const Expr* choice = build.make_select(is_inside, load(a, thread()), f32(-1), testing::kSpan);
  const Expr* both =
      binary(BinaryOp::And, is_inside, binary(BinaryOp::Gt, load(a, thread()), f32(5)));
  const List<Stmt> body = {store(out, thread(), choice),
                           when(both, {store(out, add(thread(), i32(64)), f32(1))})};
  // The address of A is far outside any mapping once i >= n = 0.
  std::vector<float> result(128, 0.0f);
  run(body, {std::uint64_t{1} << 46, word(result.data()), 0}, 1, 64);
  for (int k = 0; k < 64; ++k) {
    ASSERT_EQ(result[k], -1.0f);
    ASSERT_EQ(result[k + 64], 0.0f);
  }
}

// elect_sync under divergent control flow: at each arrival the lowest lane of each warp.
TEST_F(CpuKernelTest, ElectLowestActiveLane) {
  const ir::Tensor* out = tensor("O", kInt32);
  block[0] = i64(96);
  const ir::Var* j = variable("j", kInt32, ir::VarKind::Loop);
  const Expr* lane = binary(BinaryOp::BitAnd, thread(), i32(31));
  // Lane l makes turns 0 .. l % 5; in turn j the lowest lane with l % 5 >= j is elected.
  const Expr* turns = add(binary(BinaryOp::FloorMod, lane, i32(5)), i32(1));
  const Expr* place = add(mul(thread(), i32(8)), ref(j));
  const List<Stmt> body = {
      loop(j, i32(0), turns,
           {when(call("ptx.elect_sync", kBool, {}), {store(out, place, i32(1))})}),
      when(binary(BinaryOp::Ge, lane, i32(7)),
           {when(call("cuda.elect_sync", kBool, {}),
                 {store(out, add(mul(thread(), i32(8)), i32(7)), i32(1))})})};
  std::vector<std::int32_t> result(96 * 8, 0);
  run(body, {word(result.data())}, 3, 96);
  for (int t = 0; t < 96; ++t) {
    const int l = t % 32;
    for (int turn = 0; turn < 5; ++turn)
      ASSERT_EQ(result[t * 8 + turn], l == turn ? 1 : 0) << t << " turn " << turn;
    ASSERT_EQ(result[t * 8 + 7], l == 7 ? 1 : 0) << t;
  }
}

TEST_F(CpuKernelTest, WarpId) {
  const ir::Tensor* out = tensor("O", kInt32);
  block[0] = i64(16);
  block[1] = i64(8);
  const Expr* linear = add(mul(thread(1), i32(16)), thread(0));
  const ir::CpuKernel& kernel = lower(
      {store(out, linear, build.launch_index(ir::LaunchIndexKind::WarpId, 0, testing::kSpan))});
  std::vector<std::int32_t> result(128, -1);
  const std::int64_t one[3] = {1, 1, 1};
  const std::int64_t block_size[3] = {16, 8, 1};
  run(kernel, {word(result.data())}, one, block_size);
  for (int t = 0; t < 128; ++t)
    ASSERT_EQ(result[t], t / 32);
}

// A plain CPU function: scalars in, T.parallel over rows, an early result, an assert.
TEST_F(CpuKernelTest, HostFunction) {
  kind = ir::KernelKind::Host;
  result_type = kInt32;
  const ir::Tensor* a = tensor("A", kInt32);
  const ir::Tensor* out = tensor("O", kInt32);
  const ir::Var* n = scalar("n", kInt32);
  const ir::Var* scale = scalar("scale", kInt8);
  const ir::Var* i = variable("i", kInt32, ir::VarKind::Loop);
  const ir::Var* factor = variable("factor", kInt32);
  const Stmt* check = build.stmt<ir::Assert>(testing::kSpan, binary(BinaryOp::Ge, ref(n), i32(0)),
                                             std::string_view("n is negative"));
  const ir::CpuKernel& kernel =
      lower({check, let(factor, mul(cast(kInt32, ref(scale)), i32(2))),
             loop(i, i32(0), ref(n), {store(out, ref(i), mul(load(a, ref(i)), ref(factor)))}, 1,
                  ir::ForKind::Parallel),
             when(binary(BinaryOp::Eq, ref(n), i32(3)),
                  {build.stmt<ir::Return>(testing::kSpan, i32(-33))}),
             build.stmt<ir::Return>(testing::kSpan, add(ref(n), i32(1)))});
  const runtime_cpu::Code code = compile(kernel);
  constexpr int kCount = 300'000;
  std::vector<std::int32_t> input(kCount);
  std::iota(input.begin(), input.end(), 0);
  std::vector<std::int32_t> result(kCount, -1);
  std::uint64_t args[] = {word(input.data()), word(result.data()), kCount,
                          static_cast<std::uint64_t>(std::int64_t{-5})};
  std::uint64_t value = 0;
  ASSERT_EQ(runtime_cpu::call_host(code.entry(), args, &value), 0);
  EXPECT_EQ(static_cast<std::int64_t>(value), kCount + 1);
  for (int k = 0; k < kCount; ++k)
    ASSERT_EQ(result[k], k * -10);
  args[2] = 3;
  ASSERT_EQ(runtime_cpu::call_host(code.entry(), args, &value), 0);
  EXPECT_EQ(static_cast<std::int64_t>(value), -33);
  args[2] = static_cast<std::uint64_t>(std::int64_t{-1});
  EXPECT_EQ(runtime_cpu::call_host(code.entry(), args, &value), 1);
}

// Memory that overlaps: without noalias, stores are seen by later loads of the same thread.
TEST_F(CpuKernelTest, AliasVariant) {
  options.variant = abi::kAlias;
  const ir::Tensor* a = tensor("A", kInt32);
  const ir::Tensor* b = tensor("B", kInt32);
  block[0] = i64(32);
  std::vector<std::int32_t> memory(32, 5);
  run({store(b, thread(), thread()), store(b, thread(), add(load(a, thread()), i32(1)))},
      {word(memory.data()), word(memory.data())}, 1, 32);
  for (int k = 0; k < 32; ++k)
    ASSERT_EQ(memory[k], k + 1);
}

// Rows that lanes read in pages of their own: whole rounds of 8 * 20 rows and what is left of them.
TEST_F(CpuKernelTest, RowsFarApart) {
  options.non_temporal = true;
  const ir::Var* n = symbol("n");
  const ir::Tensor* a = tensor("A", kFloat32, {ref(n), i32(64)});
  const ir::Tensor* b = tensor("B", kFloat32);
  block[0] = i64(32);
  grid[0] = cast(kInt64, ref(n));
  const ir::Var* i = variable("i", kInt32);
  const ir::Var* k = variable("k", kInt32, ir::VarKind::Loop);
  const ir::Local* total = mutable_scalar("total", kFloat32);
  const Expr* element = build.load(a, arena.copy({ref(i), ref(k)}), testing::kSpan);
  const ir::CpuKernel& kernel =
      lower({let(i, add(mul(block_index(), i32(32)), thread())),
             when(less(ref(i), ref(n)),
                  {declare(total), assign(total, f32(0)),
                   loop(k, i32(0), i32(64), {assign(total, add(ref(total), element))}),
                   store(b, ref(i), ref(total))})});
  ASSERT_EQ(kernel.row_bytes, 256);
  ASSERT_EQ(kernel.lane_loops[0].distance, 20);
  const runtime_cpu::Code code = compile(kernel);
  for (const int count : {1, 159, 160, 161, 487, 1000}) {
    std::vector<float> from(static_cast<std::size_t>(count) * 64);
    std::iota(from.begin(), from.end(), 0.0F);
    std::vector<float> to(static_cast<std::size_t>(count) + 40, 7.0F);
    const auto size = static_cast<std::uint64_t>(count);
    const std::uint64_t args[] = {word(from.data()), word(to.data()), size};
    const std::int64_t grid_size[3] = {(count + 31) / 32, 1, 1};
    const std::int64_t block_size[3] = {32, 1, 1};
    ASSERT_EQ(runtime_cpu::launch(code.entry(), args, grid_size, block_size), 0);
    for (int row = 0; row < count + 40; ++row) {
      float sum = 0;
      for (int at = 0; row < count && at < 64; ++at)
        sum += from[static_cast<std::size_t>(row) * 64 + static_cast<std::size_t>(at)];
      ASSERT_EQ(to[static_cast<std::size_t>(row)], row < count ? sum : 7.0F) << count << ' ' << row;
    }
  }
}

// Stores that go past the caches must meet their alignment wherever the tensor starts and wherever
// a part of the grid does, and write nothing beyond the bound.
TEST_F(CpuKernelTest, StreamedTensorStartsAnywhere) {
  options.non_temporal = true;
  const ir::Tensor* a = tensor("A", kFloat32);
  const ir::Tensor* b = tensor("B", kFloat32);
  const ir::Var* n = symbol("n");
  block[0] = i64(32);
  const Expr* index = add(mul(block_index(), i32(32)), thread());
  grid[0] = cast(kInt64, ref(n));
  const ir::CpuKernel& kernel =
      lower({when(less(index, ref(n)), {store(b, index, add(load(a, index), f32(1)))})});
  ASSERT_EQ(kernel.streamed, b);
  auto text = runtime_cpu::print_code(kernel, options, abi::CpuText::OptimizedIr);
  ASSERT_TRUE(text.has_value());
  EXPECT_NE(text->find("!nontemporal"), std::string::npos);
  const runtime_cpu::Code code = compile(kernel);
  constexpr int kCount = 777;
  std::vector<float> from(kCount, 2.0F);
  for (int offset = 0; offset < 17; ++offset) {
    std::vector<float> to(kCount + 40, 7.0F);
    const std::uint64_t args[] = {word(from.data()), word(to.data() + offset), kCount};
    const std::int64_t grid_size[3] = {(kCount + 31) / 32, 1, 1};
    const std::int64_t block_size[3] = {32, 1, 1};
    ASSERT_EQ(runtime_cpu::launch(code.entry(), args, grid_size, block_size), 0);
    for (int k = 0; k < kCount + 40; ++k) {
      const bool is_inside = k >= offset && k < offset + kCount;
      ASSERT_EQ(to[k], is_inside ? 3.0F : 7.0F) << offset << ' ' << k;
    }
  }
}

// A barrier that some threads do not reach ends the launch with the number of its assert; the pool
// runs the next launch.
TEST_F(CpuKernelTest, DivergentBarrierIsFound) {
  const ir::Tensor* a = tensor("A", kInt32);
  block[0] = i64(64);
  const ir::CpuKernel& kernel =
      lower({when(less(i32(0), load(a, thread())),
                  {build.stmt<ir::Evaluate>(testing::kSpan, call("cuda.cta_sync", kVoid, {}))}),
             store(a, thread(), i32(7))});
  const runtime_cpu::Code code = compile(kernel);
  ASSERT_EQ(kernel.asserts().size(), 1u);
  EXPECT_EQ(kernel.asserts()[0]->span, testing::kSpan);
  const std::int64_t one[3] = {1, 1, 1};
  const std::int64_t threads[3] = {64, 1, 1};
  std::vector<std::int32_t> memory(64, 1);
  const std::uint64_t args[] = {word(memory.data())};
  EXPECT_EQ(runtime_cpu::launch(code.entry(), args, one, threads), 0);
  memory[5] = -1;
  EXPECT_EQ(runtime_cpu::launch(code.entry(), args, one, threads), 1);
  memory.assign(64, -1);
  EXPECT_EQ(runtime_cpu::launch(code.entry(), args, one, threads), 0);
  EXPECT_EQ(memory[63], 7);
}

// Every function of the table that the CPU target has: it compiles for all its types, and asks for
// no symbol beyond the list (linking fails otherwise).
TEST_F(CpuKernelTest, EveryIntrinsicLinks) {
  for (const intrinsics::Intrinsic& row : intrinsics::table()) {
    if (row.convergence != intrinsics::Convergence::Thread || row.arity() == 0) continue;
    dialect = row.only_in == intrinsics::OnlyIn::DialectB ? ir::Dialect::B : ir::Dialect::A;
    const bool is_of_ints = row.params[0] == intrinsics::Shape::AnyInt;
    const bool is_of_floats = row.params[0] == intrinsics::Shape::AnyFloat;
    if (!is_of_ints && !is_of_floats && row.params[0] != intrinsics::Shape::AnyNumber) continue;
    for (const DType type : {kInt8, kUInt8, kInt16, kUInt16, kInt32, kUInt32, kInt64, kUInt64,
                             kFloat16, kBFloat16, kFloat32, kFloat64}) {
      if ((is_of_ints && !type.is_int()) || (is_of_floats && !type.is_float())) continue;
      params.clear();
      const ir::Tensor* a = tensor("A", type);
      const DType result = row.result == intrinsics::Result::SameAsFirst ? type
                           : row.result == intrinsics::Result::Bool      ? kBool
                                                                         : kInt32;
      const ir::Tensor* out = tensor("O", result);
      block[0] = i64(64);
      List<Expr> args;
      for (int k = 0; k < row.arity(); ++k) {
        args.push_back(row.params[static_cast<std::size_t>(k)] == intrinsics::Shape::Int32
                           ? i32(3)
                           : load(a, thread()));
      }
      const Expr* value = build.make_call(&row, result, arena.copy(args), testing::kSpan);
      const std::vector<std::uint64_t> input(64, 0);
      std::vector<std::uint64_t> output(64, 0);
      for (const int level : {0, 2}) {
        options.opt_level = level;
        run({store(out, thread(), value)}, {word(input.data()), word(output.data())}, 1, 64);
      }
    }
  }
}

// The optimiser may turn loops into calls; only listed functions may be asked for.
TEST_F(CpuKernelTest, OutsideSymbolsOfLoops) {
  const ir::Tensor* a = tensor("A", kInt8);
  const ir::Tensor* b = tensor("B", kInt8);
  block[0] = i64(1);
  const ir::Var* i = variable("i", kInt32, ir::VarKind::Loop);
  const ir::Var* j = variable("j", kInt32, ir::VarKind::Loop);
  const ir::CpuKernel& kernel =
      lower({loop(i, i32(0), i32(100'000), {store(b, ref(i), load(a, ref(i)))}),
             loop(j, i32(0), i32(100'000), {store(a, ref(j), build.int_imm(kInt8, 0))})});
  auto symbols_text = runtime_cpu::print_code(kernel, options, abi::CpuText::Symbols);
  ASSERT_TRUE(symbols_text.has_value());
  const std::set<std::string> allowed = {"memcpy", "memset", "memmove"};
  std::istringstream lines(*symbols_text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(allowed.contains(line)) << line;
}

TEST_F(CpuKernelTest, TextsArePrinted) {
  const ir::CpuKernel& kernel = lower(relu());
  for (const auto what : {abi::CpuText::Ir, abi::CpuText::OptimizedIr, abi::CpuText::Assembly}) {
    auto text = runtime_cpu::print_code(kernel, options, what);
    ASSERT_TRUE(text.has_value());
    EXPECT_NE(text->find("k_kernel"), std::string::npos);
  }
  auto object = runtime_cpu::print_code(kernel, options, abi::CpuText::Object);
  ASSERT_TRUE(object.has_value());
  EXPECT_EQ(object->substr(0, 4),
            "\x7f"
            "ELF");
}

// Compiling, running and releasing from many threads at once.
TEST_F(CpuKernelTest, ManyThreadsCompile) {
  const ir::CpuKernel& kernel = lower(relu());
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < 16; ++k) {
    threads.emplace_back([&, k] {
      for (int round = 0; round < 3; ++round) {
        abi::CpuCompileOptions mine;
        mine.opt_level = (k + round) % 2 * 2;
        auto code = runtime_cpu::Code::compile(kernel, mine);
        if (!code) return;
        std::vector<float> input(1000, static_cast<float>(k - 8));
        std::vector<float> output(1000, -1.0f);
        const std::uint64_t args[] = {word(input.data()), word(output.data()), 1000};
        const std::int64_t grid_size[3] = {4, 1, 1};
        const std::int64_t block_size[3] = {256, 1, 1};
        runtime_cpu::launch(code->entry(), args, grid_size, block_size);
        const float wanted = k > 8 ? static_cast<float>(k - 8) : 0.0f;
        if (output == std::vector<float>(1000, wanted)) ++right;
      }
    });
  }
  for (std::thread& thread_object : threads)
    thread_object.join();
  EXPECT_EQ(right, 48);
}

}  // namespace
}  // namespace tirxcc::driver
