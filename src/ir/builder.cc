// SPDX-License-Identifier: Apache-2.0
//
// Making and folding nodes. Each fold_* first tries literals (constant.h has the arithmetic), then
// the few identities that hold for every value; nothing that has an effect is ever dropped, and
// float identities are left as written.
#include "ir/builder.h"

#include <bit>
#include <cmath>
#include <tuple>

#include "intrinsics/intrinsics.h"
#include "ir/constant.h"
#include "ir/traverse.h"

namespace tirxcc::ir {
namespace {

Expr head(ExprKind kind, DType type, Span span) {
  return Expr{kind, type, span};
}

// A call that may be dropped, repeated or moved: no effect, and nobody to arrive with.
bool is_pure_call(const Call& call, bool reads_allowed) {
  const intrinsics::Intrinsic& callee = *call.callee;
  if (callee.convergence != intrinsics::Convergence::Thread) return false;
  return callee.effect == intrinsics::Effect::Pure ||
         (reads_allowed && callee.effect == intrinsics::Effect::Reads);
}

// Two evaluations in a row give one value, and neither is missed.
bool is_repeatable(const Expr& expr) {
  return !any_expr(expr, [](const Expr& e) {
    const auto* call = as<Call>(&e);
    return call != nullptr && !is_pure_call(*call, false);
  });
}

bool is_all_ones(const IntImm* literal) {
  if (literal == nullptr) return false;
  if (literal->dtype.is_signed_int()) return literal->value == -1;
  return int_value(*literal) == literal->dtype.max_int();
}

bool is_bitwise(BinaryOp op) {
  return op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor || is_shift(op);
}

// `a op b` where one side is a literal that makes the operation trivial; null if none applies.
// `zero` makes the result when it is the literal 0.
template <typename MakeZero>
const Expr* fold_int_identity(BinaryOp op, const Expr* a, const Expr* b, MakeZero zero) {
  const IntImm* la = as_int(a);
  const IntImm* lb = as_int(b);
  bool a_is_0 = la != nullptr && la->value == 0;
  bool b_is_0 = lb != nullptr && lb->value == 0;
  bool b_is_1 = lb != nullptr && lb->value == 1 && b->dtype == a->dtype;
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
      if (b_is_0) return a;
      if (a_is_0) return b;
      if (op == BinaryOp::BitOr && is_all_ones(lb) && has_no_effect(a)) return b;
      if (op == BinaryOp::BitOr && is_all_ones(la) && has_no_effect(b)) return a;
      return nullptr;
    case BinaryOp::Sub:
      if (b_is_0) return a;
      return a->dtype.is_int() && equal(a, b) && is_repeatable(*a) ? zero() : nullptr;
    case BinaryOp::Mul:
      if (b_is_1) return a;
      if (la != nullptr && la->value == 1) return b;
      if ((b_is_0 && has_no_effect(a)) || (a_is_0 && has_no_effect(b))) return zero();
      return nullptr;
    case BinaryOp::FloorDiv:
    case BinaryOp::TruncDiv: return b_is_1 ? a : nullptr;
    case BinaryOp::FloorMod:
    case BinaryOp::TruncMod: return b_is_1 && has_no_effect(a) ? zero() : nullptr;
    case BinaryOp::BitAnd:
      if (is_all_ones(lb)) return a;
      if (is_all_ones(la)) return b;
      if ((b_is_0 && has_no_effect(a)) || (a_is_0 && has_no_effect(b))) return zero();
      return nullptr;
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight: return b_is_0 ? a : nullptr;
    case BinaryOp::And:
      if (a_is_0) return a;  // b is not evaluated
      if (la != nullptr) return b;
      if (lb != nullptr && !b_is_0) return a;
      return b_is_0 && has_no_effect(a) ? b : nullptr;
    case BinaryOp::Or:
      if (la != nullptr) return a_is_0 ? b : a;
      if (b_is_0) return a;
      return lb != nullptr && has_no_effect(a) ? b : nullptr;
    case BinaryOp::Div:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge: return nullptr;
  }
  return nullptr;
}

const FloatImm* as_float(const Expr* expr) {
  return as<FloatImm>(expr);
}

bool same_field(const Expr* a, const Expr* b) {
  return equal(a, b);
}
bool same_field(ExprList a, ExprList b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!equal(a[i], b[i])) return false;
  }
  return true;
}
bool same_field(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
template <typename T>
bool same_field(const T& a, const T& b) {
  return a == b;
}

}  // namespace

