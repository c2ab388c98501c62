// SPDX-License-Identifier: Apache-2.0
//
// For unit tests of the IR and of passes: a fixture with short words for making kernels by hand.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>

#include "ir/builder.h"
#include "ir/ir.h"
#include "ir/printer.h"
#include "ir/verifier.h"

namespace tirxcc::ir {

class KernelTest : public ::testing::Test {
 protected:
  static constexpr Span kHere{1, 2};

  const Expr* i32(std::int64_t value) { return build.int_imm(kInt32, value); }
  const Expr* i64(std::int64_t value) { return build.int_imm(kInt64, value); }
  const Expr* lit(DType type, std::int64_t value) { return build.int_imm(type, value); }
  const Expr* f32(double value) { return build.float_imm(kFloat32, value); }
  const Expr* ref(const Var& var) { return build.var(&var); }
  const Expr* read(const Local& local) { return build.local(&local); }
  const Expr* thread(int axis = 0) { return build.launch_index(LaunchIndexKind::ThreadIdx, axis); }
  const Expr* block(int axis = 0) { return build.launch_index(LaunchIndexKind::BlockIdx, axis); }
  const Expr* bin(BinaryOp op, const Expr* a, const Expr* b) {
    return build.make_binary(op, a, b, {});
  }
  const Expr* add(const Expr* a, const Expr* b) { return bin(BinaryOp::Add, a, b); }
  const Expr* sub(const Expr* a, const Expr* b) { return bin(BinaryOp::Sub, a, b); }
  const Expr* mul(const Expr* a, const Expr* b) { return bin(BinaryOp::Mul, a, b); }
  const Expr* floordiv(const Expr* a, const Expr* b) { return bin(BinaryOp::FloorDiv, a, b); }
  const Expr* floormod(const Expr* a, const Expr* b) { return bin(BinaryOp::FloorMod, a, b); }
  const Expr* less(const Expr* a, const Expr* b) { return bin(BinaryOp::Lt, a, b); }
  const Expr* cast(DType type, const Expr* a) { return build.make_cast(type, a, {}); }
  const Expr* load(const Tensor& tensor, std::initializer_list<const Expr*> indices) {
    return build.load(&tensor, arena.copy(indices), kHere);
  }

  const Var* make_var(std::string_view name, DType type, VarKind kind) {
    return arena.make<Var>(name, type, kHere, kind);
  }
  Tensor* make_tensor(std::string_view name, DType type, std::initializer_list<const Expr*> shape) {
    auto* tensor = arena.make<Tensor>();
    tensor->name = name;
    tensor->dtype = type;
    tensor->shape = arena.copy(shape);
    tensor->is_param = true;
    return tensor;
  }

  template <typename T, typename... Args>
  const T* make(Args&&... args) {
    return build.stmt<T>(kHere, std::forward<Args>(args)...);
  }
  StmtList list(std::initializer_list<const Stmt*> stmts) { return arena.copy(stmts); }
  const Stmt* let(const Var& var, const Expr* value) { return make<Let>(&var, value); }
  const Stmt* store(const Tensor& tensor, std::initializer_list<const Expr*> indices,
                    const Expr* value) {
    return make<Store>(&tensor, arena.copy(indices), value);
  }
  const Stmt* loop(const Var& var, const Expr* begin, const Expr* end,
                   std::initializer_list<const Stmt*> body) {
    return make<For>(&var, begin, end, 1, ForKind::Serial, -1, false, arena.copy(body));
  }
  const Stmt* when(const Expr* condition, StmtList then, StmtList otherwise = {}) {
    return make<If>(arena.copy<IfClause>({IfClause{condition, then, kHere}}), otherwise);
  }

  // A kernel of one dimension with `threads` a block; symbol n, tensors A (n), `vec`, and B (n,
  // 64), `mat`.
  Kernel kernel(std::initializer_list<const Stmt*> body, std::int64_t threads = 256) {
    Param params[] = {{.name = "A", .tensor = vec}, {.name = "B", .tensor = mat}};
    Kernel result{.name = "k", .span = kHere};
    result.params = arena.copy(std::span<const Param>(params));
    result.symbols = arena.copy({n});
    result.launch.grid[0] = build.make_cast(kInt64, ref(*n), {});
    result.launch.block[0] = i64(threads);
    result.body = arena.copy(body);
    return result;
  }
  // The printed statements of a kernel, without what stands above them.
  static std::string body_text(const Kernel& kernel) {
    std::string text = print(kernel);
    std::size_t entry = text.find("    T.device_entry");
    return text.substr(text.find('\n', entry) + 1);
  }

  Arena arena;
  Builder build{arena};
  const Var* n = make_var("n", kInt32, VarKind::Symbol);
  const Var* i = make_var("i", kInt32, VarKind::Loop);
  const Var* x = make_var("x", kInt32, VarKind::Let);
  const Var* y = make_var("y", kInt32, VarKind::Let);
  Local total{.name = "total", .dtype = kFloat32};
  Local count{.name = "count", .dtype = kInt32};
  Tensor* vec = make_tensor("A", kFloat32, {ref(*n)});
  Tensor* mat = make_tensor("B", kFloat32, {ref(*n), i32(64)});
};

}  // namespace tirxcc::ir
