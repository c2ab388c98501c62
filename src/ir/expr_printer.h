// SPDX-License-Identifier: Apache-2.0
//
// Prints expressions of the IR in the kernel language (part of printer.h, which see).
#pragma once

#include <string>

#include "ir/ir.h"
#include "ir/names.h"

namespace tirxcc::ir {

// What the place of a literal does to its type when it is written bare (language.md 3.1).
enum class LiteralPlace : std::uint8_t {
  Alone,   // gets its natural type: int32, int64, float32, bool
  Beside,  // next to a typed operand: adopts that type from 32 bits on
  Stored,  // adopts the type of its destination
};

class ExprPrinter {
 public:
  ExprPrinter(Names& names, std::string& out, Dialect dialect)
      : names_(names), out_(out), dialect_(dialect) {}

  // Appends the expression, in parentheses if it binds weaker than `level`.
  void print(const Expr* expr, LiteralPlace place = LiteralPlace::Alone, int level = 0);
  // Appends `(a, b)` with Python's comma after a single element.
  void print_tuple(ExprList list);
  // Host formulas are computed in int64 whatever they are written in: their literals and casts to
  // int64 print bare.
  void print_host(const Expr* expr);

 private:
  void print_indices(const Tensor* tensor, ExprList indices, bool is_flat);
  void args(ExprList list);

  void on(const IntImm& node, LiteralPlace place, int level);
  void on(const FloatImm& node, LiteralPlace place, int level);
  void on(const StringImm& node, LiteralPlace place, int level);
  void on(const VarRef& node, LiteralPlace place, int level);
  void on(const LocalRead& node, LiteralPlace place, int level);
  void on(const Load& node, LiteralPlace place, int level);
  void on(const LaunchIndex& node, LiteralPlace place, int level);
  void on(const Unary& node, LiteralPlace place, int level);
  void on(const Binary& node, LiteralPlace place, int level);
  void on(const Select& node, LiteralPlace place, int level);
  void on(const Cast& node, LiteralPlace place, int level);
  void on(const Call& node, LiteralPlace place, int level);
  void on(const AddressOf& node, LiteralPlace place, int level);
  void on(const VectorLoad& node, LiteralPlace place, int level);
  void on(const LaneRead& node, LiteralPlace place, int level);

  Names& names_;
  std::string& out_;
  Dialect dialect_;
  bool is_host_ = false;
};

// `"text"` with Python's escapes.
std::string quoted(std::string_view text);
// `T.float32`; vectors `"float32x4"` print as `T.float32x4`.
std::string dtype_text(DType type);

}  // namespace tirxcc::ir
