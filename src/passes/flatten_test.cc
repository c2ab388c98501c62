// SPDX-License-Identifier: Apache-2.0
#include "passes/flatten.h"

#include "passes/testing.h"

namespace tirxcc::passes {
namespace {

using namespace ir;

class FlattenTest : public PassTest {
 protected:
  // The index that `tensor[indices]` becomes; x and y are thread indices, -2 and more.
  std::string offset(const Tensor& tensor, std::initializer_list<const Expr*> indices,
                     PassOptions options = {}) {
    Param param{.name = tensor.name, .tensor = &tensor};
    Kernel k = kernel({let(*x, sub(thread(), i32(2))), let(*y, sub(thread(1), i32(2))),
                       store(tensor, indices, build.float_imm(tensor.dtype, 0))});
    Param params[] = {{.name = "n", .tensor = vec}, param};
    k.params = arena.copy(std::span<const Param>(params));
    std::string text = run(flatten, k, options);
    std::size_t start = text.find(".flat[") + 6;
    return text.substr(start, text.find("] = ", start) - start);
  }
};

TEST_F(FlattenTest, RowMajorSumsAreFlat) {
  EXPECT_EQ(offset(*mat, {ref(*x), ref(*y)}), "x * 64 + y");
  EXPECT_EQ(offset(*mat, {ref(*x), add(mul(thread(), i32(4)), i32(1))}),
            "x * 64 + T.cuda.thread_idx(\"x\") * 4 + 1");
  EXPECT_EQ(offset(*mat, {add(ref(*x), ref(*y)), add(ref(*x), thread())}),
            "(x + y) * 64 + x + T.cuda.thread_idx(\"x\")");
  EXPECT_EQ(offset(*mat, {ref(*x), sub(ref(*y), i32(1))}), "x * 64 + y - 1");
  EXPECT_EQ(offset(*mat, {i32(0), ref(*y)}), "y");
  EXPECT_EQ(offset(*mat, {ref(*x), i32(0)}), "x * 64");
  EXPECT_EQ(offset(*mat, {i32(2), i32(3)}), "131");
  EXPECT_EQ(offset(*mat, {i32(0), i32(0)}), "0");
}

TEST_F(FlattenTest, PartsThatMayBeNegativeStayTogether) {
  EXPECT_EQ(offset(*mat, {ref(*x), add(thread(), ref(*y))}),
            "x * 64 + (T.cuda.thread_idx(\"x\") + y)");
  EXPECT_EQ(offset(*mat, {ref(*x), sub(ref(*n), ref(*y))}), "x * 64 + (n - y)");
}

TEST_F(FlattenTest, SymbolicAndThreeDimensions) {
  const Var* m = make_var("m", kInt32, VarKind::Symbol);
  Tensor* cube = make_tensor("C", kFloat32, {ref(*n), i32(4), ref(*m)});
  EXPECT_EQ(offset(*cube, {ref(*x), ref(*y), i32(1)}), "x * 4 * m + y * m + 1");
  ASSERT_EQ(after_->symbols.size(), 2U);
  EXPECT_EQ(after_->symbols[1], m);
  Tensor* fixed = make_tensor("D", kFloat32, {i32(2), i32(4), i32(8)});
  EXPECT_EQ(offset(*fixed, {ref(*x), ref(*y), i32(1)}), "x * 32 + y * 8 + 1");
}

TEST_F(FlattenTest, OneDimensionKeepsTheUsersExpression) {
  EXPECT_EQ(offset(*vec, {sub(ref(*x), ref(*y))}), "x - y");
  EXPECT_EQ(offset(*vec, {cast(kUInt8, ref(*x))}, {.index64 = true}), "T.uint8(x)");
  Tensor* scalar = make_tensor("S", kFloat32, {});
  EXPECT_EQ(offset(*scalar, {}), "0");
}

TEST_F(FlattenTest, StridesAndOffset) {
  const Var* s = make_var("s", kInt32, VarKind::Symbol);
  Tensor* view = make_tensor("V", kFloat32, {i32(8), i32(8)});
  view->strides = arena.copy({ref(*s), i32(2)});
  view->elem_offset = i32(5);
  EXPECT_EQ(offset(*view, {ref(*x), ref(*y)}), "x * s + y * 2 + 5");
}

TEST_F(FlattenTest, WideOffsets) {
  EXPECT_EQ(offset(*mat, {ref(*x), ref(*y)}, {.index64 = true}), "T.int64(x) * 64 + T.int64(y)");
  Tensor* large = make_tensor("L", kFloat32, {i32(65536), i32(65536)});
  EXPECT_EQ(offset(*large, {ref(*x), ref(*y)}), "T.int64(x) * 65536 + T.int64(y)");
  const Expr* user = cast(kInt64, ref(*x));
  EXPECT_EQ(offset(*mat, {ref(*y), user}), "T.int64(y) * 64 + T.int64(x)");
  const Expr* bits = cast(kUInt32, ref(*x));
  EXPECT_EQ(offset(*mat, {bits, ref(*y)}, {.index64 = true}),
            "T.int64(T.uint32(x)) * 64 + T.int64(y)");
  EXPECT_EQ(offset(*mat, {bits, ref(*y)}), "T.int32(T.uint32(x)) * 64 + y");
}

TEST_F(FlattenTest, EveryKindOfAccess) {
  Kernel k = kernel({store(*vec, {i32(1)}, load(*mat, {i32(1), i32(2)}))});
  EXPECT_EQ(run(flatten, k), "    A.flat[1] = B.flat[66]\n");
  source::SourceManager sources;
  source::Diagnostics diags(sources);
  PassContext context{arena, diags};
  EXPECT_EQ(&flatten(*after_, context), after_);  // done already
}

}  // namespace
}  // namespace tirxcc::passes
