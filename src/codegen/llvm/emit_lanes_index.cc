// SPDX-License-Identifier: Apache-2.0
//
// Indices in lanes are kept as a start and a step from lane to lane, as long as they have that
// form. It is found twice: form_of tells whether an expression has it, index_of makes it.
#include "codegen/llvm/emit.h"
#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::cpu_codegen {

using ir::BinaryOp;

Emitter::IndexForm Emitter::form_of(const ir::Expr& expr, int& budget) {
  constexpr IndexForm kUnknown;
  if (--budget < 0) return kUnknown;
  if (const auto* imm = ir::as<ir::IntImm>(&expr)) {
    return {.is_known = true, .is_aligned = imm->value % lanes_->width == 0};
  }
  if (const auto* ref = ir::as<ir::VarRef>(&expr)) {
    const auto found = vars_.find(ref->var);
    if (found == vars_.end()) return kUnknown;
    const Index& index = found->second.index;
    if (index.base != nullptr) {
      return {.is_known = true,
              .has_lanes = true,
              .is_flipped = index.flips != nullptr,
              .is_aligned = index.is_aligned,
              .stride = index.stride};
    }
    return {.is_known = !is_vector(found->second.value)};
  }
  if (const auto* read = ir::as<ir::LocalRead>(&expr)) {
    return {.is_known = !differing_.contains(read->local)};
  }
  if (const auto* binary = ir::as<ir::Binary>(&expr)) return form_of_binary(*binary, budget);
  const auto* cast = ir::as<ir::Cast>(&expr);
  if (cast != nullptr && !cast->is_bits && cast->dtype.is_int() && cast->a->dtype.is_int()) {
    IndexForm form = form_of(*cast->a, budget);
    const bool keeps = ranges_.of(*cast->a).fits(cast->dtype);
    if (form.has_lanes && !keeps) return kUnknown;
    form.is_aligned = form.is_aligned && keeps;
    return form;
  }
  if (const auto* load = ir::as<ir::Load>(&expr); load && lanes_->own.contains(load->tensor)) {
    return kUnknown;
  }
  bool is_same = true;
  ir::for_each_child(expr, [&](const ir::Expr& child) {
    const IndexForm form = form_of(child, budget);
    is_same = is_same && form.is_known && !form.has_lanes;
  });
  return {.is_known = is_same};
}

Emitter::IndexForm Emitter::form_of_binary(const ir::Binary& expr, int& budget) {
  constexpr IndexForm kUnknown;
  const IndexForm a = form_of(*expr.a, budget);
  const IndexForm b = form_of(*expr.b, budget);
  if (!a.is_known || !b.is_known) return kUnknown;
  IndexForm form{.is_known = true, .has_lanes = a.has_lanes || b.has_lanes};
  const bool is_linear =
      expr.op == BinaryOp::Add || expr.op == BinaryOp::Sub || expr.op == BinaryOp::Mul;
  const bool is_exact = is_linear && expr.dtype.is_int() && ranges_.cannot_wrap(expr) &&
                        ranges_.of(expr).high <= INT64_MAX &&
                        ranges_.of(*expr.a).high <= INT64_MAX &&
                        ranges_.of(*expr.b).high <= INT64_MAX;
  if (is_exact) {
    const bool is_product = expr.op == BinaryOp::Mul;
    form.is_aligned = is_product ? a.is_aligned || b.is_aligned : a.is_aligned && b.is_aligned;
  }
  if (!form.has_lanes) return form;
  const bool is_plain = !a.is_flipped && !b.is_flipped;
  const auto* imm = ir::as_int(expr.b);
  if (is_exact && expr.op == BinaryOp::Mul) {
    const ir::IntImm* factor = imm != nullptr ? imm : ir::as_int(expr.a);
    constexpr std::int64_t kMostFactor = std::int64_t{1} << 31;
    if (factor == nullptr || !is_plain || factor->value > kMostFactor ||
        factor->value < -kMostFactor) {
      return kUnknown;
    }
    form.stride = (a.stride + b.stride) * factor->value;
    return form;
  }
  if (is_exact) {
    if (!is_plain) {
      const bool is_moved = (expr.op == BinaryOp::Add && (!a.has_lanes || !b.has_lanes)) ||
                            (expr.op == BinaryOp::Sub && !b.has_lanes);
      if (!is_moved) return kUnknown;
      form.is_flipped = true;
      form.is_aligned = false;
    }
    form.stride = expr.op == BinaryOp::Add ? a.stride + b.stride : a.stride - b.stride;
    return form;
  }
  // The first of the lanes is a multiple of their number.
  const bool is_row = is_plain && a.has_lanes && a.is_aligned && a.stride == 1 && !b.has_lanes;
  if (!is_row) return kUnknown;
  const auto width = static_cast<std::int64_t>(lanes_->width);
  if (expr.op == BinaryOp::BitXor) {
    form.is_flipped = true;
    form.stride = 1;
    return form;
  }
  if (imm == nullptr) return kUnknown;
  if (expr.op == BinaryOp::BitAnd) {
    const std::int64_t low = imm->value & (width - 1);
    if (low != 0 && low != width - 1) return kUnknown;
    form.stride = low == 0 ? 0 : 1;
    form.is_aligned = true;
    return form;
  }
  const bool is_shift = expr.op == BinaryOp::ShiftRight && imm->value >= 0 &&
                        imm->value < expr.dtype.bits &&
                        (width >> std::min<std::int64_t>(imm->value, 62)) <= 1;
  return is_shift ? form : kUnknown;
}

