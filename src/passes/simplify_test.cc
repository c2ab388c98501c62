// SPDX-License-Identifier: Apache-2.0
#include "passes/simplify.h"

#include "intrinsics/intrinsics.h"
#include "passes/testing.h"

namespace tirxcc::passes {
namespace {

using namespace ir;

class SimplifyTest : public PassTest {};

TEST_F(SimplifyTest, FoldsAndDropsUnusedValues) {
  Kernel k = kernel({
      let(*x, add(mul(thread(), i32(1)), i32(0))),
      let(*y, add(ref(*x), i32(2))),
      let(*make_var("z", kFloat32, VarKind::Let), load(*mat, {ref(*y), i32(0)})),
      store(*vec, {ref(*x)}, f32(0)),
  });
  EXPECT_EQ(run(simplify, k), "    x = T.cuda.thread_idx(\"x\")\n    A[x] = 0.0\n");
}

TEST_F(SimplifyTest, CallsWithEffectsStay) {
  const Expr* sync = build.make_call(intrinsics::find("cuda.cta_sync", 'A'), kVoid, {}, kHere);
  Kernel k = kernel({make<Evaluate>(sync), make<Evaluate>(load(*vec, {i32(0)}))});
  EXPECT_EQ(run(simplify, k), "    T.cuda.cta_sync()\n");
}

// Nothing is left but the condition, and nothing more to do: each round must not find more.
TEST_F(SimplifyTest, AConditionWithAnEffectStaysWithoutItsBranch) {
  const Expr* vote = build.make_call(intrinsics::find("cuda.elect_sync", 'A'), kBool, {}, kHere);
  Kernel k = kernel({when(vote, list({let(*x, i32(1))}))});
  EXPECT_EQ(run(simplify, k), "    if T.cuda.elect_sync():\n        pass\n");
}

TEST_F(SimplifyTest, CodeAfterAJumpIsDropped) {
  const Stmt* use = store(*vec, {i32(0)}, f32(0));
  Kernel k = kernel({
      loop(*i, i32(0), i32(8),
           {when(less(ref(*i), i32(4)), list({use, make<Continue>(), use})), make<Break>(), use}),
      make<ThreadReturn>(),
      use,
  });
  EXPECT_EQ(run(simplify, k), R"(    for i in range(8):
        if i < 4:
            A[0] = 0.0
            continue
        break
    T.gpu_thread_return()
)");
}

TEST_F(SimplifyTest, EmptyBranchesDisappear) {
  const Stmt* use = store(*vec, {i32(0)}, f32(0));
  const Expr* c = less(thread(), i32(3));
  const Var* j = make_var("j", kInt32, VarKind::Loop);
  Kernel k = kernel({
      when(c, {}),
      when(c, {}, list({use})),
      when(c, list({use}), list({when(c, {})})),
      make<If>(arena.copy<IfClause>({{c, {}, kHere}, {c, list({use}), kHere}, {c, {}, kHere}}),
               StmtList{}),
      loop(*j, i32(0), ref(*n), {let(*x, i32(1))}),
  });
  EXPECT_EQ(run(simplify, k), R"(    if not T.cuda.thread_idx("x") < 3:
        A[0] = 0.0
    if T.cuda.thread_idx("x") < 3:
        A[0] = 0.0
    if T.cuda.thread_idx("x") < 3:
        pass
    elif T.cuda.thread_idx("x") < 3:
        A[0] = 0.0
)");
}

TEST_F(SimplifyTest, WrittenConditionsStayWhateverRangesSay) {
  const Stmt* use = store(*vec, {i32(0)}, f32(0));
  Kernel k = kernel({when(less(thread(), i32(1000)), list({use}))});
  EXPECT_EQ(run(simplify, k), "    if T.cuda.thread_idx(\"x\") < 1000:\n        A[0] = 0.0\n");
}

TEST_F(SimplifyTest, LiteralConditionsAreDecided) {
  const Stmt* yes = store(*vec, {i32(1)}, f32(1));
  const Stmt* no = store(*vec, {i32(0)}, f32(0));
  const Expr* truth = less(i32(1), i32(2));
  Kernel k = kernel({
      when(truth, list({yes}), list({no})),
      when(build.bool_imm(false), list({no})),
      make<If>(arena.copy<IfClause>({{build.bool_imm(false), list({no}), kHere},
                                     {less(thread(), i32(1)), list({yes}), kHere},
                                     {truth, list({no}), kHere}}),
               StmtList{}),
      make<While>(build.bool_imm(false), list({no})),
      store(*vec, {build.make_select(truth, i32(4), i32(5), {})}, f32(2)),
  });
  EXPECT_EQ(run(simplify, k), R"(    A[1] = 1.0
    if T.cuda.thread_idx("x") < 1:
        A[1] = 1.0
    else:
        A[0] = 0.0
    A[4] = 2.0
)");
}

TEST_F(SimplifyTest, BlocksOnlyWhereTheyAreNeeded) {
  Label used{"used"};
  Label unused{"unused"};
  Label tail{"tail"};
  const Stmt* use = store(*vec, {i32(0)}, f32(0));
  Kernel k = kernel({
      make<Block>(&unused, list({use})),
      make<Block>(&tail, list({use, make<Leave>(&tail)})),
      make<Block>(&used, list({when(less(thread(), i32(1)), list({make<Leave>(&used)})), use})),
      make<Block>(nullptr, list({let(*x, thread()), store(*vec, {ref(*x)}, f32(1))})),
      make<Block>(nullptr, StmtList{}),
      make<DeclareLocal>(&total),
  });
  EXPECT_EQ(run(simplify, k), R"(    A[0] = 0.0
    A[0] = 0.0
    with T.block("used"):
        if T.cuda.thread_idx("x") < 1:
            T.leave("used")
        A[0] = 0.0
    with T.block():
        x = T.cuda.thread_idx("x")
        A[x] = 1.0
)");
}

TEST_F(SimplifyTest, NothingToDoSharesTheKernel) {
  Kernel k = kernel({let(*x, thread()), store(*vec, {ref(*x)}, f32(0))});
  run(simplify, k);
  EXPECT_EQ(after_, &k);
}

}  // namespace
}  // namespace tirxcc::passes
