// SPDX-License-Identifier: Apache-2.0
//
// What C++ converts by itself, so that a cast of the IR prints only where the value or the type
// would otherwise differ. A Need says what the place where an expression stands does with it;
// peel() takes off the casts that this place performs anyway.
//
//   B[i] = T.float32(k)      B_ptr[i] = k;              the assignment converts
//   T.int64(i) * n64         i * n64                    the other operand widens it
//   T.int64(i) * T.int64(j)  (long long)i * j           one of the two has to say so
//   U8[i] = a8 + b8          U8_ptr[i] = a8 + b8;       the assignment cuts the int that C computes
#pragma once

#include <cstdint>

#include "ir/ir.h"

namespace tirxcc::codegen_cuda {

struct Need {
  enum class Kind : std::uint8_t {
    Exact,      // the C type matters: overloaded and template functions
    Promoted,   // type after integer promotion: operand of a unary operator or shift
    Operand,    // C's usual arithmetic conversions lead to `type`, thanks to the other operand
    Convert,    // C converts to `type`: initialiser, assignment, argument of a plain function
    LowBits,    // only the low `type.bits` bits count: part of an integer that will be cut
    Value,      // the exact value in any arithmetic type: subscripts, shift amounts
    Condition,  // compared with zero
    Unused,     // a call for its effect
  };
  Kind kind = Kind::Exact;
  DType type = {};
};

// The type after integer promotion.
DType promoted(DType type);
// The type in which C computes with operands of two arithmetic types.
DType usual_type(DType a, DType b);
// Every value of `from` is one of `to`.
bool is_value_preserving(DType from, DType to);
// C++ converts without being told, and as the language means it. Float to integer is printed
// although C++ would convert: it loses too much to go unsaid. Halves have functions for it.
bool is_implicit(DType from, DType to);

// The expression without the casts that its place performs. `need` becomes what is left to do.
const ir::Expr* peel(const ir::Expr* expr, Need& need);
// The need of a cast's operand when the cast is printed as `(T)x`.
Need need_below_cast(const ir::Cast& cast);

// The needs of the two operands of an arithmetic operator or comparison whose operands have dtype
// `type`. In an index a 64-bit literal is printed bare and does not widen the other side.
struct OperandNeeds {
  Need a;
  Need b;
};
OperandNeeds operand_needs(const ir::Expr& a, const ir::Expr& b, DType type, bool in_index);

// A literal that is printed without its suffix.
bool is_bare_literal(const ir::Expr& expr, Need need, bool in_index);

}  // namespace tirxcc::codegen_cuda
