// SPDX-License-Identifier: Apache-2.0
//
// Calls of the intrinsic table. A row's spelling has slots, "sqrtf({0})"; a half for which CUDA has
// no function of its own goes through float32. The rows that no template can express have a
// function each.
#include "codegen/cuda/expr.h"
#include "intrinsics/intrinsics.h"
#include "ir/builder.h"

namespace tirxcc::codegen_cuda {

namespace {

using intrinsics::Intrinsic;
using intrinsics::Shape;
using intrinsics::Special;

// The spelling for the type of the first operand; `through_float` says that halves must widen.
std::string_view spelling_of(const Intrinsic& row, DType first, bool& through_float) {
  through_float = false;
  if (first.is_float32() && !row.cuda_f32.empty()) return row.cuda_f32;
  if (first == kInt64 && !row.cuda_s64.empty()) return row.cuda_s64;
  if (first.is_float64() && !row.cuda_f64.empty()) return row.cuda_f64;
  if (first.is_float16() && !row.cuda_f16.empty()) return row.cuda_f16;
  if (first.is_bfloat16() && !row.cuda_bf16.empty()) return row.cuda_bf16;
  if (first.is_int() && first.bits == 64 && !row.cuda_i64.empty()) return row.cuda_i64;
  through_float = first.is_half_like() && (row.params[row.typed_by] == Shape::AnyFloat ||
                                           row.params[row.typed_by] == Shape::AnyNumber);
  return row.cuda;
}

// The slot stands alone between parentheses and commas.
bool is_whole_argument(std::string_view spelling, std::size_t begin, std::size_t end) {
  bool starts = begin == 0 || spelling[begin - 1] == '(' ||
                (begin >= 2 && spelling.substr(begin - 2, 2) == ", ");
  bool ends = end == spelling.size() || spelling[end] == ')' || spelling[end] == ',';
  return starts && ends;
}

// The slot follows a cast, "(int*){0}".
bool is_cast_operand(std::string_view spelling, std::size_t begin) {
  return begin >= 2 && spelling.substr(begin - 2, 2) == "*)";
}

// What decides the column: the type of that operand, or what it points to.
DType first_type(const ir::Call& e) {
  const Intrinsic& row = *e.callee;
  if (row.arity() <= row.typed_by) return kVoid;
  const ir::Expr* first = e.args[row.typed_by];
  return row.params[row.typed_by] == Shape::Pointer ? ir::pointee_of(first).type : first->dtype;
}

// The spelling calls the function that the helper defines, not CUDA's own.
bool calls_helper(std::string_view spelling, std::string_view helper) {
  std::string_view called = called_name(spelling);
  return !called.empty() && helper.find(called) != std::string_view::npos;
}

// C converts the argument to the parameter's type, which no other operand decides. What a pointer
// points to decides the overload of an atomic.
bool is_converted(Shape shape) {
  return shape == Shape::Element || shape == Shape::Int32 || shape == Shape::UInt32;
}

// Nobody looks at the value of a statement: "(long long)f(x)" and "__int_as_float(f(x))" are f(x).
std::string_view without_result_type(std::string_view spelling) {
  if (spelling.front() == '(') return spelling.substr(spelling.find(')') + 1);
  std::string_view called = called_name(spelling);
  if (called != "__int_as_float" && called != "__longlong_as_double") return spelling;
  spelling.remove_prefix(called.size() + 1);
  spelling.remove_suffix(1);
  return spelling;
}

std::string_view from_float(DType half) {
  return half.is_bfloat16() ? "__float2bfloat16(" : "__float2half(";
}

}  // namespace

void ExprPrinter::spelled(const Intrinsic& row, std::string_view spelling, ir::ExprList args,
                          bool through_float) {
  std::size_t done = 0;
  while (true) {
    std::size_t slot = spelling.find('{', done);
    bool is_slot = slot != std::string_view::npos && slot + 2 < spelling.size() &&
                   spelling[slot + 2] == '}' && spelling[slot + 1] >= '0' &&
                   spelling[slot + 1] <= '9';
    if (!is_slot) break;
    out_.append(spelling, done, slot - done);
    auto index = static_cast<std::size_t>(spelling[slot + 1] - '0');
    TIRXCC_CHECK(index < args.size(), "no operand for slot {} of '{}'", index, spelling);
    done = slot + 3;
    Prec least = is_whole_argument(spelling, slot, done) ? Prec::Lowest
                 : is_cast_operand(spelling, slot)       ? Prec::Unary
                                                         : Prec::Postfix;
    if (through_float) {
      as_float(*args[index], least);
    } else if (is_converted(row.params[index])) {
      print(*args[index], {Need::Kind::Convert, args[index]->dtype}, least);
    } else {
      exact(*args[index], least);
    }
  }
  out_.append(spelling, done);
}

void ExprPrinter::function(std::string_view name, ir::ExprList args) {
  out_.append(name).append("(");
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (i > 0) out_ += ", ";
    exact(*args[i], Prec::Lowest);
  }
  out_ += ')';
}

