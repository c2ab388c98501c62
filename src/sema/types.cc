// SPDX-License-Identifier: Apache-2.0
#include "sema/types.h"

#include <algorithm>

#include "sema/expr_sema.h"

namespace tirxcc::sema {

std::optional<DType> promote(DType a, DType b) {
  if (a == b) return a;
  if (!a.is_numeric() || !b.is_numeric() || a.lanes != b.lanes) return std::nullopt;
  if (a.is_float() && b.is_float()) {
    if (a.bits != b.bits) return a.bits > b.bits ? a : b;
    return kFloat16.with_lanes(a.lanes);  // float16 with bfloat16
  }
  if (a.is_float() || b.is_bool()) return a;
  if (b.is_float() || a.is_bool()) return b;
  if (a.bits != b.bits) return a.bits > b.bits ? a : b;
  return a.is_unsigned_int() ? a : b;
}

DType natural_type(int128 value) {
  for (DType type : {kInt32, kInt64, kUInt64}) {
    if (type.can_hold(value)) return type;
  }
  return kError;
}

DType type_with_literal(DType typed, const Value& literal, NarrowOperand narrow) {
  if (literal.kind == ValueKind::Float) return typed.is_float64() ? typed : kFloat32;
  if (literal.kind == ValueKind::Bool || typed.is_float()) return typed;
  const int128 value = literal.int_value;
  const bool is_narrow = typed.is_bool() || typed.bits < 32;
  const bool adopts = !is_narrow || narrow == NarrowOperand::Keeps;
  if (adopts && typed.is_int() && typed.can_hold(value)) return typed;
  const DType own = natural_type(value);
  if (own.is_error()) return own;
  return promote(typed, own).value_or(kError);
}

}  // namespace tirxcc::sema
