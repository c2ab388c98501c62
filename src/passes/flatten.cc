// SPDX-License-Identifier: Apache-2.0
#include "passes/flatten.h"

#include <algorithm>
#include <vector>

#include "ir/constant.h"
#include "ir/ranged_rewriter.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
namespace {

using namespace ir;

// A literal this small may stand alone in a flat sum (see kMostElements32).
constexpr int128 kSmallLiteral = 4096;

bool is_small_literal(const Expr* expr) {
  const IntImm* literal = as_int(expr);
  return literal != nullptr && int_value(*literal) >= -kSmallLiteral &&
         int_value(*literal) <= kSmallLiteral;
}

// A run-time value of 64 bits; a literal takes any width it fits.
bool is_wide(const Expr* expr) {
  if (const IntImm* literal = as_int(expr)) return !kInt32.can_hold(int_value(*literal));
  return expr->dtype.bits == 64;
}

bool has_many_elements(const Tensor& tensor) {
  int128 elements = 1;
  for (const Expr* extent : tensor.shape) {
    const IntImm* literal = as_int(extent);
    if (literal == nullptr) return false;
    elements *= std::max<std::int64_t>(literal->value, 1);
    if (elements > kMostElements32) return true;
  }
  return false;
}

// Ranges decide how sums in the indices of several dimensions are added up (see add_parts).
bool asks_for_ranges(const Kernel& kernel) {
  bool found = false;
  const auto look = [&](ExprList indices) {
    if (indices.size() < 2) return;
    for (const Expr* index : indices) {
      found = found || any_expr(*index, [](const Expr& expr) {
                const auto* sum = as<Binary>(&expr);
                return sum != nullptr && sum->op == BinaryOp::Add && !is_small_literal(sum->b);
              });
    }
  };
  walk_stmts(kernel.body, [&](const Stmt& stmt) {
    if (const auto* store = as<Store>(&stmt)) look(store->indices);
    for_each_operand(stmt, [&](const Expr& root) {
      walk_exprs(root, [&](const Expr& expr) {
        if (const auto* load = as<Load>(&expr)) look(load->indices);
        if (const auto* address = as<AddressOf>(&expr)) look(address->indices);
      });
    });
  });
  return found;
}

// Without one, all offsets are indices as they stand.
bool has_several_dimensions(const Kernel& kernel) {
  bool found = std::any_of(kernel.params.begin(), kernel.params.end(), [](const Param& param) {
    return param.tensor != nullptr && param.tensor->shape.size() > 1;
  });
  walk_stmts(kernel.body, [&](const Stmt& stmt) {
    const auto* alloc = as<Alloc>(&stmt);
    found = found || (alloc != nullptr && alloc->tensor->shape.size() > 1);
  });
  return found;
}

class Flattening : public RangedRewriter<Flattening> {
 public:
  Flattening(const Kernel& kernel, PassContext& context)
      : RangedRewriter(context.arena, kernel, !context.options.big_grid,
                       has_several_dimensions(kernel) && asks_for_ranges(kernel)),
        index64_(context.options.index64) {}
  using RangedRewriter::on_expr;
  using RangedRewriter::on_stmt;

  const Expr* on_expr(const Load& node) { return flat_access(node); }
  const Expr* on_expr(const AddressOf& node) { return flat_access(node); }
  void on_stmt(const Store& node) {
    if (node.is_flat) return emit(rebuild(node));
    Store copy = node;
    copy.indices = arena().copy({offset(*node.tensor, node.indices, node.span)});
    copy.value = rewrite(node.value);
    copy.is_flat = true;
    emit(arena().make<Store>(copy));
  }

  // Offsets were put together with extents, strides or a start, in which symbols may be.
  bool has_added_up() const { return has_added_up_; }

 private:
  template <typename T>
  const Expr* flat_access(const T& node) {
    if (node.is_flat) return rebuild(node);
    T copy = node;
    copy.indices = arena().copy({offset(*node.tensor, node.indices, node.span)});
    copy.is_flat = true;
    return arena().make<T>(copy);
  }

  const Expr* offset(const Tensor& tensor, ExprList indices, Span span) {
    if (indices.empty()) return build().int_imm(kInt32, 0, span);
    const Expr* start = tensor.scope == Scope::SharedDyn ? nullptr : tensor.elem_offset;
    if (indices.size() == 1 && tensor.strides.empty() && start == nullptr) {
      return rewrite(indices[0]);
    }
    has_added_up_ = true;
    DType width = offset_type(tensor, indices);
    const Expr* sum = nullptr;
    for (std::size_t dim = 0; dim < indices.size(); ++dim) {
      const Expr* index = widened(width, rewrite(indices[dim]), span);
      const Expr* term = scaled(tensor, dim, index, width, span);
      sum = term == index ? add_parts(sum, index, indices[dim], span) : add(sum, term, span);
    }
    if (start != nullptr) sum = add(sum, widened(width, start, span), span);
    return sum != nullptr ? sum : build().int_imm(width, 0, span);
  }

  DType offset_type(const Tensor& tensor, ExprList indices) const {
    bool wide = index64_ || has_many_elements(tensor);
    wide = wide || std::any_of(indices.begin(), indices.end(), is_wide);
    ExprList factors = tensor.strides.empty() ? tensor.shape.subspan(1) : tensor.strides;
    wide = wide || std::any_of(factors.begin(), factors.end(), is_wide);
    wide = wide || (tensor.elem_offset != nullptr && is_wide(tensor.elem_offset));
    return wide ? kInt64 : kInt32;
  }

