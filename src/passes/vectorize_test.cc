// SPDX-License-Identifier: Apache-2.0
#include "passes/vectorize.h"

#include "passes/flatten.h"
#include "passes/testing.h"

namespace tirxcc::passes {
namespace {

using namespace ir;

class VectorizeTest : public PassTest {
 protected:
  const Stmt* lanes(std::int64_t number, std::initializer_list<const Stmt*> body) {
    return make<For>(v, i32(0), i32(number), std::int64_t{1}, ForKind::Vectorized, -1, false,
                     arena.copy(body));
  }
  // t * 4 + v
  const Expr* at(std::int64_t factor = 4) { return add(mul(thread(), i32(factor)), ref(*v)); }
  const Stmt* put(const Tensor& tensor, const Expr* offset, const Expr* value) {
    return make<Store>(&tensor, arena.copy({offset}), value, true);
  }
  const Expr* get(const Tensor& tensor, const Expr* offset) {
    return arena.make<Load>(
        Load{{ExprKind::Load, tensor.dtype, kHere}, &tensor, arena.copy({offset}), true});
  }
  const Expr* times(const Expr* a, double factor) {
    return bin(BinaryOp::Mul, a, build.float_imm(a->dtype, factor));
  }
  // Runs the pass; the note, if there is one, is in note_.
  std::string vectorized(const Stmt* loop, PassOptions options = {}) {
    Kernel before = kernel({loop});
    Param params[] = {{.name = "A", .tensor = vec},
                      {.name = "C", .tensor = out},
                      {.name = "D", .tensor = wide},
                      {.name = "H", .tensor = half}};
    before.params = arena.copy(std::span<const Param>(params));
    EXPECT_EQ(verify(before), "");
    source::SourceManager sources;
    source::Diagnostics diags(sources);
    PassContext context{arena, diags, options};
    after_ = &vectorize(before, context);
    EXPECT_EQ(verify(*after_), "");
    note_ = diags.messages().empty() ? "" : diags.messages()[0].text;
    return body_text(*after_);
  }
  bool is_serial(const Stmt* loop, PassOptions options = {}) {
    vectorized(loop, options);
    const auto* made = as<For>(after_->body[0]);
    return made != nullptr && made->loop == ForKind::Serial && made->unroll_pragma == 0;
  }