const Expr* Builder::int_imm(DType type, std::int64_t value, Span span, bool is_hex) const {
  return arena_->make<IntImm>(head(ExprKind::IntImm, type, span), value, is_hex);
}

const Expr* Builder::bool_imm(bool value, Span span) const {
  return int_imm(kBool, value ? 1 : 0, span);
}

const Expr* Builder::float_imm(DType type, double value, Span span) const {
  return arena_->make<FloatImm>(head(ExprKind::FloatImm, type, span), round_to(type, value));
}

const Expr* Builder::var(const Var* var, Span span) const {
  return arena_->make<VarRef>(head(ExprKind::VarRef, var->dtype, span), var);
}

const Expr* Builder::local(const Local* local, Span span) const {
  return arena_->make<LocalRead>(head(ExprKind::LocalRead, local->dtype, span), local);
}

const Expr* Builder::load(const Tensor* tensor, ExprList indices, Span span) const {
  return arena_->make<Load>(head(ExprKind::Load, tensor->dtype, span), tensor, indices);
}

const Expr* Builder::launch_index(LaunchIndexKind kind, int axis, Span span) const {
  return arena_->make<LaunchIndex>(head(ExprKind::LaunchIndex, kInt32, span), kind,
                                   static_cast<std::uint8_t>(axis));
}

const Expr* Builder::make_unary(UnaryOp op, const Expr* a, Span span) const {
  return arena_->make<Unary>(head(ExprKind::Unary, a->dtype, span), op, a);
}

const Expr* Builder::make_binary(BinaryOp op, const Expr* a, const Expr* b, Span span) const {
  DType type = is_comparison(op) || is_logical(op) ? kBool.with_lanes(a->dtype.lanes) : a->dtype;
  return arena_->make<Binary>(head(ExprKind::Binary, type, span), op, a, b);
}

const Expr* Builder::make_select(const Expr* c, const Expr* a, const Expr* b, Span span) const {
  return arena_->make<Select>(head(ExprKind::Select, a->dtype, span), c, a, b);
}

const Expr* Builder::make_cast(DType type, const Expr* a, Span span, bool is_bits) const {
  return arena_->make<Cast>(head(ExprKind::Cast, type, span), a, is_bits);
}

const Expr* Builder::make_call(const intrinsics::Intrinsic* callee, DType type, ExprList args,
                               Span span) const {
  return arena_->make<Call>(head(ExprKind::Call, type, span), callee, args);
}

const Expr* Builder::fold_unary(UnaryOp op, const Expr* a, Span span) const {
  if (const IntImm* literal = as_int(a)) {
    int128 value = int_value(*literal);
    int128 result = op == UnaryOp::Neg ? -value : op == UnaryOp::BitNot ? ~value : value == 0;
    if (a->dtype.is_bool() && op == UnaryOp::BitNot) result = value == 0;
    return int_imm(a->dtype, static_cast<std::int64_t>(wrap_int(a->dtype, result)), span,
                   literal->is_hex);
  }
  const FloatImm* literal = as_float(a);
  if (literal != nullptr && op == UnaryOp::Neg && !std::isnan(literal->value)) {
    return float_imm(a->dtype, -literal->value, span);
  }
  const auto* inner = as<Unary>(a);
  if (inner != nullptr && inner->op == op) return inner->a;  // - - x, ~ ~ x, not not x
  return make_unary(op, a, span);
}

