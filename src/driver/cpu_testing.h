// SPDX-License-Identifier: Apache-2.0
//
// For tests of the CPU target: makes small kernels by Builder, compiles and runs them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "abi/plan.h"
#include "driver/cpu_lowering.h"
#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "runtime/cpu/launch.h"
#include "runtime/cpu/plugin.h"

namespace tirxcc::driver::testing {

inline constexpr source::Span kSpan{1, 2};

class CpuTest : public ::testing::Test {
 protected:
  using Expr = ir::Expr;
  using Stmt = ir::Stmt;
  template <typename T>
  using List = std::vector<const T*>;

  Arena arena;
  source::SourceManager sources;
  source::Diagnostics diags{sources};
  ir::Builder build{arena};
  std::vector<ir::Param> params;
  std::vector<const ir::Var*> symbols;
  abi::CpuCompileOptions options;
  passes::PassOptions pass_options{.target = passes::Target::Cpu};
  ir::KernelKind kind = ir::KernelKind::Device;
  ir::Dialect dialect = ir::Dialect::A;
  DType result_type = kVoid;
  const Expr* grid[3] = {nullptr, nullptr, nullptr};
  const Expr* block[3] = {nullptr, nullptr, nullptr};

  const Expr* i32(std::int64_t value) { return build.int_imm(kInt32, value, kSpan); }
  const Expr* i64(std::int64_t value) { return build.int_imm(kInt64, value, kSpan); }
  const Expr* f32(double value) { return build.float_imm(kFloat32, value, kSpan); }

  // A parameter, one-dimensional unless a shape is given.
  const ir::Tensor* tensor(std::string_view name, DType type, List<Expr> shape = {}) {
    if (shape.empty()) shape.push_back(i32(1 << 30));
    auto* made = arena.make<ir::Tensor>(ir::Tensor{
        .name = name, .dtype = type, .shape = arena.copy(shape), .span = kSpan, .is_param = true});
    params.push_back({.name = name, .tensor = made, .span = kSpan});
    return made;
  }
  const ir::Tensor* local_array(std::string_view name, DType type, std::int64_t size) {
    return arena.make<ir::Tensor>(ir::Tensor{.name = name,
                                             .dtype = type,
                                             .shape = arena.copy({i32(size)}),
                                             .scope = ir::Scope::Local,
                                             .span = kSpan});
  }
  const ir::Var* scalar(std::string_view name, DType type) {
    auto* made = arena.make<ir::Var>(ir::Var{name, type, kSpan, ir::VarKind::Param});
    params.push_back({.name = name, .var = made, .span = kSpan});
    return made;
  }
  const ir::Var* symbol(std::string_view name) {
    symbols.push_back(arena.make<ir::Var>(ir::Var{name, kInt32, kSpan, ir::VarKind::Symbol}));
    return symbols.back();
  }
  const ir::Var* variable(std::string_view name, DType type,
                          ir::VarKind var_kind = ir::VarKind::Let) {
    return arena.make<ir::Var>(ir::Var{name, type, kSpan, var_kind});
  }
  const ir::Local* mutable_scalar(std::string_view name, DType type) {
    return arena.make<ir::Local>(ir::Local{name, type, kSpan});
  }

  const Expr* ref(const ir::Var* var) { return build.var(var, kSpan); }
  const Expr* ref(const ir::Local* local) { return build.local(local, kSpan); }
  const Expr* load(const ir::Tensor* from, const Expr* index) {
    return build.load(from, arena.copy({index}), kSpan);
  }
  const Expr* thread(int axis = 0) {
    return build.launch_index(ir::LaunchIndexKind::ThreadIdx, axis, kSpan);
  }
  const Expr* block_index(int axis = 0) {
    return build.launch_index(ir::LaunchIndexKind::BlockIdx, axis, kSpan);
  }
  const Expr* binary(ir::BinaryOp op, const Expr* a, const Expr* b) {
    return build.make_binary(op, a, b, kSpan);
  }
  const Expr* add(const Expr* a, const Expr* b) { return binary(ir::BinaryOp::Add, a, b); }
  const Expr* mul(const Expr* a, const Expr* b) { return binary(ir::BinaryOp::Mul, a, b); }
  const Expr* less(const Expr* a, const Expr* b) { return binary(ir::BinaryOp::Lt, a, b); }
  const Expr* cast(DType type, const Expr* a) { return build.make_cast(type, a, kSpan); }
  const Expr* call(std::string_view name, DType type, List<Expr> args) {
    const intrinsics::Intrinsic* row =
        intrinsics::find(name, dialect == ir::Dialect::A ? 'A' : 'B');
    TIRXCC_CHECK(row != nullptr, "no intrinsic {}", name);
    return build.make_call(row, type, arena.copy(args), kSpan);
  }

