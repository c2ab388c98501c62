// SPDX-License-Identifier: Apache-2.0
#include "ir/rewriter.h"

#include <gtest/gtest.h>

#include "ir/traverse.h"

namespace tirxcc::ir {
namespace {

class RewriterTest : public ::testing::Test {
 protected:
  const Expr* i32(std::int64_t value) { return build.int_imm(kInt32, value); }
  const Stmt* let(const Var& var, const Expr* value) { return build.stmt<Let>({}, &var, value); }

  Arena arena;
  Builder build{arena};
  Var n{"n", kInt32, {}, VarKind::Symbol};
  Var i{"i", kInt32, {}, VarKind::Loop};
  Var v{"v", kInt32, {}};
};

// Removes every Evaluate and doubles every Let.
class Editor : public Rewriter<Editor> {
 public:
  using Rewriter::on_stmt;
  using Rewriter::Rewriter;
  void on_stmt(const Evaluate&) {}
  void on_stmt(const Let& node) {
    emit(&node);
    emit(&node);
  }
  void on_stmt(const Break& node) {
    emit(&node);
    end_list();
  }
};

class Nothing : public Rewriter<Nothing> {
 public:
  using Rewriter::Rewriter;
};

TEST_F(RewriterTest, WhatDoesNotChangeIsShared) {
  const Stmt* inner = let(v, build.make_binary(BinaryOp::Add, build.var(&i), build.var(&n), {}));
  const Stmt* loop = build.stmt<For>({}, &i, i32(0), build.var(&n), 1, ForKind::Serial, -1, false,
                                     arena.copy({inner}));
  StmtList body = arena.copy({loop});
  StmtList same = Nothing(arena).rewrite(body);
  EXPECT_EQ(same.data(), body.data());
}

TEST_F(RewriterTest, StatementsMayBecomeNoneOrSeveral) {
  const Stmt* first = let(v, i32(1));
  const Stmt* drop = build.stmt<Evaluate>({}, i32(2));
  const Stmt* stop = build.stmt<Break>({});
  IfClause clause{build.bool_imm(true), arena.copy({drop, first, stop, drop, first}), {}};
  const Stmt* branch = build.stmt<If>({}, arena.copy({clause}), StmtList{});
  StmtList out = Editor(arena).rewrite(arena.copy({branch, drop, first}));
  ASSERT_EQ(out.size(), 3U);  // the branch, and the Let twice
  StmtList inside = as<If>(out[0])->clauses[0].body;
  ASSERT_EQ(inside.size(), 3U);
  EXPECT_EQ(inside[0], first);
  EXPECT_EQ(inside[2], stop);
}

TEST_F(RewriterTest, SubstituteFoldsOnTheWayUp) {
  const Expr* sum =
      build.make_binary(BinaryOp::Add, build.make_binary(BinaryOp::Mul, build.var(&i), i32(4), {}),
                        build.var(&n), {});
  const Expr* result = substitute(arena, sum, {{&i, i32(0)}});
  EXPECT_TRUE(equal(result, build.var(&n)));
  EXPECT_EQ(substitute(arena, sum, {{&v, i32(0)}}), sum);
}

TEST_F(RewriterTest, DeepNestingAndLongLists) {
  StmtList body = arena.copy({let(v, i32(1))});
  for (int depth = 0; depth < 500; ++depth) {
    body = arena.copy<const Stmt*>({build.stmt<While>({}, build.bool_imm(true), body)});
  }
  std::vector<const Stmt*> many(10000, let(v, i32(1)));
  many.push_back(body[0]);
  int statements = 0;
  walk_stmts(arena.copy(many), [&](const Stmt&) { ++statements; });
  EXPECT_EQ(statements, 10000 + 501);
  EXPECT_EQ(Editor(arena).rewrite(arena.copy(many)).size(), 20001U);
  StmtList doubled = Editor(arena).rewrite(body);
  int lets = 0;
  walk_stmts(doubled, [&](const Stmt& s) { lets += is<Let>(&s); });
  EXPECT_EQ(lets, 2);
}

TEST_F(RewriterTest, WalkVisitsConditionsBoundsAndIndices) {
  Tensor a{.name = "a", .dtype = kInt32};
  const Expr* load = build.load(&a, arena.copy({build.var(&i)}), {});
  const Stmt* store = build.stmt<Store>({}, &a, arena.copy({build.var(&n)}), load);
  const Stmt* loop = build.stmt<For>({}, &i, i32(0), build.var(&n), 1, ForKind::Serial, -1, false,
                                     arena.copy({store}));
  int vars = 0;
  int all = 0;
  walk_exprs(arena.copy({loop}), [&](const Expr& e) {
    ++all;
    vars += is<VarRef>(&e);
  });
  EXPECT_EQ(vars, 3);
  EXPECT_EQ(all, 5);
}

}  // namespace
}  // namespace tirxcc::ir
