// SPDX-License-Identifier: Apache-2.0
//
// Casts that do print. Between C's own types they are `(T)x`; to bool they are a comparison; halves
// have functions; a float becomes an integer by a cast where the hardware saturates as the language
// wants (language rule 19), else by a helper.
#include "codegen/cuda/expr.h"

#include "codegen/cuda/types.h"

namespace tirxcc::codegen_cuda {

namespace {

// The function that reinterprets bits, or "" where a plain cast does it (integers of one width).
std::string_view bits_function(DType from, DType to) {
  if (to.is_float32()) return from.is_unsigned_int() ? "__uint_as_float" : "__int_as_float";
  if (from.is_float32()) return to.is_unsigned_int() ? "__float_as_uint" : "__float_as_int";
  if (to.is_float64()) return "__longlong_as_double";
  if (from.is_float64()) return "__double_as_longlong";
  if (to.is_float16()) return from.is_signed_int() ? "__short_as_half" : "__ushort_as_half";
  if (to.is_bfloat16())
    return from.is_signed_int() ? "__short_as_bfloat16" : "__ushort_as_bfloat16";
  if (from.is_float16()) return to.is_signed_int() ? "__half_as_short" : "__half_as_ushort";
  if (from.is_bfloat16())
    return to.is_signed_int() ? "__bfloat16_as_short" : "__bfloat16_as_ushort";
  return "";
}

// The conversion of an integer to bfloat16 that rounds once; by way of float it would round twice.
// Half needs none: integers that float32 rounds are beyond its range anyway.
std::string_view int_to_bfloat16(DType from) {
  if (from.bits < 32) return "";
  if (from.bits == 32) return from.is_signed_int() ? "__int2bfloat16_rn" : "__uint2bfloat16_rn";
  return from.is_signed_int() ? "__ll2bfloat16_rn" : "__ull2bfloat16_rn";
}

}  // namespace

void ExprPrinter::on(const ir::Cast& e, Need, Prec least, bool) {
  DType from = e.a->dtype;
  DType to = e.dtype;
  if (e.is_bits) {
    cast_bits(e);
  } else if (to.is_bool()) {
    cast_to_bool(e, least);
  } else if (to.is_half_like()) {
    cast_to_half(e);
  } else if (from.is_float() && to.is_int()) {
    cast_float_to_int(e);
  } else if (from.is_half_like()) {
    if (to.is_float64()) out_ += "(double)";
    as_float(*e.a, to.is_float64() ? Prec::Unary : least);
  } else {
    bool paren = open_if(least > Prec::Unary);
    out_.append("(").append(c_type(to)).append(")");
    print(*e.a, need_below_cast(e), Prec::Unary);
    close_if(paren);
  }
}

void ExprPrinter::cast_bits(const ir::Cast& e) {
  DType from = e.a->dtype;
  DType to = e.dtype;
  std::string_view name = bits_function(from, to);
  bool is_half_pair = from.is_half_like() && to.is_half_like() && from != to;
  if (name.empty()) {
    out_.append("(").append(c_type(to)).append(")");
    exact(*e.a, Prec::Unary);
    return;
  }
  // The double functions know only long long.
  if (to == kUInt64) out_ += "(unsigned long long)";
  out_.append(name).append("(");
  if (is_half_pair) out_ += from.is_float16() ? "__half_as_ushort(" : "__bfloat16_as_ushort(";
  print(*e.a, {Need::Kind::Convert, from}, Prec::Lowest);
  out_ += is_half_pair ? "))" : ")";
}

// `x != 0`; a half by way of float.
void ExprPrinter::cast_to_bool(const ir::Cast& e, Prec least) {
  DType from = e.a->dtype;
  bool paren = open_if(least > Prec::Equality);
  // A comparison that is compared has parentheses.
  if (from.is_half_like()) {
    as_float(*e.a, Prec::Shift);
  } else {
    print(*e.a, {from.is_int() ? Need::Kind::Value : Need::Kind::Exact, from}, Prec::Shift);
  }
  out_ += from.is_float64() ? " != 0.0" : from.is_float() ? " != 0.0f" : " != 0";
  close_if(paren);
}

void ExprPrinter::cast_to_half(const ir::Cast& e) {
  DType from = e.a->dtype;
  bool is_bfloat = e.dtype.is_bfloat16();
  std::string_view whole = is_bfloat && from.is_int() ? int_to_bfloat16(from) : "";
  if (!whole.empty()) {
    out_.append(whole).append("(");
    exact(*e.a, Prec::Lowest);
  } else if (from.is_float64()) {
    out_ += is_bfloat ? "__double2bfloat16(" : "__double2half(";
    exact(*e.a, Prec::Lowest);
  } else {
    out_ += is_bfloat ? "__float2bfloat16(" : "__float2half(";
    as_float(*e.a, Prec::Lowest);
  }
  out_ += ')';
}

void ExprPrinter::cast_float_to_int(const ir::Cast& e) {
  DType from = e.a->dtype;
  bool saturates = !from.is_float64() && e.dtype.bits == 32;
  if (saturates) {
    out_.append("(").append(c_type(e.dtype)).append(")");
    as_float(*e.a, Prec::Unary);
    return;
  }
  emission_.helpers.use(to_int_helper(from, e.dtype));
  out_.append(to_int_name(e.dtype)).append("(");
  as_float(*e.a, Prec::Lowest);
  out_ += ')';
}

// The operand as float32 (float64 stays): halves widen, integers are converted by the function
// that receives them.
void ExprPrinter::as_float(const ir::Expr& e, Prec least) {
  if (!e.dtype.is_half_like()) {
    Need need{e.dtype.is_int_or_bool() ? Need::Kind::Value : Need::Kind::Exact, e.dtype};
    print(e, need, least);
    return;
  }
  // float -> half -> float rounds: the pair does not cancel.
  out_ += e.dtype.is_bfloat16() ? "__bfloat162float(" : "__half2float(";
  exact(e, Prec::Lowest);
  out_ += ')';
}

}  // namespace tirxcc::codegen_cuda