  const Stmt* store(const ir::Tensor* to, const Expr* index, const Expr* value) {
    return build.stmt<ir::Store>(kSpan, to, arena.copy({index}), value);
  }
  const Stmt* let(const ir::Var* var, const Expr* value) {
    return build.stmt<ir::Let>(kSpan, var, value);
  }
  const Stmt* declare(const ir::Local* local) { return build.stmt<ir::DeclareLocal>(kSpan, local); }
  const Stmt* assign(const ir::Local* local, const Expr* value) {
    return build.stmt<ir::Assign>(kSpan, local, value);
  }
  const Stmt* when(const Expr* condition, List<Stmt> yes, List<Stmt> no = {}) {
    const ir::IfClause clause{condition, arena.copy(yes), kSpan};
    return build.stmt<ir::If>(kSpan, arena.copy({clause}), arena.copy(no));
  }
  const Stmt* loop(const ir::Var* var, const Expr* begin, const Expr* end, List<Stmt> body,
                   std::int64_t step = 1, ir::ForKind for_kind = ir::ForKind::Serial) {
    ir::For made{{ir::StmtKind::For, kSpan}};
    made.var = var;
    made.begin = begin;
    made.end = end;
    made.step = step;
    made.loop = for_kind;
    made.body = arena.copy(body);
    return arena.make<ir::For>(made);
  }

  ir::Kernel* make_kernel(List<Stmt> body) {
    auto* kernel = arena.make<ir::Kernel>();
    kernel->name = "k";
    kernel->kind = kind;
    kernel->dialect = dialect;
    kernel->span = kSpan;
    kernel->params = arena.copy(params);
    kernel->symbols = arena.copy(symbols);
    for (int axis = 0; axis < 3; ++axis) {
      kernel->launch.grid[axis] = grid[axis] != nullptr ? grid[axis] : i64(1);
      kernel->launch.block[axis] = block[axis] != nullptr ? block[axis] : i64(1);
    }
    kernel->body = arena.copy(body);
    kernel->result = result_type;
    return kernel;
  }

  const ir::CpuKernel& lower(List<Stmt> body) {
    passes::PassContext context{arena, diags, pass_options};
    const ir::CpuKernel* lowered = lower_for_cpu(*make_kernel(std::move(body)), context);
    TIRXCC_CHECK(lowered != nullptr, "{}", diags.render());
    return *lowered;
  }

  runtime_cpu::Code compile(const ir::CpuKernel& kernel) {
    auto code = runtime_cpu::Code::compile(kernel, options);
    TIRXCC_CHECK(code.has_value(), "{}", code.error().message);
    return std::move(*code);
  }

  static std::uint64_t word(const void* pointer) {
    return reinterpret_cast<std::uint64_t>(pointer);
  }

  // Compiles and runs over a grid of `blocks` x 1 x 1 and a block of `threads` x 1 x 1.
  void run(List<Stmt> body, std::vector<std::uint64_t> args, std::int64_t blocks,
           std::int64_t threads) {
    const std::int64_t grid_size[3] = {blocks, 1, 1};
    const std::int64_t block_size[3] = {threads, 1, 1};
    run(lower(std::move(body)), args, grid_size, block_size);
  }
  void run(const ir::CpuKernel& kernel, const std::vector<std::uint64_t>& args,
           const std::int64_t grid_size[3], const std::int64_t block_size[3]) {
    const runtime_cpu::Code code = compile(kernel);
    ASSERT_EQ(runtime_cpu::launch(code.entry(), args.data(), grid_size, block_size), 0);
  }
};

}  // namespace tirxcc::driver::testing
