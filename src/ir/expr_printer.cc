// SPDX-License-Identifier: Apache-2.0
#include "ir/expr_printer.h"

#include <fmt/format.h>

#include <cmath>

#include "intrinsics/intrinsics.h"
#include "ir/builder.h"
#include "ir/constant.h"

namespace tirxcc::ir {
namespace {

// Python's levels of binding, weakest first.
enum Level : int {
  kTernary = 1,
  kOr,
  kAnd,
  kNot,
  kComparison,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kProduct,
  kSign,
  kAtom,
};

struct Operator {
  std::string_view text;  // empty: a function, `T.truncdiv`
  int level;
};

Operator operator_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add: return {"+", kSum};
    case BinaryOp::Sub: return {"-", kSum};
    case BinaryOp::Mul: return {"*", kProduct};
    case BinaryOp::Div: return {"/", kProduct};
    case BinaryOp::FloorDiv: return {"//", kProduct};
    case BinaryOp::FloorMod: return {"%", kProduct};
    case BinaryOp::TruncDiv:
    case BinaryOp::TruncMod: return {"", kAtom};
    case BinaryOp::BitAnd: return {"&", kBitAnd};
    case BinaryOp::BitOr: return {"|", kBitOr};
    case BinaryOp::BitXor: return {"^", kBitXor};
    case BinaryOp::ShiftLeft: return {"<<", kShift};
    case BinaryOp::ShiftRight: return {">>", kShift};
    case BinaryOp::And: return {"and", kAnd};
    case BinaryOp::Or: return {"or", kOr};
    case BinaryOp::Eq: return {"==", kComparison};
    case BinaryOp::Ne: return {"!=", kComparison};
    case BinaryOp::Lt: return {"<", kComparison};
    case BinaryOp::Le: return {"<=", kComparison};
    case BinaryOp::Gt: return {">", kComparison};
    case BinaryOp::Ge: return {">=", kComparison};
  }
  return {"?", kAtom};
}

bool is_literal(const Expr* expr) {
  return is<IntImm>(expr) || is<FloatImm>(expr);
}

std::string integer_digits(const IntImm& node) {
  int128 value = int_value(node);
  std::string digits = value < 0 ? "-" : "";
  auto magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
  return digits + (node.is_hex ? fmt::format("0x{:x}", magnitude) : fmt::format("{}", magnitude));
}

// The shortest digits that read back to the same value of the type.
std::string float_digits(const FloatImm& node) {
  std::string digits = node.dtype.is_float64() ? fmt::format("{}", node.value)
                                               : fmt::format("{}", static_cast<float>(node.value));
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits;
}

class Parentheses {
 public:
  Parentheses(std::string& out, bool wanted) : out_(out), wanted_(wanted) {
    if (wanted_) out_ += '(';
  }
  ~Parentheses() {
    if (wanted_) out_ += ')';
  }
  Parentheses(const Parentheses&) = delete;
  Parentheses& operator=(const Parentheses&) = delete;

 private:
  std::string& out_;
  bool wanted_;
};

}  // namespace

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string dtype_text(DType type) {
  return "T." + to_string(type);
}

void ExprPrinter::print(const Expr* expr, LiteralPlace place, int level) {
  if (expr == nullptr) {
    out_ += "<null>";
    return;
  }
  visit(*expr, [&](const auto& node) { on(node, place, level); });
}

void ExprPrinter::print_host(const Expr* expr) {
  is_host_ = true;
  print(expr);
  is_host_ = false;
}

void ExprPrinter::args(ExprList list) {
  std::string_view separator;
  for (const Expr* item : list) {
    out_ += separator;
    print(item);
    separator = ", ";
  }
}

void ExprPrinter::print_tuple(ExprList list) {
  out_ += '(';
  args(list);
  out_ += list.size() == 1 ? ",)" : ")";
}

void ExprPrinter::print_indices(const Tensor* tensor, ExprList indices, bool is_flat) {
  out_ += names_.of(tensor);
  if (is_flat) out_ += ".flat";
  out_ += '[';
  if (indices.empty()) out_ += "()";
  args(indices);
  out_ += ']';
}

void ExprPrinter::on(const IntImm& node, LiteralPlace place, int /*level*/) {
  if (node.dtype.is_bool()) {
    out_ += node.value != 0 ? "True" : "False";
    return;
  }
  DType natural = kInt32.can_hold(int_value(node)) ? kInt32 : kInt64;
  bool adopts = place == LiteralPlace::Stored ||
                (place == LiteralPlace::Beside && node.dtype.bits >= 32) || is_host_;
  if (adopts || node.dtype == natural) {
    out_ += integer_digits(node);
  } else {
    out_ += fmt::format("{}({})", dtype_text(node.dtype), integer_digits(node));
  }
}

void ExprPrinter::on(const FloatImm& node, LiteralPlace place, int /*level*/) {
  if (!std::isfinite(node.value)) {
    std::string_view word = std::isnan(node.value) ? "nan" : node.value > 0 ? "inf" : "-inf";
    out_ += fmt::format("{}(\"{}\")", dtype_text(node.dtype), word);
    return;
  }
  bool adopts =
      place == LiteralPlace::Stored || (place == LiteralPlace::Beside && node.dtype.bits >= 32);
  if (adopts || node.dtype == kFloat32) {
    out_ += float_digits(node);
  } else {
    out_ += fmt::format("{}({})", dtype_text(node.dtype), float_digits(node));
  }
}