  const Var* v = make_var("v", kInt32, VarKind::Loop);
  Tensor* out = make_tensor("C", kFloat32, {ref(*n)});
  Tensor* wide = make_tensor("D", kFloat64, {ref(*n)});
  Tensor* half = make_tensor("H", kFloat16, {ref(*n)});
  std::string note_;
};

TEST_F(VectorizeTest, AlignedAccessesBecomeWide) {
  EXPECT_EQ(vectorized(lanes(4, {put(*out, at(), times(get(*vec, at()), 2))})),
            R"(    A_v: T.float32x4 = A.flat[T.cuda.thread_idx("x") * 4 : +4]
    C_v: T.float32x4
    C_v.lane(0) = A_v.lane(0) * 2.0
    C_v.lane(1) = A_v.lane(1) * 2.0
    C_v.lane(2) = A_v.lane(2) * 2.0
    C_v.lane(3) = A_v.lane(3) * 2.0
    C.flat[T.cuda.thread_idx("x") * 4 : +4] = C_v
)");
  EXPECT_EQ(wide_alignment(*after_, *vec), 16);
  EXPECT_EQ(wide_alignment(*after_, *out), 16);
  EXPECT_EQ(wide_alignment(*after_, *half), 0);
  EXPECT_EQ(note_, "");
}

TEST_F(VectorizeTest, ThirtyTwoBytesAreTwoAccesses) {
  EXPECT_EQ(vectorized(lanes(4, {put(*wide, at(), times(get(*wide, at()), 2))})),
            R"(    D_v: T.float64x2 = D.flat[T.cuda.thread_idx("x") * 4 : +2]
    D_v_1: T.float64x2 = D.flat[T.cuda.thread_idx("x") * 4 + 2 : +2]
    D_v.lane(0) = D_v.lane(0) * 2.0
    D_v.lane(1) = D_v.lane(1) * 2.0
    D_v_1.lane(0) = D_v_1.lane(0) * 2.0
    D_v_1.lane(1) = D_v_1.lane(1) * 2.0
    D.flat[T.cuda.thread_idx("x") * 4 : +2] = D_v
    D.flat[T.cuda.thread_idx("x") * 4 + 2 : +2] = D_v_1
)");
  vectorized(lanes(8, {put(*half, at(8), get(*half, at(8)))}));
  EXPECT_EQ(wide_alignment(*after_, *half), 16);
}

TEST_F(VectorizeTest, NamedIndicesAreSeenThrough) {
  const Var* index = make_var("i", kInt32, VarKind::Let);
  const Var* value = make_var("x", kFloat32, VarKind::Let);
  EXPECT_EQ(vectorized(lanes(2, {let(*index, at(2)), let(*value, get(*vec, ref(*index))),
                                 put(*out, ref(*index), times(ref(*value), 3))})),
            R"(    A_v: T.float32x2 = A.flat[T.cuda.thread_idx("x") * 2 : +2]
    C_v: T.float32x2
    with T.block():
        x = A_v.lane(0)
        C_v.lane(0) = x * 3.0
    with T.block():
        x_1 = A_v.lane(1)
        C_v.lane(1) = x_1 * 3.0
    C.flat[T.cuda.thread_idx("x") * 2 : +2] = C_v
)");
}

TEST_F(VectorizeTest, WhatIsNotAlignedStaysSerial) {
  EXPECT_TRUE(is_serial(lanes(4, {put(*out, at(2), f32(1))})));
  EXPECT_EQ(note_,
            "the loop is not vectorized: the first element of 'C' is not known to be at a multiple "
            "of 4");
  EXPECT_TRUE(is_serial(lanes(4, {put(*out, add(at(), i32(1)), f32(1))})));
  EXPECT_TRUE(is_serial(lanes(4, {put(*out, add(mul(thread(), ref(*n)), ref(*v)), f32(1))})));
  EXPECT_TRUE(is_serial(lanes(3, {put(*out, at(3), f32(1))})));
  EXPECT_EQ(note_,
            "the loop is not vectorized: 3 elements of 'C' are no whole number of wide accesses");
}

TEST_F(VectorizeTest, StridesStaySerial) {
  EXPECT_TRUE(is_serial(lanes(4, {put(*out, mul(ref(*v), i32(2)), f32(1))})));
  EXPECT_EQ(note_, "the loop is not vectorized: the elements of 'C' are not next to each other");
}

TEST_F(VectorizeTest, ALaneThatReadsAnotherLanesStoreStaysSerial) {
  const Expr* before = add(at(), i32(4 - 1));
  EXPECT_TRUE(is_serial(lanes(4, {put(*out, at(), get(*out, before))})));
  EXPECT_EQ(note_, "the loop is not vectorized: a lane may touch what another one stores to 'C'");
  // Far enough apart.
  EXPECT_FALSE(is_serial(lanes(4, {put(*out, at(), get(*out, add(at(), i32(4))))})));
}

TEST_F(VectorizeTest, TensorsThatMayOverlapStaySerial) {
  const Stmt* loop = lanes(4, {put(*out, at(), get(*vec, at()))});
  EXPECT_FALSE(is_serial(loop));
  EXPECT_TRUE(is_serial(loop, {.no_restrict = true}));
  EXPECT_EQ(note_, "");
  EXPECT_FALSE(is_serial(lanes(4, {put(*out, at(), f32(1))}), {.no_restrict = true}));
}

TEST_F(VectorizeTest, TheScalarVariantIsSerial) {
  EXPECT_TRUE(is_serial(lanes(4, {put(*out, at(), f32(1))}), {.scalar = true}));
  EXPECT_EQ(note_, "");
}

TEST_F(VectorizeTest, BranchesStaySerial) {
  const Stmt* guarded = when(less(ref(*v), i32(2)), list({put(*out, at(), f32(1))}));
  EXPECT_TRUE(is_serial(lanes(4, {guarded})));
  EXPECT_EQ(note_, "the loop is not vectorized: its body is not straight-line code");
}

TEST_F(VectorizeTest, AReadOnOneSideOfAChoiceIsNotMovedUp) {
  const Expr* choice = build.make_select(less(at(), ref(*n)), get(*vec, at()), f32(0), {});
  EXPECT_EQ(vectorized(lanes(2, {put(*out, at(2), choice)})), R"(    C_v: T.float32x2
    C_v.lane(0) = A.flat[T.cuda.thread_idx("x") * 4] if T.cuda.thread_idx("x") * 4 < n else 0.0
    C_v.lane(1) = A.flat[T.cuda.thread_idx("x") * 4 + 1] if T.cuda.thread_idx("x") * 4 + 1 < n else 0.0
    C.flat[T.cuda.thread_idx("x") * 2 : +2] = C_v
)");
  EXPECT_EQ(wide_alignment(*after_, *vec), 0);
  EXPECT_EQ(wide_alignment(*after_, *out), 8);
}

TEST_F(VectorizeTest, OffsetsThatTheBodyChangesAreNotMovedUp) {
  const Stmt* grow = make<Assign>(&count, add(read(count), i32(4)));
  const Expr* moving = add(mul(read(count), i32(4)), ref(*v));
  Kernel before = kernel({make<DeclareLocal>(&count), make<Assign>(&count, i32(0)),
                          lanes(4, {put(*vec, moving, f32(1)), grow})});
  source::SourceManager sources;
  source::Diagnostics diags(sources);
  PassContext context{arena, diags, {}};
  after_ = &vectorize(before, context);
  EXPECT_EQ(wide_alignment(*after_, *vec), 0);
}

TEST_F(VectorizeTest, AlignmentThroughNamesLoopsAndShifts) {
  const Var* row = make_var("row", kInt32, VarKind::Let);
  const Expr* shifted = build.make_binary(BinaryOp::ShiftLeft, thread(), i32(2), {});
  const Stmt* inner =
      lanes(4, {put(*vec, add(add(mul(ref(*row), i32(64)), ref(*i)), ref(*v)), f32(1))});
  const Stmt* outer =
      make<For>(i, i32(0), i32(64), std::int64_t{4}, ForKind::Serial, -1, false, list({inner}));
  Kernel before = kernel({let(*row, shifted), outer});
  source::SourceManager sources;
  source::Diagnostics diags(sources);
  PassContext context{arena, diags, {}};
  after_ = &vectorize(before, context);
  EXPECT_EQ(verify(*after_), "");
  EXPECT_EQ(wide_alignment(*after_, *vec), 16);
}

}  // namespace
}  // namespace tirxcc::passes