void ExprPrinter::table_call(const ir::Call& e, Need need, Prec least) {
  bool through_float = false;
  DType first = first_type(e);
  std::string_view spelling = spelling_of(*e.callee, first, through_float);
  if (spelling == "{0}") {
    print(*e.args[0], need, least);
    return;
  }
  TIRXCC_CHECK(!spelling.empty(), "'{}' has no CUDA spelling", e.callee->name);
  std::string_view helper = first.is_float64() ? e.callee->helper_f64 : e.callee->helper;
  if (!helper.empty() && calls_helper(spelling, helper)) emission_.helpers.use(helper);
  bool is_back_to_half = through_float && e.dtype.is_half_like();
  if (is_back_to_half) out_ += from_float(e.dtype);
  if (need.kind == Need::Kind::Unused) spelling = without_result_type(spelling);
  spelled(*e.callee, spelling, e.args, through_float);
  if (is_back_to_half) out_ += ')';
}

// Dialect A's max and min: NaN if either side is NaN.
void ExprPrinter::nan_extremum(const ir::Call& e, bool is_max) {
  DType type = e.dtype;
  if (type.is_half_like()) {
    function(is_max ? "__hmax_nan" : "__hmin_nan", e.args);
  } else if (type.is_float()) {
    bool is_double = type.is_float64();
    emission_.helpers.use(is_max ? (is_double ? Helper::MaxNanF64 : Helper::MaxNanF32)
                                 : (is_double ? Helper::MinNanF64 : Helper::MinNanF32));
    function(is_max ? "max_nan" : "min_nan", e.args);
  } else {
    extremum(e, is_max);
  }
}

void ExprPrinter::extremum(const ir::Call& e, bool is_max) {
  if (e.dtype.is_half_like()) {
    function(is_max ? "__hmax" : "__hmin", e.args);
  } else {
    function(is_max ? "max" : "min", e.args);
  }
}

void ExprPrinter::absolute(const ir::Call& e, Need need, Prec least) {
  DType type = e.dtype;
  if (type.is_unsigned_int() || type.is_bool()) {
    print(*e.args[0], need, least);
  } else if (type.is_float()) {
    function(type.is_half_like() ? "__habs" : type.is_float64() ? "fabs" : "fabsf", e.args);
  } else {
    // abs(-128) is 128 in int.
    if (type.bits < 32) out_ += type.bits == 8 ? "(signed char)" : "(short)";
    function(type.bits == 64 ? "llabs" : "abs", e.args);
  }
}

// 1 / (1 + exp(-x)).
void ExprPrinter::sigmoid(const ir::Call& e, Prec least) {
  DType type = e.dtype;
  bool is_half = type.is_half_like();
  bool paren = open_if(!is_half && least > Prec::Multiplicative);
  if (is_half) out_ += from_float(type);
  out_ += type.is_float64() ? "1.0 / (1.0 + exp(-" : "1.0f / (1.0f + expf(-";
  std::size_t start = out_.size();
  as_float(*e.args[0], Prec::Unary);
  if (out_[start] == '-') {
    out_.insert(start, "(");
    out_ += ')';
  }
  out_ += is_half ? ")))" : "))";
  close_if(paren);
}

// isnan(x) and its like: CUDA answers an int that is not always 0 or 1.
void ExprPrinter::classify(const ir::Call& e, Need need, Prec least) {
  bool is_tested = need.kind == Need::Kind::Condition ||
                   (need.kind == Need::Kind::Convert && need.type.is_bool());
  bool paren = open_if(!is_tested && least > Prec::Equality);
  table_call(e, need, Prec::Equality);
  if (!is_tested) out_ += " != 0";
  close_if(paren);
}

void ExprPrinter::on(const ir::Call& e, Need need, Prec least, bool) {
  switch (e.callee->special) {
    case Special::None:
    case Special::Ldexp: table_call(e, need, least); return;
    case Special::IsNan:
    case Special::IsInf:
    case Special::IsFinite: classify(e, need, least); return;
    case Special::MaxNan: nan_extremum(e, true); return;
    case Special::MinNan: nan_extremum(e, false); return;
    case Special::MaxNum: extremum(e, true); return;
    case Special::MinNum: extremum(e, false); return;
    case Special::Abs: absolute(e, need, least); return;
    case Special::Sigmoid: sigmoid(e, least); return;
    case Special::ElectSync:
      emission_.helpers.use(Helper::ElectSync);
      out_ += "elect_sync()";
      return;
    case Special::Printf: function("printf", e.args); return;
  }
}

}  // namespace tirxcc::codegen_cuda