// Whether the expression is made of what differs between lanes and is the same in all.
bool Emitter::is_even(const ir::Expr& expr) {
  int budget = kFormBudget;
  const IndexForm form = form_of(expr, budget);
  return form.is_known && form.has_lanes && form.stride == 0 && !form.is_flipped;
}

// Whether the expression may be a vector.
bool Emitter::differs(const ir::Expr& expr) const {
  return ir::any_expr(expr, [&](const ir::Expr& e) {
    if (const auto* ref = ir::as<ir::VarRef>(&e)) {
      const auto found = vars_.find(ref->var);
      return found != vars_.end() && is_vector(found->second.value);
    }
    if (const auto* read = ir::as<ir::LocalRead>(&e)) return differing_.contains(read->local);
    const auto* load = ir::as<ir::Load>(&e);
    return load != nullptr && lanes_->own.contains(load->tensor);
  });
}

Emitter::Index Emitter::index_of(const ir::Expr& expr) {
  int budget = kFormBudget;
  const IndexForm form = form_of(expr, budget);
  if (!form.is_known || !form.has_lanes) {
    llvm::Value* value = emit_wide(expr);
    Index index;
    (is_vector(value) ? index.vector : index.base) = value;
    index.is_aligned = form.is_aligned;
    return index;
  }
  if (const auto* ref = ir::as<ir::VarRef>(&expr)) return vars_.at(ref->var).index;
  if (const auto* cast = ir::as<ir::Cast>(&expr)) return index_of(*cast->a);
  Index index = index_of_binary(static_cast<const ir::Binary&>(expr));
  index.is_aligned = form.is_aligned;
  return index;
}

Emitter::Index Emitter::index_of_binary(const ir::Binary& expr) {
  const Index a = index_of(*expr.a);
  if (expr.op == BinaryOp::ShiftRight || expr.op == BinaryOp::BitAnd) {
    const auto constant = static_cast<std::uint64_t>(ir::as_int(expr.b)->value);
    Index index;
    if (expr.op == BinaryOp::BitAnd) {
      index.base = builder_.CreateAnd(a.base, constant);
      index.stride = (constant & (lanes_->width - 1)) == 0 ? 0 : 1;
    } else {
      index.base = builder_.CreateAShr(a.base, constant);
    }
    return index;
  }
  const Index b = index_of(*expr.b);
  if (expr.op == BinaryOp::BitXor) {
    Index index;
    index.base = wide_constant(0);
    index.stride = 1;
    index.start = a.base;
    index.flips = b.base;
    return index;
  }
  if (expr.op == BinaryOp::Add) return sum_of(a, b);
  if (expr.op == BinaryOp::Mul) {
    return ir::as_int(expr.b) != nullptr ? product_of(a, b.base) : product_of(b, a.base);
  }
  Index negated = b;
  negated.base = builder_.CreateNeg(b.base);
  negated.stride = -b.stride;
  return sum_of(a, negated);
}

Emitter::Index Emitter::sum_of(const Index& a, const Index& b) {
  if (a.vector != nullptr || b.vector != nullptr || (a.flips != nullptr && b.stride != 0) ||
      (b.flips != nullptr && a.stride != 0)) {
    return {.vector = builder_.CreateAdd(vector_of(a), vector_of(b))};
  }
  Index index = a.flips != nullptr ? a : b;
  index.base = builder_.CreateNSWAdd(a.base, b.base);
  index.stride = a.stride + b.stride;
  index.is_aligned = a.is_aligned && b.is_aligned;
  return index;
}

