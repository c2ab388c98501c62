// SPDX-License-Identifier: Apache-2.0
#include "codegen/cuda/codegen.h"

#include <gtest/gtest.h>

#include "codegen/cuda/test_kernel.h"

namespace tirxcc::codegen_cuda {
namespace {

using Op = ir::BinaryOp;

// i = blockIdx.x * 256 + threadIdx.x
const ir::Stmt* global_index(TestKernel& k, const ir::Var* i) {
  const ir::Expr* block = k.build.launch_index(ir::LaunchIndexKind::BlockIdx, 0);
  return k.let(i, k.op(Op::Add, k.op(Op::Mul, block, k.i32(256)), k.thread()));
}

TEST(CudaText, ReluIsTheDocumentsText) {
  TestKernel k;
  k.title = "relu";
  const auto* a = k.tensor("A", kFloat32);
  const auto* b = k.tensor("B", kFloat32);
  const auto* n = k.symbol("n");
  const auto* i = k.variable("i", kInt32);
  const auto* ref = k.ref(i);
  const auto* positive =
      k.branch(k.op(Op::Gt, k.at(a, ref), k.f32(0)), k.stmts({k.store(b, ref, k.at(a, ref))}),
               k.stmts({k.store(b, ref, k.f32(0))}));
  k.add({global_index(k, i), k.branch(k.op(Op::Lt, ref, k.ref(n)), k.stmts({positive}))});
  EXPECT_EQ(k.emit().text, R"(extern "C" __global__ void __launch_bounds__(256)
relu_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    if (A_ptr[i] > 0.0f) {
      B_ptr[i] = A_ptr[i];
    } else {
      B_ptr[i] = 0.0f;
    }
  }
}
)");
}

TEST(CudaText, LongSignatureHasOneParameterALine) {
  TestKernel k;
  k.title = "binary_search_in_sorted_values";
  k.tensor("values", kFloat32);
  k.tensor("queries", kFloat64);
  k.scalar("threshold", kInt8);
  k.symbol("n");
  EXPECT_EQ(k.emit({.variant = abi::kIndex64 | abi::kAlias}).text,
            R"(extern "C" __global__ void __launch_bounds__(256)
binary_search_in_sorted_values_kernel_64_alias(
    const float* values_ptr,
    const double* queries_ptr,
    signed char threshold,
    int n) {
}
)");
}

TEST(CudaText, MutableScalarsAreArraysOfOne) {
  TestKernel k;
  const auto* a = k.tensor("A", kFloat32);
  const auto* i = k.mutable_scalar("i", kInt32);
  const auto* read = k.ref(i);
  const auto* element = k.op(Op::Add, k.at(a, read), k.f32(1));
  const auto* loop = k.build.stmt<ir::While>(
      {}, k.op(Op::Lt, read, k.i32(64)),
      k.stmts({k.store(a, read, element), k.assign(i, k.op(Op::Add, read, k.i32(1)))}));
  k.add({k.declare(i), k.assign(i, k.i32(0)), loop});
  EXPECT_EQ(k.body_text(), R"(int i_ptr[1];
i_ptr[0] = 0;
while (1) {
  if (!(i_ptr[0] < 64)) {
    break;
  }
  A_ptr[i_ptr[0]] = A_ptr[i_ptr[0]] + 1.0f;
  i_ptr[0] = i_ptr[0] + 1;
}
)");
  EXPECT_EQ(k.body_text({.plain_scalars = true}), R"(int i = 0;
while (i < 64) {
  A_ptr[i] = A_ptr[i] + 1.0f;
  i = i + 1;
}
)");
}