void ExprPrinter::on(const StringImm& node, LiteralPlace /*place*/, int /*level*/) {
  out_ += quoted(node.value);
}

void ExprPrinter::on(const VarRef& node, LiteralPlace /*place*/, int /*level*/) {
  out_ += names_.of(node.var);
}

void ExprPrinter::on(const LocalRead& node, LiteralPlace /*place*/, int /*level*/) {
  out_ += names_.of(node.local);
}

void ExprPrinter::on(const Load& node, LiteralPlace /*place*/, int /*level*/) {
  print_indices(node.tensor, node.indices, node.is_flat);
}

void ExprPrinter::on(const LaunchIndex& node, LiteralPlace /*place*/, int /*level*/) {
  std::string_view name;
  switch (node.index) {
    case LaunchIndexKind::ThreadIdx: name = "thread_idx"; break;
    case LaunchIndexKind::BlockIdx: name = "block_idx"; break;
    case LaunchIndexKind::BlockDim: name = "block_dim"; break;
    case LaunchIndexKind::GridDim: name = "grid_dim"; break;
    case LaunchIndexKind::WarpId: out_ += "T.cuda.warp_id()"; return;
  }
  out_ += fmt::format("T.cuda.{}(\"{}\")", name, "xyz"[node.axis]);
}

void ExprPrinter::on(const Unary& node, LiteralPlace /*place*/, int level) {
  int own = node.op == UnaryOp::Not ? kNot : kSign;
  Parentheses parentheses(out_, own < level);
  out_ += node.op == UnaryOp::Not ? "not " : node.op == UnaryOp::Neg ? "-" : "~";
  print(node.a, LiteralPlace::Alone, is_literal(node.a) ? kAtom : own);
}

void ExprPrinter::on(const Binary& node, LiteralPlace /*place*/, int level) {
  auto [text, own] = operator_of(node.op);
  bool has_typed = !is_literal(node.a) || !is_literal(node.b);
  LiteralPlace place = has_typed ? LiteralPlace::Beside : LiteralPlace::Alone;
  if (text.empty()) {
    out_ += node.op == BinaryOp::TruncDiv ? "T.truncdiv(" : "T.truncmod(";
    print(node.a, place);
    out_ += ", ";
    print(node.b, place);
    out_ += ')';
    return;
  }
  Parentheses parentheses(out_, own < level);
  // Operators of one level group to the left; comparisons would chain, so both sides bind tighter.
  print(node.a, is_shift(node.op) ? LiteralPlace::Alone : place, own + is_comparison(node.op));
  out_ += ' ';
  out_ += text;
  out_ += ' ';
  print(node.b, is_shift(node.op) ? LiteralPlace::Alone : place, own + 1);
}

void ExprPrinter::on(const Select& node, LiteralPlace /*place*/, int level) {
  Parentheses parentheses(out_, kTernary < level);
  print(node.a, LiteralPlace::Alone, kOr);
  out_ += " if ";
  print(node.condition, LiteralPlace::Alone, kOr);
  out_ += " else ";
  print(node.b, LiteralPlace::Alone, kOr);
}

void ExprPrinter::on(const Cast& node, LiteralPlace place, int level) {
  if (is_host_ && node.dtype == kInt64 && !node.is_bits) {
    print(node.a, place, level);
  } else if (node.is_bits) {
    std::string type = quoted(to_string(node.dtype));
    if (dialect_ == Dialect::B) out_ += fmt::format("T.reinterpret({}, ", type);
    if (dialect_ == Dialect::A) out_ += "T.reinterpret(";
    print(node.a);
    out_ += dialect_ == Dialect::A ? fmt::format(", ty={})", type) : ")";
  } else {
    out_ += dtype_text(node.dtype) + "(";
    print(node.a);
    out_ += ')';
  }
}

void ExprPrinter::on(const Call& node, LiteralPlace /*place*/, int /*level*/) {
  out_ += fmt::format("T.{}(", node.callee->name);
  args(node.args);
  out_ += ')';
}

void ExprPrinter::on(const AddressOf& node, LiteralPlace /*place*/, int /*level*/) {
  out_ += fmt::format("{}.ptr_to({}[", names_.of(node.tensor), node.is_flat ? "flat=" : "");
  args(node.indices);
  out_ += "])";
}

void ExprPrinter::on(const VectorLoad& node, LiteralPlace /*place*/, int /*level*/) {
  out_ += fmt::format("{}.flat[", names_.of(node.tensor));
  print(node.offset);
  out_ += fmt::format(" : +{}]", node.dtype.lanes);
}

void ExprPrinter::on(const LaneRead& node, LiteralPlace /*place*/, int /*level*/) {
  out_ += fmt::format("{}.lane({})", names_.of(node.vector), node.lane);
}

}  // namespace tirxcc::ir
