// SPDX-License-Identifier: Apache-2.0
//
// See block_arrays.h.
#include "passes/block_arrays.h"

#include "ir/warp.h"

namespace tirxcc::passes {

using ir::BinaryOp;
using ir::Expr;
using ir::kWarpSize;

constexpr std::int64_t kMostThreads = 1024;

BlockArrays::BlockArrays(Arena& arena, const ir::Kernel& kernel)
    : arena_(arena), build_(arena), launch_(kernel.launch), kernel_span_(kernel.span) {
  const std::int64_t known = kernel.launch.static_threads();
  most_threads_ = known > 0 ? known : kMostThreads;
}

const Expr* BlockArrays::thread(ir::Span span) const {
  const Expr* linear = nullptr;
  for (int axis = 2; axis >= 0; --axis) {
    const bool is_single =
        launch_.block[axis] == nullptr || ir::is_int_value(launch_.block[axis], 1);
    if (linear != nullptr) {
      const ir::IntImm* size =
          launch_.block[axis] != nullptr ? ir::as_int(launch_.block[axis]) : nullptr;
      const Expr* extent = size != nullptr
                               ? build_.int_imm(kInt32, size->value, span)
                               : build_.launch_index(ir::LaunchIndexKind::BlockDim, axis, span);
      if (!is_single) linear = build_.fold_binary(BinaryOp::Mul, linear, extent, span);
    }
    if (is_single) continue;
    const Expr* index = build_.launch_index(ir::LaunchIndexKind::ThreadIdx, axis, span);
    linear = linear == nullptr ? index : build_.fold_binary(BinaryOp::Add, linear, index, span);
  }
  return linear != nullptr ? linear : build_.int_imm(kInt32, 0, span);
}

const Expr* BlockArrays::thread_count(ir::Span span) const {
  if (const std::int64_t known = launch_.static_threads(); known > 0) {
    return build_.int_imm(kInt32, known, span);
  }
  const Expr* count = build_.int_imm(kInt32, 1, span);
  for (int axis = 0; axis < 3; ++axis) {
    const ir::IntImm* size =
        launch_.block[axis] != nullptr ? ir::as_int(launch_.block[axis]) : nullptr;
    const Expr* extent = launch_.block[axis] == nullptr ? build_.int_imm(kInt32, 1, span)
                         : size != nullptr
                             ? build_.int_imm(kInt32, size->value, span)
                             : build_.launch_index(ir::LaunchIndexKind::BlockDim, axis, span);
    count = build_.fold_binary(BinaryOp::Mul, count, extent, span);
  }
  return count;
}

bool BlockArrays::has_whole_warps() const {
  const ir::IntImm* size = launch_.block[0] != nullptr ? ir::as_int(launch_.block[0]) : nullptr;
  return launch_.static_threads() > 0 && size != nullptr && size->value % kWarpSize == 0;
}

const Expr* BlockArrays::lane(ir::Span span) const {
  return build_.fold_binary(BinaryOp::BitAnd, thread(span),
                            build_.int_imm(kInt32, kWarpSize - 1, span), span);
}

const Expr* BlockArrays::warp(ir::Span span) const {
  return build_.fold_binary(BinaryOp::ShiftRight, thread(span), build_.int_imm(kInt32, 5, span),
                            span);
}

const ir::Tensor* BlockArrays::make_per_lane(const std::string& name, DType type, ir::Span span,
                                             std::int64_t width) {
  if (!has_whole_warps()) return make_per_thread(name, type, span);
  const ir::Tensor* made = make(name, type, span, {most_threads_ / kWarpSize, width});
  warp_rows_.push_back(made);
  return made;
}

const ir::Tensor* BlockArrays::without_rows(const ir::Tensor* array) {
  const ir::Tensor* made = make(std::string(array->name), array->dtype, array->span,
                                {ir::as_int(array->shape[1])->value});
  const ir::Stmt* alloc = allocations_.back();
  allocations_.pop_back();
  for (const ir::Stmt*& old : allocations_) {
    if (ir::as<ir::Alloc>(old)->tensor == array) old = alloc;
  }
  return made;
}

ir::ExprList BlockArrays::lane_indices(const Expr* place, ir::Span span) const {
  if (!has_whole_warps()) return arena_.copy({place});
  return arena_.copy({warp(span), place});
}

const Expr* BlockArrays::lane_element(const ir::Tensor* array, const Expr* place,
                                      ir::Span span) const {
  return build_.load(array, lane_indices(place, span), span);
}

const ir::Stmt* BlockArrays::set_lane(const ir::Tensor* array, const Expr* place, const Expr* value,
                                      ir::Span span) const {
  return build_.stmt<ir::Store>(span, array, lane_indices(place, span), value);
}

const ir::Tensor* BlockArrays::make(const std::string& name, DType type, ir::Span span,
                                    std::vector<std::int64_t> shape) {
  std::vector<const Expr*> extents;
  for (const std::int64_t extent : shape)
    extents.push_back(build_.int_imm(kInt32, extent, span));
  ir::Tensor tensor;
  tensor.name = arena_.copy_string(name);
  tensor.dtype = type;
  tensor.shape = arena_.copy(extents);
  tensor.scope = ir::Scope::Shared;
  tensor.span = span;
  tensor.align = 64;
  const auto* made = arena_.make<ir::Tensor>(tensor);
  allocations_.push_back(build_.stmt<ir::Alloc>(span, made));
  return made;
}

const Expr* BlockArrays::element(const ir::Tensor* array, const Expr* index, ir::Span span) const {
  return build_.load(array, arena_.copy({index}), span);
}

const ir::Stmt* BlockArrays::set(const ir::Tensor* array, const Expr* index, const Expr* value,
                                 ir::Span span) const {
  return build_.stmt<ir::Store>(span, array, ir::ExprList(arena_.copy({index})), value);
}

const ir::Stmt* BlockArrays::loop(
    const char* name, const Expr* end, ir::Span span,
    const std::function<std::vector<const ir::Stmt*>(const Expr*)>& body) {
  const auto* var = arena_.make<ir::Var>(name, kInt32, span, ir::VarKind::Loop);
  ir::For loop{{ir::StmtKind::For, span}};
  loop.var = var;
  loop.begin = build_.int_imm(kInt32, 0, span);
  loop.end = end;
  loop.body = arena_.copy(body(build_.var(var, span)));
  return arena_.make<ir::For>(loop);
}

const ir::Local* BlockArrays::local(const std::string& name, DType type, ir::Span span) const {
  return arena_.make<ir::Local>(arena_.copy_string(name), type, span);
}

}  // namespace tirxcc::passes
