// SPDX-License-Identifier: Apache-2.0
#include "passes/lower_division.h"

#include <bit>

#include "ir/constant.h"
#include "ir/ranged_rewriter.h"
#include "ir/traverse.h"

namespace tirxcc::passes {
namespace {

using namespace ir;

class DivisionLowering : public RangedRewriter<DivisionLowering> {
 public:
  using RangedRewriter::on_expr;
  using RangedRewriter::RangedRewriter;

  const Expr* on_expr(const Binary& node) {
    const Binary* rebuilt = rebuild_binary(node);
    bool is_division = node.op == BinaryOp::FloorDiv || node.op == BinaryOp::FloorMod;
    if (!is_division || !node.dtype.is_int()) return rebuilt;
    if (const IntImm* divisor = as_int(node.b)) {
      auto value = static_cast<std::uint64_t>(int_value(*divisor));
      if (int_value(*divisor) > 0 && std::has_single_bit(value)) return by_power(*rebuilt, value);
    }
    // Rounding down and toward zero agree when no side is negative.
    bool agree = node.dtype.is_unsigned_int() ||
                 (ranges().is_non_negative(node.a) && ranges().is_non_negative(node.b));
    if (!agree) return rebuilt;
    BinaryOp op = node.op == BinaryOp::FloorDiv ? BinaryOp::TruncDiv : BinaryOp::TruncMod;
    return build().fold_binary(op, rebuilt->a, rebuilt->b, node.span);
  }

 private:
  const Expr* by_power(const Binary& node, std::uint64_t divisor) {
    if (node.op == BinaryOp::FloorMod) {
      const Expr* mask =
          build().int_imm(node.dtype, static_cast<std::int64_t>(divisor - 1), node.b->span);
      return build().fold_binary(BinaryOp::BitAnd, node.a, mask, node.span);
    }
    const Expr* amount = build().int_imm(kInt32, std::countr_zero(divisor), node.b->span);
    return build().fold_binary(BinaryOp::ShiftRight, node.a, amount, node.span);
  }
};

bool divides(const Kernel& kernel) {
  bool found = false;
  walk_exprs(kernel.body, [&](const Expr& expr) {
    const auto* node = as<Binary>(&expr);
    found |= node != nullptr && (node->op == BinaryOp::FloorDiv || node->op == BinaryOp::FloorMod);
  });
  return found;
}

}  // namespace

const ir::Kernel& lower_division(const ir::Kernel& kernel, PassContext& context) {
  // Most kernels divide nothing, and knowing ranges costs more than looking.
  if (!divides(kernel)) return kernel;
  DivisionLowering lowering(context.arena, kernel, !context.options.big_grid);
  return with_body(context.arena, kernel, lowering.rewrite(kernel.body));
}

}  // namespace tirxcc::passes