  const Expr* widened(DType width, const Expr* expr, Span span) {
    return build().fold_cast(width, expr, span);
  }

  // The index times the stride of its dimension, factor by factor in the order of the shape.
  const Expr* scaled(const Tensor& tensor, std::size_t dim, const Expr* index, DType width,
                     Span span) {
    if (!tensor.strides.empty()) {
      return multiply(index, widened(width, tensor.strides[dim], span), span);
    }
    // Literals side by side are one factor.
    const Expr* last = nullptr;
    for (const Expr* extent : tensor.shape.subspan(dim + 1)) {
      const Expr* factor = widened(width, extent, span);
      if (last != nullptr && as_int(factor) != nullptr && as_int(last) != nullptr) {
        last = multiply(last, factor, span);
        continue;
      }
      if (last != nullptr) index = multiply(index, last, span);
      last = factor;
    }
    return last != nullptr ? multiply(index, last, span) : index;
  }

  const Expr* multiply(const Expr* a, const Expr* b, Span span) {
    return build().fold_binary(BinaryOp::Mul, a, b, span);
  }
  const Expr* add(const Expr* sum, const Expr* term, Span span) {
    if (is_int_value(term, 0)) return sum;
    return sum == nullptr ? term : build().fold_binary(BinaryOp::Add, sum, term, span);
  }

  bool is_non_negative(const Expr* expr) const {
    if (const IntImm* literal = as_int(expr)) return int_value(*literal) >= 0;
    return ranges().is_non_negative(expr);
  }

  // Adds `y + 1` as two terms, where no partial sum can leave the type although the whole does not:
  // with offset >= 0, `sum + y` is `offset - 1`; a part that is not negative, or small, is safe.
  // `source` is the index before rewriting, for which ranges are known.
  const Expr* add_parts(const Expr* sum, const Expr* index, const Expr* source, Span span) {
    if (sum == nullptr) return is_int_value(index, 0) ? nullptr : index;
    const auto* node = as<Binary>(index);
    const auto* origin = as<Binary>(source);
    if (node == nullptr || origin == nullptr || node->op != origin->op)
      return add(sum, index, span);
    bool is_add =
        node->op == BinaryOp::Add && (is_small_literal(node->b) || is_non_negative(origin->b));
    bool is_sub = node->op == BinaryOp::Sub && is_small_literal(node->b);
    if (!is_add && !is_sub) return add(sum, index, span);
    const Expr* first = add_parts(sum, node->a, origin->a, span);
    if (is_sub) return build().fold_binary(BinaryOp::Sub, first, node->b, span);
    return add_parts(first, node->b, origin->b, span);
  }

  bool index64_;
  bool has_added_up_ = false;
};

// Symbols of the kernel with those that the body uses now added, in order of first place in the
// signature.
std::span<const Var* const> used_symbols(Arena& arena, const Kernel& kernel, StmtList body) {
  std::vector<const Var*> used;
  auto note = [](std::vector<const Var*>& list, const Expr& expr) {
    const auto* ref = as<VarRef>(&expr);
    if (ref == nullptr || ref->var->kind != VarKind::Symbol) return;
    if (std::find(list.begin(), list.end(), ref->var) == list.end()) list.push_back(ref->var);
  };
  walk_exprs(body, [&](const Expr& expr) { note(used, expr); });
  std::vector<const Var*> missing;
  for (const Var* var : used) {
    if (std::count(kernel.symbols.begin(), kernel.symbols.end(), var) == 0) missing.push_back(var);
  }
  if (missing.empty()) return kernel.symbols;

  std::vector<const Var*> order;
  for (const Param& param : kernel.params) {
    if (param.tensor == nullptr) continue;
    auto visit_all = [&](const Expr* root) {
      if (root != nullptr) walk_exprs(*root, [&](const Expr& expr) { note(order, expr); });
    };
    for (const Expr* extent : param.tensor->shape)
      visit_all(extent);
    for (const Expr* stride : param.tensor->strides)
      visit_all(stride);
    visit_all(param.tensor->elem_offset);
  }
  std::vector<const Var*> symbols(kernel.symbols.begin(), kernel.symbols.end());
  symbols.insert(symbols.end(), missing.begin(), missing.end());
  auto place = [&](const Var* var) { return std::find(order.begin(), order.end(), var); };
  std::stable_sort(symbols.begin(), symbols.end(),
                   [&](const Var* a, const Var* b) { return place(a) < place(b); });
  return arena.copy(symbols);
}

}  // namespace

const ir::Kernel& flatten(const ir::Kernel& kernel, PassContext& context) {
  Flattening flattening(kernel, context);
  StmtList body = flattening.rewrite(kernel.body);
  const Kernel& flat = with_body(context.arena, kernel, body);
  if (!flattening.has_added_up()) return flat;
  std::span<const Var* const> symbols = used_symbols(context.arena, kernel, body);
  if (symbols.data() == kernel.symbols.data()) return flat;
  Kernel copy = flat;
  copy.symbols = symbols;
  return *context.arena.make<Kernel>(copy);
}

}  // namespace tirxcc::passes