TEST(CudaText, LoopsCountUpDownAndOverCopiedBounds) {
  TestKernel k;
  const auto* a = k.tensor("A", kInt32);
  const auto* bound = k.mutable_scalar("k", kInt32);
  const auto* up = k.variable("i", kInt32, ir::VarKind::Loop);
  const auto* down = k.variable("i", kInt32, ir::VarKind::Loop);
  const auto* copied = k.variable("j", kUInt32, ir::VarKind::Loop);
  const auto* u10 = k.build.int_imm(kUInt32, 10);
  k.add({k.declare(bound), k.assign(bound, k.i32(10)),
         k.loop(up, k.i32(0), k.ref(bound), k.stmts({k.store(a, k.ref(up), k.ref(up))}), 2, true),
         k.loop(down, k.i32(10), k.i32(0), k.stmts({k.store(a, k.ref(down), k.i32(1))}), -1),
         k.loop(copied, k.build.int_imm(kUInt32, 0), u10,
                k.stmts({k.store(a, k.ref(copied), k.i32(-1))}))});
  EXPECT_EQ(k.body_text(), R"(int k_ptr[1];
k_ptr[0] = 10;
for (int i = 0, i_end = k_ptr[0]; i < i_end; i += 2) {
  A_ptr[i] = i;
}
for (int i = 10; i > 0; i += -1) {
  A_ptr[i] = 1;
}
for (unsigned int j = 0u; j < 10u; ++j) {
  A_ptr[j] = -1;
}
)");
}

TEST(CudaText, CountedLoopCountsTurns) {
  TestKernel k;
  const auto* a = k.tensor("A", kInt32);
  const auto* step = k.scalar("s", kInt32);
  const auto* i = k.variable("i", kInt32, ir::VarKind::Loop);
  const auto* turns = k.build.int_imm(kUInt32, 7);
  k.add({k.build.stmt<ir::CountedFor>({}, i, k.i32(5), k.ref(step), turns,
                                      k.stmts({k.store(a, k.ref(i), k.i32(0))}))});
  EXPECT_EQ(k.body_text(), R"(unsigned int i_turns = 7u;
for (int i = 5; i_turns > 0u; --i_turns, i += s) {
  A_ptr[i] = 0;
}
)");
}

TEST(CudaText, ElifIsFlatAndUnrolledCopiesJump) {
  TestKernel k;
  const auto* a = k.tensor("A", kInt32);
  auto* end = k.arena.make<ir::Label>("k_end");
  auto* next = k.arena.make<ir::Label>("k_next_0");
  const auto* v = k.variable("v", kInt32);
  const auto* leave_end = k.build.stmt<ir::Leave>({}, end);
  const auto* leave_next = k.build.stmt<ir::Leave>({}, next);
  const auto* zero = k.op(Op::Eq, k.at(a, k.i32(0)), k.i32(0));
  auto clauses = k.arena.copy(
      {ir::IfClause{zero, k.stmts({leave_end}), {}},
       ir::IfClause{k.op(Op::Lt, k.at(a, k.i32(1)), k.i32(2)), k.stmts({leave_next}), {}}});
  const auto* test = k.build.stmt<ir::If>({}, clauses, ir::StmtList{});
  const auto* first = k.build.stmt<ir::Block>(
      {}, next, k.stmts({test, k.let(v, k.at(a, k.i32(3))), k.store(a, k.i32(4), k.ref(v))}));
  const auto* plain =
      k.build.stmt<ir::Block>({}, nullptr, k.stmts({k.store(a, k.i32(5), k.i32(6))}));
  k.add({k.build.stmt<ir::Block>({}, end, k.stmts({first, plain}))});
  EXPECT_EQ(k.body_text(), R"({
  if (A_ptr[0] == 0) {
    goto k_end;
  } else if (A_ptr[1] < 2) {
    goto k_next_0;
  }
  int v = A_ptr[3];
  A_ptr[4] = v;
}
k_next_0:;
A_ptr[5] = 6;
k_end:;
)");
}

