// SPDX-License-Identifier: Apache-2.0
#include "ir/verifier.h"

#include <gtest/gtest.h>

#include "ir/builder.h"

namespace tirxcc::ir {
namespace {

constexpr Span kHere{1, 2};

class VerifierTest : public ::testing::Test {
 protected:
  const Expr* i32(std::int64_t value) { return build.int_imm(kInt32, value); }
  std::string check(std::initializer_list<const Stmt*> body) {
    Param parameters[] = {{.name = "a", .tensor = &a}, {.name = "s", .var = &s}};
    Kernel kernel{.name = "k"};
    kernel.params = arena.copy(std::span<const Param>(parameters));
    kernel.symbols = arena.copy<const Var*>({&n});
    kernel.body = arena.copy(body);
    return verify(kernel);
  }
  const Stmt* store(const Expr* index, const Expr* value) {
    return build.stmt<Store>(kHere, &a, arena.copy({index}), value);
  }
  const Stmt* loop(const Expr* begin, const Expr* end, std::initializer_list<const Stmt*> body,
                   std::int64_t step = 1) {
    return build.stmt<For>(kHere, &i, begin, end, step, ForKind::Serial, -1, false,
                           arena.copy(body));
  }

  Arena arena;
  Builder build{arena};
  Var n{"n", kInt32, {}, VarKind::Symbol};
  Var s{"s", kFloat32, {}, VarKind::Param};
  Var i{"i", kInt32, {}, VarKind::Loop};
  Var v{"v", kInt32, {}, VarKind::Let};
  Local total{.name = "total", .dtype = kFloat32};
  Tensor a{.name = "a", .dtype = kFloat32, .shape = arena.copy({build.var(&n)}), .is_param = true};
};

TEST_F(VerifierTest, AcceptsARightKernel) {
  const Stmt* set = build.stmt<Assign>(kHere, &total, build.float_imm(kFloat32, 0));
  const Stmt* use = store(build.var(&i), build.local(&total));
  Label end{"end"};
  EXPECT_EQ(check({build.stmt<Let>(kHere, &v, i32(3)), build.stmt<DeclareLocal>(kHere, &total), set,
                   loop(build.var(&v), build.var(&n), {use, build.stmt<Break>(kHere)}),
                   build.stmt<Block>(kHere, &end,
                                     arena.copy<const Stmt*>({build.stmt<Leave>(kHere, &end)}))}),
            "");
}

TEST_F(VerifierTest, VariablesMustBeVisible) {
  EXPECT_EQ(check({store(build.var(&v), build.var(&s))}),
            "kernel k:\nin Store: variable v is not visible\n");
  EXPECT_EQ(check({build.stmt<Assign>(kHere, &total, build.var(&s))}),
            "kernel k:\nin Assign: local total is not visible\n");
  // A binding ends with its list.
  const Stmt* inner = build.stmt<Let>(kHere, &v, i32(1));
  EXPECT_EQ(check({loop(i32(0), i32(4), {inner}), store(build.var(&v), build.var(&s))}),
            "kernel k:\nin Store: variable v is not visible\n");
  EXPECT_EQ(check({loop(i32(0), i32(4), {}), store(build.var(&i), build.var(&s))}),
            "kernel k:\nin Store: variable i is not visible\n");
  Tensor other{.name = "other", .dtype = kFloat32};
  EXPECT_EQ(check({build.stmt<Store>(kHere, &other, ExprList{}, build.var(&s))}),
            "kernel k:\nin Store: tensor other is not visible\n");
}

TEST_F(VerifierTest, VariablesAreBoundOnce) {
  const Stmt* let = build.stmt<Let>(kHere, &v, i32(1));
  EXPECT_EQ(check({let, let}), "kernel k:\nin Let: v is bound twice\n");
  EXPECT_EQ(check({loop(i32(0), i32(4), {}), loop(i32(0), i32(4), {})}),
            "kernel k:\nin For: i is bound twice\n");
}

TEST_F(VerifierTest, TypesOfOperands) {
  const Expr* mixed = build.make_binary(BinaryOp::Add, i32(1), build.int_imm(kInt64, 1), {});
  EXPECT_EQ(check({store(mixed, build.var(&s))}),
            "kernel k:\nin Store: right operand is int64, expected int32\n");
  EXPECT_EQ(check({store(i32(0), i32(1))}),
            "kernel k:\nin Store: stored value is int32, expected float32\n");
  EXPECT_EQ(check({store(build.var(&s), build.var(&s))}),
            "kernel k:\nin Store: index of a is no integer\n");
  EXPECT_EQ(check({build.stmt<While>(kHere, i32(1), StmtList{})}),
            "kernel k:\nin While: condition is int32, expected bool\n");
  const Expr* divide = build.make_binary(BinaryOp::Div, i32(1), i32(1), {});
  EXPECT_EQ(check({build.stmt<Let>(kHere, &v, divide)}),
            "kernel k:\nin Let: binary operation 3 on int32\n");
  EXPECT_EQ(check({loop(build.int_imm(kInt64, 0), i32(1), {})}),
            "kernel k:\nin For: begin is int64, expected int32\n");
  EXPECT_EQ(check({build.stmt<Let>(kHere, &v, i32(1LL << 40))}),
            "kernel k:\nin Let: literal 1099511627776 does not fit int32\n");
  const Expr* loose = arena.make<FloatImm>(Expr{ExprKind::FloatImm, kFloat32, {}}, 0.1);
  EXPECT_EQ(check({store(i32(0), loose)}),
            "kernel k:\nin Store: literal 0.1 is not rounded to float32\n");
}

TEST_F(VerifierTest, ControlFlow) {
  EXPECT_EQ(check({build.stmt<Break>(kHere)}), "kernel k:\nin Break: Break outside a loop\n");
  EXPECT_EQ(check({build.stmt<Continue>(kHere)}),
            "kernel k:\nin Continue: Continue outside a loop\n");
  Label end{"end"};
  EXPECT_EQ(check({build.stmt<Block>(kHere, &end, StmtList{}), build.stmt<Leave>(kHere, &end)}),
            "kernel k:\nin Leave: Leave outside its block\n");
  EXPECT_EQ(check({build.stmt<Return>(kHere)}), "kernel k:\nin Return: Return in device code\n");
  EXPECT_EQ(check({loop(i32(0), i32(1), {}, 0)}), "kernel k:\nin For: step 0\n");
  EXPECT_EQ(check({build.stmt<If>(kHere, std::span<const IfClause>{}, StmtList{})}),
            "kernel k:\nin If: no clause\n");
}

TEST_F(VerifierTest, SpansAndRanks) {
  EXPECT_EQ(check({build.stmt<ThreadReturn>({})}), "kernel k:\nin ThreadReturn: no span\n");
  EXPECT_EQ(check({build.stmt<Store>(kHere, &a, arena.copy({i32(0), i32(0)}), build.var(&s))}),
            "kernel k:\nin Store: 2 indices of a, expected 1\n");
}

TEST_F(VerifierTest, HostCodeHasNoThreads) {
  Kernel kernel{.name = "h", .kind = KernelKind::Host};
  kernel.result = kInt32;
  const Expr* thread = build.launch_index(LaunchIndexKind::ThreadIdx, 0);
  kernel.body = arena.copy<const Stmt*>({build.stmt<Return>(kHere, thread)});
  EXPECT_EQ(verify(kernel), "kernel h:\nin Return: LaunchIndex in host code\n");
}

TEST_F(VerifierTest, FunctionsLaunchTheirOwnKernels) {
  Kernel kernel{.name = "k"};
  kernel.launch.grid[0] = build.make_cast(kInt64, build.var(&n), {});
  Function function{.name = "f"};
  function.host_body = arena.copy<const Stmt*>({build.stmt<Launch>(kHere, &kernel)});
  EXPECT_EQ(verify(function),
            "function f:\nin Launch: variable n is not visible\n"
            "launches a kernel of another function\n");
  Symbol symbol{.var = &n};
  function.symbols = {&symbol, 1};
  const Kernel* kernels[] = {&kernel};
  function.kernels = kernels;
  EXPECT_EQ(verify(function), "");
}

}  // namespace
}  // namespace tirxcc::ir
