// SPDX-License-Identifier: Apache-2.0
//
// C++'s conversion rules ([conv.prom], [expr.arith.conv]) applied to casts. See conversions.h.
#include "codegen/cuda/conversions.h"

#include <algorithm>

namespace tirxcc::codegen_cuda {

namespace {

bool is_c_arithmetic(DType type) {
  return type.is_int_or_bool() || type.is_float32() || type.is_float64();
}

// A truncating or extending chain of integers: what the inner value must still fulfil.
Need after_int_conversion(DType from, DType to) {
  bool is_cut = !from.is_bool() && from.bits >= to.bits;
  return {is_cut ? Need::Kind::LowBits : Need::Kind::Value, to};
}

bool take_off_for_convert(DType from, DType to, Need& need) {
  if (to != need.type || !is_implicit(from, to)) return false;
  need = from.is_int_or_bool() && to.is_int() ? after_int_conversion(from, to)
                                              : Need{Need::Kind::Value, to};
  return true;
}

bool take_off_for_low_bits(DType from, DType to, Need& need) {
  if (!from.is_int_or_bool() || !to.is_int()) return false;
  if (to.bits >= need.type.bits) {
    bool is_cut = !from.is_bool() && from.bits >= need.type.bits;
    if (!is_cut) need.kind = Need::Kind::Value;
    return true;
  }
  if (!is_value_preserving(from, to)) return false;
  need.kind = Need::Kind::Value;
  return true;
}

bool is_condition_cast(DType from, DType to, Need& need) {
  if (!to.is_bool() || !from.is_int()) return false;
  need = {Need::Kind::Value, from};
  return true;
}

// Whether the place performs a conversion `from` -> `to` itself.
bool take_off(DType from, DType to, Need& need) {
  switch (need.kind) {
    case Need::Kind::Exact: return false;
    case Need::Kind::Promoted:
      return from.is_int_or_bool() && is_value_preserving(from, to) &&
             promoted(from) == promoted(need.type);
    case Need::Kind::Operand:
      return is_implicit(from, to) && usual_type(from, need.type) == need.type &&
             (to == need.type || is_value_preserving(from, to));
    case Need::Kind::Convert: return take_off_for_convert(from, to, need);
    case Need::Kind::LowBits: return take_off_for_low_bits(from, to, need);
    case Need::Kind::Value: return is_implicit(from, to) && is_value_preserving(from, to);
    case Need::Kind::Unused: return false;
    case Need::Kind::Condition: return is_condition_cast(from, to, need);
  }
  return false;
}

// A cast that the other operand could perform.
bool can_be_widened(const ir::Expr& expr, DType type) {
  const auto* cast = ir::as<ir::Cast>(&expr);
  return cast != nullptr && !cast->is_bits && is_implicit(cast->a->dtype, type) &&
         usual_type(cast->a->dtype, type) == type;
}

bool fits_int(const ir::Expr& expr) {
  const auto* literal = ir::as<ir::IntImm>(&expr);
  return literal != nullptr && kInt32.can_hold(literal->value);
}

}  // namespace

DType promoted(DType type) {
  return type.is_bool() || (type.is_int() && type.bits < 32) ? kInt32 : type;
}

DType usual_type(DType a, DType b) {
  if (a.is_float64() || b.is_float64()) return kFloat64;
  if (a.is_float32() || b.is_float32()) return kFloat32;
  DType x = promoted(a);
  DType y = promoted(b);
  if (x.code == y.code) return x.bits >= y.bits ? x : y;
  DType is_unsigned = x.is_unsigned_int() ? x : y;
  DType is_signed = x.is_unsigned_int() ? y : x;
  return is_unsigned.bits >= is_signed.bits ? is_unsigned : is_signed;
}

bool is_value_preserving(DType from, DType to) {
  if (from == to) return true;
  if (to.is_bool() || !is_c_arithmetic(from) || !is_c_arithmetic(to)) return false;
  if (from.is_float()) return to.is_float64();
  if (to.is_float()) {
    int digits = from.is_bool() ? 1 : from.is_signed_int() ? from.bits - 1 : from.bits;
    return digits <= (to.is_float64() ? 53 : 24);
  }
  return from.min_int() >= to.min_int() && from.max_int() <= to.max_int();
}

bool is_implicit(DType from, DType to) {
  return is_c_arithmetic(from) && is_c_arithmetic(to) && !to.is_bool() &&
         !(from.is_float() && to.is_int());
}

const ir::Expr* peel(const ir::Expr* expr, Need& need) {
  while (const auto* cast = ir::as<ir::Cast>(expr)) {
    if (cast->is_bits || !take_off(cast->a->dtype, cast->dtype, need)) break;
    expr = cast->a;
  }
  return expr;
}

Need need_below_cast(const ir::Cast& cast) {
  Need need{Need::Kind::Convert, cast.dtype};
  if (!take_off(cast.a->dtype, cast.dtype, need)) need = {Need::Kind::Exact, cast.a->dtype};
  return need;
}

bool is_bare_literal(const ir::Expr& expr, Need need, bool in_index) {
  bool is_widened = need.kind == Need::Kind::Operand || need.kind == Need::Kind::Value;
  return in_index && is_widened && expr.dtype == kInt64 && fits_int(expr);
}

OperandNeeds operand_needs(const ir::Expr& a, const ir::Expr& b, DType type, bool in_index) {
  Need operand{Need::Kind::Operand, type};
  Need exact{Need::Kind::Exact, type};
  if (!is_c_arithmetic(type)) return {exact, exact};
  if (promoted(type) != type) return {{Need::Kind::Value, type}, {Need::Kind::Value, type}};
  if (type == kInt32) return {operand, operand};
  auto carries_type = [&](const ir::Expr& x) {
    return !can_be_widened(x, type) && !is_bare_literal(x, operand, in_index);
  };
  if (carries_type(b)) return {operand, operand};
  return {exact, carries_type(a) || can_be_widened(a, type) ? operand : exact};
}

}  // namespace tirxcc::codegen_cuda
