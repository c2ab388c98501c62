// SPDX-License-Identifier: Apache-2.0
//
// For the unit tests of the back end: a kernel put together by hand, and its CUDA text. When the
// environment names a folder in TIRXCC_CUDA_TEXTS, every text is also written there, so that a
// test of the suite can give all of them to NVRTC.
#pragma once

#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/cuda/codegen.h"
#include "intrinsics/intrinsics.h"
#include "ir/builder.h"

namespace tirxcc::codegen_cuda {

class TestKernel {
 public:
  using Expr = ir::Expr;
  using Op = ir::BinaryOp;

  const ir::Tensor* tensor(std::string_view name, DType type) {
    auto* made = arena.make<ir::Tensor>();
    made->name = name;
    made->dtype = type;
    made->is_param = true;
    params.push_back({.name = name, .tensor = made});
    return made;
  }
  const ir::Var* scalar(std::string_view name, DType type) {
    const ir::Var* var = variable(name, type, ir::VarKind::Param);
    params.push_back({.name = name, .var = var});
    return var;
  }
  const ir::Var* symbol(std::string_view name) {
    symbols.push_back(variable(name, kInt32, ir::VarKind::Symbol));
    return symbols.back();
  }
  const ir::Var* variable(std::string_view name, DType type, ir::VarKind kind = ir::VarKind::Let) {
    return arena.make<ir::Var>(name, type, ir::Span{}, kind);
  }
  const ir::Local* mutable_scalar(std::string_view name, DType type) {
    return arena.make<ir::Local>(name, type, ir::Span{});
  }

  // Expressions.
  const Expr* i32(std::int64_t value) { return build.int_imm(kInt32, value); }
  const Expr* f32(double value) { return build.float_imm(kFloat32, value); }
  const Expr* ref(const ir::Var* var) { return build.var(var); }
  const Expr* ref(const ir::Local* local) { return build.local(local); }
  const Expr* at(const ir::Tensor* tensor, const Expr* offset) {
    auto* load = arena.make<ir::Load>(
        ir::Load{{ir::ExprKind::Load, tensor->dtype, {}}, tensor, list({offset}), true});
    return load;
  }
  const Expr* op(Op op, const Expr* a, const Expr* b) { return build.make_binary(op, a, b, {}); }
  const Expr* cast(DType type, const Expr* a) { return build.make_cast(type, a, {}); }
  const Expr* call(std::string_view name, std::initializer_list<const Expr*> args, DType type,
                   char dialect = 'A') {
    return build.make_call(intrinsics::find(name, dialect), type, list(args), {});
  }
  const Expr* thread() { return build.launch_index(ir::LaunchIndexKind::ThreadIdx, 0); }
  ir::ExprList list(std::initializer_list<const Expr*> items) { return arena.copy(items); }

  // Statements.
  const ir::Stmt* store(const ir::Tensor* tensor, const Expr* offset, const Expr* value) {
    return build.stmt<ir::Store>({}, tensor, list({offset}), value, true);
  }
  const ir::Stmt* let(const ir::Var* var, const Expr* value) {
    return build.stmt<ir::Let>({}, var, value);
  }
  const ir::Stmt* declare(const ir::Local* local) {
    return build.stmt<ir::DeclareLocal>({}, local);
  }
  const ir::Stmt* assign(const ir::Local* local, const Expr* value) {
    return build.stmt<ir::Assign>({}, local, value);
  }
  const ir::Stmt* branch(const Expr* condition, ir::StmtList body, ir::StmtList other = {}) {
    auto clauses = arena.copy({ir::IfClause{condition, body, {}}});
    return build.stmt<ir::If>({}, clauses, other);
  }
  const ir::Stmt* loop(const ir::Var* var, const Expr* begin, const Expr* end, ir::StmtList body,
                       std::int64_t step = 1, bool copy_end = false) {
    return build.stmt<ir::For>({}, var, begin, end, step, ir::ForKind::Serial, -1, copy_end, body);
  }
  ir::StmtList stmts(std::initializer_list<const ir::Stmt*> items) { return arena.copy(items); }
  void add(std::initializer_list<const ir::Stmt*> items) {
    statements.insert(statements.end(), items.begin(), items.end());
  }

  CudaText emit(const CudaOptions& options = {}) {
    ir::Kernel kernel{.name = title};
    kernel.params = arena.copy(params);
    kernel.symbols = arena.copy(symbols);
    kernel.body = arena.copy(statements);
    kernel.launch.block[0] = build.int_imm(kInt64, 256);
    const ir::Kernel* kernels[] = {&kernel};
    CudaText text = emit_cuda(kernels, options, nullptr);
    keep(text.text);
    return text;
  }
  // The lines between the signature and the last brace, without the first level of indentation.
  std::string body_text(const CudaOptions& options = {}) {
    std::string text = emit(options).text;
    std::size_t begin = text.find(") {\n", text.find("extern")) + 4;
    std::string lines = text.substr(begin, text.rfind('}') - begin);
    std::string result;
    for (std::size_t at = 0; at < lines.size();) {
      std::size_t end = lines.find('\n', at) + 1;
      std::size_t skip = lines.compare(at, 2, "  ") == 0 ? 2 : 0;
      result += lines.substr(at + skip, end - at - skip);
      at = end;
    }
    return result;
  }

  Arena arena;
  ir::Builder build{arena};
  std::string_view title = "test";
  std::vector<ir::Param> params;
  std::vector<const ir::Var*> symbols;
  std::vector<const ir::Stmt*> statements;

 private:
  static void keep(const std::string& text) {
    static int count = 0;
    const char* folder = std::getenv("TIRXCC_CUDA_TEXTS");
    if (folder != nullptr)
      std::ofstream(std::string(folder) + "/" + std::to_string(count++) + ".cu") << text;
  }
};

}  // namespace tirxcc::codegen_cuda