Emitter::Index Emitter::product_of(const Index& a, llvm::Value* factor) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(factor);
  if (known != nullptr && known->isOne()) return a;
  const bool is_linear =
      a.vector == nullptr && a.flips == nullptr && (a.stride == 0 || known != nullptr);
  if (!is_linear) return {.vector = builder_.CreateMul(vector_of(a), spread(factor))};
  Index index;
  index.base = builder_.CreateNSWMul(a.base, factor);
  index.stride = a.stride == 0 ? 0 : a.stride * known->getSExtValue();
  return index;
}

llvm::Value* Emitter::vector_of(const Index& index) {
  if (index.vector != nullptr) return index.vector;
  llvm::Type* wide = builder_.getInt64Ty();
  if (index.flips != nullptr) {
    llvm::Value* row = builder_.CreateAdd(spread(index.start), steps(wide, 1));
    return builder_.CreateAdd(spread(index.base), builder_.CreateXor(row, spread(index.flips)));
  }
  if (index.stride == 0) return spread(index.base);
  return builder_.CreateAdd(spread(index.base), steps(wide, index.stride));
}

// In the type itself: a scalar if it is the same in all lanes.
llvm::Value* Emitter::value_of(const Index& index, DType type) {
  llvm::Type* scalar = type_of(type);
  if (index.vector != nullptr)
    return builder_.CreateTrunc(index.vector, like(scalar, index.vector));
  const auto narrow = [&](llvm::Value* value) { return builder_.CreateTrunc(value, scalar); };
  if (index.flips != nullptr) {
    llvm::Value* row = builder_.CreateAdd(spread(narrow(index.start)), steps(scalar, 1));
    llvm::Value* flipped = builder_.CreateXor(row, spread(narrow(index.flips)));
    return builder_.CreateAdd(spread(narrow(index.base)), flipped);
  }
  if (index.stride == 0) return narrow(index.base);
  return builder_.CreateAdd(spread(narrow(index.base)), steps(scalar, index.stride));
}

// As emit_offset; of an own array, with the lane.
Emitter::Index Emitter::lane_offset(const ir::Tensor& tensor, ir::ExprList indices, bool is_flat) {
  Index offset = {.base = wide_constant(0)};
  const auto scalar = [&](const ir::Expr& expr) {
    const Index index = index_of(expr);
    return index.vector == nullptr && index.stride == 0 ? index.base : nullptr;
  };
  for (std::size_t i = 0; i < indices.size(); ++i) {
    Index index = index_of(*indices[i]);
    const bool is_row_major = tensor.strides.empty() || is_flat;
    const ir::Expr* factor =
        is_row_major ? tensor.shape.empty() ? nullptr : tensor.shape[i] : tensor.strides[i];
    if (is_row_major && i > 0) {
      llvm::Value* size = scalar(*factor);
      offset = size != nullptr ? product_of(offset, size)
                               : Index{.vector = builder_.CreateMul(vector_of(offset),
                                                                    vector_of(index_of(*factor)))};
    } else if (!is_row_major) {
      llvm::Value* stride = scalar(*factor);
      index =
          stride != nullptr
              ? product_of(index, stride)
              : Index{.vector = builder_.CreateMul(vector_of(index), vector_of(index_of(*factor)))};
    }
    const bool is_zero = offset.vector == nullptr && offset.flips == nullptr &&
                         offset.stride == 0 && llvm::isa<llvm::ConstantInt>(offset.base) &&
                         llvm::cast<llvm::ConstantInt>(offset.base)->isZero();
    offset = is_zero ? index : sum_of(offset, index);
  }
  const bool has_offset = tensor.elem_offset != nullptr && tensor.scope != ir::Scope::SharedDyn;
  if (!is_flat && has_offset) offset = sum_of(offset, index_of(*tensor.elem_offset));
  if (!lanes_->own.contains(&tensor)) return offset;
  if (offset.vector == nullptr && offset.flips == nullptr && offset.stride == 0) {
    return {.base = builder_.CreateNSWMul(offset.base, wide_constant(lanes_->width)), .stride = 1};
  }
  llvm::Value* rows = builder_.CreateMul(vector_of(offset), spread(wide_constant(lanes_->width)));
  return {.vector = builder_.CreateAdd(rows, steps(builder_.getInt64Ty(), 1))};
}

}  // namespace tirxcc::cpu_codegen