TEST(CudaText, WideAccesses) {
  TestKernel k;
  const auto* a = k.tensor("A", kFloat32);
  const auto* b = k.tensor("B", kFloat32);
  const auto* h = k.tensor("H", kFloat16);
  const auto* t = k.variable("t", kInt32);
  const auto* av = k.mutable_scalar("A_v", kFloat32.with_lanes(4));
  const auto* bv = k.mutable_scalar("B_v", kFloat32.with_lanes(4));
  const auto* hv = k.mutable_scalar("H_v", kFloat16.with_lanes(8));
  const auto* offset = k.op(Op::Mul, k.ref(t), k.i32(4));
  auto load = [&](const ir::Tensor* tensor, const ir::Local* into) {
    return k.arena.make<ir::VectorLoad>(
        ir::VectorLoad{{ir::ExprKind::VectorLoad, into->dtype, {}}, tensor, offset});
  };
  auto lane = [&](const ir::Local* vector, std::uint8_t index) {
    return k.arena.make<ir::LaneRead>(
        ir::LaneRead{{ir::ExprKind::LaneRead, vector->dtype.lane(), {}}, vector, index});
  };
  k.add({k.let(t, k.thread()), k.declare(av), k.assign(av, load(a, av)), k.declare(bv),
         k.build.stmt<ir::LaneStore>({}, bv, std::uint8_t{1}, k.op(Op::Mul, lane(av, 3), k.f32(2))),
         k.build.stmt<ir::VectorStore>({}, b, offset, bv), k.declare(hv), k.assign(hv, load(h, hv)),
         k.build.stmt<ir::LaneStore>({}, hv, std::uint8_t{5}, lane(hv, 6)),
         k.build.stmt<ir::VectorStore>({}, h, offset, hv)});
  EXPECT_EQ(k.body_text(), R"(int t = (int)threadIdx.x;
float4 A_v = *(const float4*)&A_ptr[t * 4];
float4 B_v;
B_v.y = A_v.w * 2.0f;
*(float4*)&B_ptr[t * 4] = B_v;
uint4 H_v = *(const uint4*)&H_ptr[t * 4];
((half*)&H_v)[5] = ((const half*)&H_v)[6];
*(uint4*)&H_ptr[t * 4] = H_v;
)");
}

TEST(CudaText, HelpersAndHeadersComeOnceAndFirst) {
  TestKernel k;
  const auto* a = k.tensor("A", kInt32);
  const auto* h = k.tensor("H", kFloat16);
  const auto* x = k.at(a, k.i32(0));
  k.add({k.store(a, k.i32(1), k.op(Op::FloorDiv, x, k.i32(3))),
         k.store(a, k.i32(2), k.op(Op::FloorDiv, x, k.i32(-5))),
         k.store(h, k.i32(0), k.build.float_imm(kFloat16, 0.1))});
  CudaText text = k.emit();
  EXPECT_TRUE(text.needs_fp16);
  EXPECT_FALSE(text.needs_bf16);
  EXPECT_EQ(text.text, R"(#include <cuda_fp16.h>

__device__ __forceinline__ int floordiv(int a, int b) {
  int q = a / b;
  return a % b != 0 && (a ^ b) < 0 ? q - 1 : q;
}

extern "C" __global__ void __launch_bounds__(256)
test_kernel(int* __restrict__ A_ptr, half* __restrict__ H_ptr) {
  A_ptr[1] = floordiv(A_ptr[0], 3);
  A_ptr[2] = floordiv(A_ptr[0], -5);
  H_ptr[0] = __float2half(0.1f);
}
)");
}

TEST(CudaText, LineMapPointsAtStatements) {
  TestKernel k;
  const auto* a = k.tensor("A", kInt32);
  const auto* first = k.build.stmt<ir::Store>({10, 20}, a, k.list({k.i32(0)}), k.i32(1), true);
  const auto* second = k.build.stmt<ir::Store>(
      {30, 40}, a, k.list({k.i32(1)}), k.op(Op::FloorMod, k.at(a, k.i32(0)), k.i32(3)), true);
  k.add({first, second});
  CudaText text = k.emit();
  ASSERT_EQ(text.lines.size(), 2u);
  EXPECT_EQ(text.lines[0].line, 8u);  // behind the helper's five lines and the signature's two
  EXPECT_EQ(text.lines[1].line, 9u);
  EXPECT_EQ(text.lines[1].span.begin, 30u);
}

TEST(CudaText, SecondRegionOfAFunctionIsNumbered) {
  Arena arena;
  ir::Kernel kernel{.name = "f"};
  ir::Kernel other{.name = "template"};
  const ir::Kernel* kernels[] = {&kernel, &kernel, &other};
  CudaText text = emit_cuda(kernels, {}, nullptr);
  EXPECT_EQ(text.kernel_names,
            (std::vector<std::string>{"f_kernel", "f_kernel_1", "template_kernel"}));
}

}  // namespace
}  // namespace tirxcc::codegen_cuda