const Expr* Builder::fold_binary(BinaryOp op, const Expr* a, const Expr* b, Span span) const {
  const IntImm* ia = as_int(a);
  const IntImm* ib = as_int(b);
  DType type = is_comparison(op) || is_logical(op) ? kBool : a->dtype;
  if (ia != nullptr && ib != nullptr) {
    std::optional<int128> value = fold_ints(op, a->dtype, int_value(*ia), int_value(*ib));
    if (value) {
      bool is_hex = is_bitwise(op) && (ia->is_hex || (ib->is_hex && !is_shift(op)));
      return int_imm(type, static_cast<std::int64_t>(*value), span, is_hex);
    }
    return make_binary(op, a, b, span);
  }
  const FloatImm* fa = as_float(a);
  const FloatImm* fb = as_float(b);
  if (fa != nullptr && fb != nullptr) {
    if (std::optional<bool> value = compare_floats(op, fa->value, fb->value)) {
      return bool_imm(*value, span);
    }
    std::optional<double> value = fold_floats(op, a->dtype, fa->value, fb->value);
    return value ? float_imm(type, *value, span) : make_binary(op, a, b, span);
  }
  if (a->dtype.is_int_or_bool() && a->dtype.is_scalar()) {
    auto zero = [&] { return int_imm(type, 0, span); };
    if (const Expr* simpler = fold_int_identity(op, a, b, zero)) return simpler;
  }
  return make_binary(op, a, b, span);
}

const Expr* Builder::fold_select(const Expr* c, const Expr* a, const Expr* b, Span span) const {
  if (const IntImm* literal = as_int(c)) return literal->value != 0 ? a : b;
  return make_select(c, a, b, span);
}

const Expr* Builder::fold_cast(DType type, const Expr* a, Span span) const {
  if (type == a->dtype) return a;
  if (!type.is_scalar() || !type.is_numeric()) return make_cast(type, a, span);
  if (const IntImm* literal = as_int(a)) {
    int128 value = int_value(*literal);
    if (type.is_float()) return float_imm(type, round_int_to(type, value), span);
    return int_imm(type, static_cast<std::int64_t>(wrap_int(type, value)), span, literal->is_hex);
  }
  if (const FloatImm* literal = as_float(a)) {
    if (type.is_float()) return float_imm(type, literal->value, span);
    return int_imm(type, static_cast<std::int64_t>(float_to_int(type, literal->value)), span);
  }
  return make_cast(type, a, span);
}

const IntImm* as_int(const Expr* expr) {
  return as<IntImm>(expr);
}

BinaryOp negated(BinaryOp op) {
  if (op == BinaryOp::Lt) return BinaryOp::Ge;
  if (op == BinaryOp::Le) return BinaryOp::Gt;
  if (op == BinaryOp::Gt) return BinaryOp::Le;
  if (op == BinaryOp::Ge) return BinaryOp::Lt;
  return op == BinaryOp::Eq ? BinaryOp::Ne : BinaryOp::Eq;
}

bool is_int_value(const Expr* expr, std::int64_t value) {
  const IntImm* literal = as_int(expr);
  return literal != nullptr && literal->value == value;
}

bool equal(const Expr* a, const Expr* b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->kind != b->kind || a->dtype != b->dtype) return false;
  // How a literal was spelled does not matter.
  if (const IntImm* literal = as_int(a)) return literal->value == as_int(b)->value;
  return visit(*a, [&](const auto& x) {
    using Node = std::remove_cvref_t<decltype(x)>;
    const auto& y = static_cast<const Node&>(*b);
    return std::apply([&](auto... fields) { return (same_field(x.*fields, y.*fields) && ...); },
                      Node::kFields);
  });
}

bool is_pure_value(const Expr* expr) {
  return !any_expr(*expr, [](const Expr& e) {
    if (is<Load>(&e) || is<VectorLoad>(&e) || is<LocalRead>(&e) || is<LaneRead>(&e)) return true;
    const auto* call = as<Call>(&e);
    return call != nullptr && !is_pure_call(*call, false);
  });
}

Pointee pointee_of(const Expr* pointer) {
  if (const auto* address = as<AddressOf>(pointer)) {
    return {address->tensor->dtype, address->tensor->scope};
  }
  if (const auto* ref = as<VarRef>(pointer)) return ref->var->pointee;
  return {};
}

bool has_no_effect(const Expr* expr) {
  return !any_expr(*expr, [](const Expr& e) {
    const auto* call = as<Call>(&e);
    return call != nullptr && !is_pure_call(*call, true);
  });
}

}  // namespace tirxcc::ir
