// SPDX-License-Identifier: Apache-2.0
//
// Operators, variables and memory accesses. Casts are in casts.cc, calls in calls.cc.
#include "codegen/cuda/expr.h"

#include <cmath>

#include "codegen/cuda/literals.h"
#include "codegen/cuda/types.h"

namespace tirxcc::codegen_cuda {

namespace {

struct Operator {
  std::string_view text;
  Prec prec;
};

Operator operator_of(ir::BinaryOp op) {
  switch (op) {
    case ir::BinaryOp::Add: return {" + ", Prec::Additive};
    case ir::BinaryOp::Sub: return {" - ", Prec::Additive};
    case ir::BinaryOp::Mul: return {" * ", Prec::Multiplicative};
    case ir::BinaryOp::Div:
    case ir::BinaryOp::FloorDiv:
    case ir::BinaryOp::TruncDiv: return {" / ", Prec::Multiplicative};
    case ir::BinaryOp::FloorMod:
    case ir::BinaryOp::TruncMod: return {" % ", Prec::Multiplicative};
    case ir::BinaryOp::BitAnd: return {" & ", Prec::BitAnd};
    case ir::BinaryOp::BitOr: return {" | ", Prec::BitOr};
    case ir::BinaryOp::BitXor: return {" ^ ", Prec::BitXor};
    case ir::BinaryOp::ShiftLeft: return {" << ", Prec::Shift};
    case ir::BinaryOp::ShiftRight: return {" >> ", Prec::Shift};
    case ir::BinaryOp::And: return {" && ", Prec::And};
    case ir::BinaryOp::Or: return {" || ", Prec::Or};
    case ir::BinaryOp::Eq: return {" == ", Prec::Equality};
    case ir::BinaryOp::Ne: return {" != ", Prec::Equality};
    case ir::BinaryOp::Lt: return {" < ", Prec::Relational};
    case ir::BinaryOp::Le: return {" <= ", Prec::Relational};
    case ir::BinaryOp::Gt: return {" > ", Prec::Relational};
    case ir::BinaryOp::Ge: return {" >= ", Prec::Relational};
  }
  internal_error(__FILE__, __LINE__, "an operator that does not exist");
}

bool is_bitwise_or_shift(ir::BinaryOp op) {
  return op >= ir::BinaryOp::BitAnd && op <= ir::BinaryOp::ShiftRight;
}

// Floor semantics that C's operator does not have: a helper or floorf.
bool is_function_style(const ir::Binary& e) {
  bool is_floor = e.op == ir::BinaryOp::FloorDiv || e.op == ir::BinaryOp::FloorMod;
  return is_floor && !e.dtype.is_unsigned_int() && !e.dtype.is_bool();
}

bool is_narrow(DType type) {
  return promoted(type) != type;
}

// C computes narrow operations in int; true if the result can leave the narrow type.
bool can_overflow_narrow(const ir::Binary& e) {
  if (!is_narrow(e.dtype)) return false;
  switch (e.op) {
    case ir::BinaryOp::Add:
    case ir::BinaryOp::Sub:
    case ir::BinaryOp::Mul:
    case ir::BinaryOp::ShiftLeft: return true;
    case ir::BinaryOp::TruncDiv:
    case ir::BinaryOp::FloorDiv:  // -128 / -1
      return e.dtype.is_signed_int() && !ir::is<ir::IntImm>(e.b);
    case ir::BinaryOp::Div:
    case ir::BinaryOp::FloorMod:
    case ir::BinaryOp::TruncMod:
    case ir::BinaryOp::BitAnd:
    case ir::BinaryOp::BitOr:
    case ir::BinaryOp::BitXor:
    case ir::BinaryOp::ShiftRight:
    case ir::BinaryOp::And:
    case ir::BinaryOp::Or:
    case ir::BinaryOp::Eq:
    case ir::BinaryOp::Ne:
    case ir::BinaryOp::Lt:
    case ir::BinaryOp::Le:
    case ir::BinaryOp::Gt:
    case ir::BinaryOp::Ge: return false;
  }
  return false;
}

// What follows cuts the value to the width of `type` anyway.
bool is_cut_later(DType type, Need need) {
  if (type.is_bool()) return need.kind == Need::Kind::Convert && need.type.is_bool();
  if (need.kind == Need::Kind::LowBits) return need.type.bits <= type.bits;
  return need.kind == Need::Kind::Convert && need.type == type;
}

// The products of two unsigned shorts overflow int, in which C would compute them.
bool needs_unsigned_product(const ir::Binary& e) {
  return e.op == ir::BinaryOp::Mul && e.dtype == kUInt16;
}

// An operand of a narrow sum: sums of sums may keep their high bits, anything else is exact.
Need narrow_operand(const ir::Expr& operand, DType cut) {
  bool is_operation = ir::is<ir::Binary>(&operand) || ir::is<ir::Unary>(&operand);
  return {is_operation ? Need::Kind::LowBits : Need::Kind::Value, cut};
}

// Needs of the operands. Only sums and bit operations let the bits above the result's be wrong.
OperandNeeds needs_of(const ir::Binary& e, Need need, bool in_index) {
  if (ir::is_logical(e.op)) {
    Need condition{Need::Kind::Condition, kBool};
    return {condition, condition};
  }
  if (ir::is_shift(e.op)) return {{Need::Kind::Promoted, e.dtype}, {Need::Kind::Value, e.b->dtype}};
  bool is_sum = e.op == ir::BinaryOp::Add || e.op == ir::BinaryOp::Sub;
  if (is_sum && is_narrow(e.dtype) && !e.dtype.is_bool()) {
    DType cut = need.kind == Need::Kind::LowBits ? need.type : e.dtype;
    return {narrow_operand(*e.a, cut), narrow_operand(*e.b, cut)};
  }
  return operand_needs(*e.a, *e.b, e.a->dtype, in_index);
}

// Inside a sum whose high bits do not count a product must still not overflow int, and neither may
// a shift.
Need child_need(const ir::Expr& child, Need need) {
  const auto* binary = ir::as<ir::Binary>(&child);
  if (need.kind != Need::Kind::LowBits || binary == nullptr) return need;
  bool is_large = binary->op == ir::BinaryOp::ShiftLeft ||
                  (binary->op == ir::BinaryOp::Mul && binary->dtype == kInt16);
  return is_large ? Need{Need::Kind::Value, child.dtype} : need;
}

// The weakest operator that may stand there without parentheses.
Prec least_prec(const ir::Binary& e, const ir::Expr& child, bool is_right, bool in_index) {
  Prec prec = operator_of(e.op).prec;
  const auto* binary = ir::as<ir::Binary>(&child);
  auto next = static_cast<Prec>(static_cast<int>(prec) + 1);
  if (is_bitwise_or_shift(e.op)) {
    bool is_chain = binary != nullptr && binary->op == e.op && !is_right;
    return is_chain ? prec : Prec::Unary;
  }
  if (e.op == ir::BinaryOp::Or && binary != nullptr && binary->op == ir::BinaryOp::And)
    return Prec::BitOr;
  if (ir::is_comparison(e.op) && binary != nullptr && ir::is_comparison(binary->op))
    return Prec::Shift;
  if (!is_right) return prec;
  // a + (b + c) in an index is a + b + c: signed sums do not overflow, unsigned ones of one width
  // wrap alike.
  bool is_flat = in_index && e.op == ir::BinaryOp::Add && binary != nullptr &&
                 (binary->op == ir::BinaryOp::Add || binary->op == ir::BinaryOp::Sub) &&
                 binary->dtype.is_int() && (binary->dtype == e.dtype || binary->dtype == kInt32);
  bool is_and_chain = ir::is_logical(e.op) && binary != nullptr && binary->op == e.op;
  return is_flat || is_and_chain ? prec : next;
}

}  // namespace

bool ExprPrinter::open_if(bool needed) {
  if (needed) out_ += '(';
  return needed;
}

void ExprPrinter::close_if(bool opened) {
  if (opened) out_ += ')';
}

void ExprPrinter::value(const ir::Expr& expr) {
  print(expr, {Need::Kind::Convert, expr.dtype}, Prec::Lowest);
}

void ExprPrinter::print(const ir::Expr& expr, Need need, Prec least, bool in_index) {
  const ir::Expr* inner = peel(&expr, need);
  need = child_need(*inner, need);
  ir::visit(*inner, [&](const auto& node) { on(node, need, least, in_index); });
}

void ExprPrinter::on(const ir::IntImm& e, Need need, Prec, bool in_index) {
  append_int(out_, e.dtype, e.value, e.is_hex, is_bare_literal(e, need, in_index));
}

void ExprPrinter::on(const ir::FloatImm& e, Need, Prec, bool) {
  append_float(out_, e.dtype, e.value);
}

void ExprPrinter::on(const ir::StringImm& e, Need, Prec, bool) {
  append_string(out_, e.value);
}

void ExprPrinter::on(const ir::VarRef& e, Need, Prec, bool) {
  out_ += emission_.names.of(e.var);
}

void ExprPrinter::on(const ir::LocalRead& e, Need, Prec, bool) {
  local(*e.local);
}

void ExprPrinter::on(const ir::Load& e, Need, Prec, bool) {
  TIRXCC_CHECK(e.indices.size() == 1, "a load of '{}' was not flattened", e.tensor->name);
  element(*e.tensor, *e.indices[0]);
}

void ExprPrinter::on(const ir::LaunchIndex& e, Need, Prec least, bool) {
  if (e.index == ir::LaunchIndexKind::WarpId) {
    out_ += emission_.warp_id;
    return;
  }
  static constexpr std::string_view kNames[] = {"(int)threadIdx.", "(int)blockIdx.",
                                                "(int)blockDim.", "(int)gridDim."};
  bool paren = open_if(least > Prec::Unary);
  out_.append(kNames[static_cast<int>(e.index)]).append(1, "xyz"[e.axis]);
  close_if(paren);
}

void ExprPrinter::on(const ir::Unary& e, Need need, Prec least, bool) {
  bool is_cut = is_cut_later(e.dtype, need);
  bool is_bool_not = e.op == ir::UnaryOp::Not || e.dtype.is_bool();
  bool wraps = is_narrow(e.dtype) && !is_bool_not && !is_cut &&
               (e.op == ir::UnaryOp::Neg || e.dtype.is_unsigned_int());
  bool paren = open_if(least > Prec::Unary);
  if (wraps) out_.append("(").append(c_type(e.dtype)).append(")");
  if (is_bool_not) {
    out_ += '!';
    print(*e.a, {Need::Kind::Condition, kBool}, Prec::Unary);
  } else {
    Need operand =
        is_narrow(e.dtype) ? narrow_operand(*e.a, e.dtype) : Need{Need::Kind::Promoted, e.dtype};
    char sign = e.op == ir::UnaryOp::Neg ? '-' : '~';
    out_ += sign;
    std::size_t start = out_.size();
    print(*e.a, operand, Prec::Unary);
    // `--x` would be a decrement.
    if (sign == '-' && out_[start] == '-') {
      out_.insert(start, "(");
      out_ += ')';
    }
  }
  close_if(paren);
}

bool ExprPrinter::open_narrow_cast(DType type) {
  out_.append("(").append(c_type(type)).append(")(");
  return true;
}

ExprPrinter::Frame ExprPrinter::open_operator(const ir::Binary& e, Need need, Prec least,
                                              bool in_index, Need& left) {
  Operator op = operator_of(e.op);
  Frame frame{.node = &e, .prec = op.prec, .in_index = in_index};
  if (can_overflow_narrow(e) && !is_cut_later(e.dtype, need)) {
    open_narrow_cast(e.dtype);
    frame.closing = 1;
  } else if (op.prec < least) {
    out_ += '(';
    frame.closing = 1;
  }
  OperandNeeds needs = needs_of(e, need, in_index);
  left = needs.a;
  frame.right = needs.b;
  return frame;
}

// `y + -1` is `y - 1`, and `y - -1` is `y + 1`: the same value in integers and, as IEEE defines the
// difference, in floats. True if that was printed.
bool ExprPrinter::negated_literal(const ir::Binary& e, const ir::Expr& right, Need need,
                                  bool in_index) {
  if (e.op != ir::BinaryOp::Add && e.op != ir::BinaryOp::Sub) return false;
  const auto* integer = ir::as<ir::IntImm>(&right);
  const auto* number = ir::as<ir::FloatImm>(&right);
  const bool is_negative_int = integer != nullptr && integer->dtype.is_signed_int() &&
                               integer->value < 0 && integer->value > integer->dtype.min_int();
  const bool is_negative_float =
      number != nullptr && number->value < 0 && std::isfinite(number->value);
  if (!is_negative_int && !is_negative_float) return false;
  out_ += operator_of(e.op == ir::BinaryOp::Add ? ir::BinaryOp::Sub : ir::BinaryOp::Add).text;
  if (is_negative_int) {
    append_int(out_, integer->dtype, -integer->value, integer->is_hex,
               is_bare_literal(*integer, need, in_index));
  } else {
    append_float(out_, number->dtype, -number->value);
  }
  return true;
}

void ExprPrinter::finish_operator(const Frame& frame) {
  const ir::Binary& e = *frame.node;
  Need need = frame.right;
  const ir::Expr* right = peel(e.b, need);
  if (negated_literal(e, *right, need, frame.in_index)) {
    out_.append(frame.closing, ')');
    return;
  }
  out_ += operator_of(e.op).text;
  print(*e.b, frame.right, least_prec(e, *right, true, frame.in_index), frame.in_index);
  out_.append(frame.closing, ')');
}

void ExprPrinter::on(const ir::Binary& top, Need need, Prec least, bool in_index) {
  if (is_function_style(top)) {
    function_operator(top, need);
    return;
  }
  std::size_t base = frames_.size();
  const ir::Binary* e = &top;
  while (true) {
    // Only sums and products of an index are an index themselves.
    bool in_sum = in_index && e->op <= ir::BinaryOp::Mul;
    Need left;
    frames_.push_back(open_operator(*e, need, least, in_sum, left));
    need = left;
    const ir::Expr* inner = peel(e->a, need);
    need = child_need(*inner, need);
    const auto* next = ir::as<ir::Binary>(inner);
    if (needs_unsigned_product(*e)) {
      out_ += "(unsigned int)";
      print(*inner, need, Prec::Unary);
      break;
    }
    least = least_prec(*e, *inner, false, in_sum);
    in_index = in_sum;
    if (next == nullptr || is_function_style(*next)) {
      print(*inner, need, least, in_index);
      break;
    }
    e = next;
  }
  while (frames_.size() > base) {
    Frame frame = frames_.back();
    frames_.pop_back();
    finish_operator(frame);
  }
}

void ExprPrinter::function_of_two(std::string_view name, const ir::Binary& e) {
  out_.append(name).append("(");
  exact(*e.a, Prec::Lowest);
  out_ += ", ";
  exact(*e.b, Prec::Lowest);
  out_ += ')';
}

// floordiv(a, b), floormod(a, b), floorf(a / b). A half quotient is rounded before its floor is
// taken, as on the CPU.
void ExprPrinter::function_operator(const ir::Binary& e, Need need) {
  bool is_div = e.op == ir::BinaryOp::FloorDiv;
  if (e.dtype.is_half_like() && !is_div) {
    out_ += e.dtype.is_bfloat16() ? "__float2bfloat16(" : "__float2half(";
    emission_.helpers.use(Helper::FloorModF32);
    out_ += "floormod(";
    as_float(*e.a, Prec::Lowest);
    out_ += ", ";
    as_float(*e.b, Prec::Lowest);
    out_ += "))";
  } else if (e.dtype.is_float()) {
    if (!is_div) {
      emission_.helpers.use(e.dtype.is_float64() ? Helper::FloorModF64 : Helper::FloorModF32);
      function_of_two("floormod", e);
      return;
    }
    out_ += e.dtype.is_half_like() ? "hfloor(" : e.dtype.is_float64() ? "floor(" : "floorf(";
    OperandNeeds needs = operand_needs(*e.a, *e.b, e.dtype, false);
    print(*e.a, needs.a, Prec::Multiplicative);
    out_ += " / ";
    print(*e.b, needs.b, Prec::Unary);
    out_ += ')';
  } else {
    bool is_wide = e.dtype.bits == 64;
    emission_.helpers.use(is_div ? (is_wide ? Helper::FloorDivI64 : Helper::FloorDivI32)
                                 : (is_wide ? Helper::FloorModI64 : Helper::FloorModI32));
    if (can_overflow_narrow(e) && !is_cut_later(e.dtype, need))
      out_.append("(").append(c_type(e.dtype)).append(")");
    function_of_two(is_div ? "floordiv" : "floormod", e);
  }
}

void ExprPrinter::on(const ir::Select& e, Need, Prec least, bool) {
  bool paren = open_if(least > Prec::Conditional);
  OperandNeeds needs = operand_needs(*e.a, *e.b, e.dtype, false);
  print(*e.condition, {Need::Kind::Condition, kBool}, Prec::Or);
  out_ += " ? ";
  // A choice between `?` and `:` would be hard to read without parentheses.
  print(*e.a, needs.a, Prec::Or);
  out_ += " : ";
  print(*e.b, needs.b, Prec::Conditional);
  close_if(paren);
}

void ExprPrinter::element(const ir::Tensor& tensor, const ir::Expr& offset) {
  out_.append(emission_.names.of(&tensor)).append("[");
  print(offset, {Need::Kind::Value, offset.dtype}, Prec::Lowest, true);
  out_ += ']';
}

void ExprPrinter::local(const ir::Local& local) {
  out_ += emission_.names.of(&local);
  if (local.dtype.is_scalar() && !emission_.options.plain_scalars) out_ += "[0]";
}

void ExprPrinter::lane(const ir::Local& vector, int lane, bool is_store) {
  if (vector_type(vector.dtype).has_lanes) {
    out_.append(emission_.names.of(&vector)).append(".").append(1, "xyzw"[lane]);
    return;
  }
  out_.append(is_store ? "((" : "((const ").append(c_type(vector.dtype.lane())).append("*)&");
  out_.append(emission_.names.of(&vector)).append(")[").append(std::to_string(lane)).append("]");
}

void ExprPrinter::on(const ir::AddressOf& e, Need, Prec least, bool) {
  TIRXCC_CHECK(e.indices.size() == 1, "an address in '{}' was not flattened", e.tensor->name);
  bool paren = open_if(least > Prec::Unary);
  out_ += '&';
  element(*e.tensor, *e.indices[0]);
  close_if(paren);
}

void ExprPrinter::on(const ir::VectorLoad& e, Need, Prec least, bool) {
  bool paren = open_if(least > Prec::Unary);
  out_.append("*(const ").append(vector_type(e.dtype).name).append("*)&");
  element(*e.tensor, *e.offset);
  close_if(paren);
}

void ExprPrinter::on(const ir::LaneRead& e, Need, Prec, bool) {
  lane(*e.vector, e.lane, false);
}

void ExprPrinter::warp_id_formula() {
  out_ += "__shfl_sync(0xffffffffu, ";
  const ir::LaunchConfig& launch = emission_.kernel.launch;
  auto extent = [&](int axis) -> const ir::IntImm* {
    return ir::as<ir::IntImm>(launch.block[axis]);
  };
  auto is_flat = [&](int axis) {
    return launch.block[axis] == nullptr || (extent(axis) != nullptr && extent(axis)->value == 1);
  };
  auto append_extent = [&](int axis) {
    if (extent(axis) != nullptr) {
      out_ += std::to_string(extent(axis)->value);
    } else {
      out_.append("(int)blockDim.").append(1, "xyz"[axis]);
    }
  };
  bool is_linear = is_flat(1) && is_flat(2);
  if (!is_linear) out_ += '(';
  out_ += "(int)threadIdx.x";
  if (!is_flat(1)) {
    out_ += " + (int)threadIdx.y * ";
    append_extent(0);
  }
  if (!is_flat(2)) {
    out_ += " + (int)threadIdx.z * ";
    append_extent(0);
    out_ += " * ";
    append_extent(1);
  }
  out_ += is_linear ? " >> 5, 0, 32)" : ") >> 5, 0, 32)";
}

}  // namespace tirxcc::codegen_cuda
