// SPDX-License-Identifier: Apache-2.0
//
// All names that the language itself gives meaning to, other than the device functions of the
// intrinsic table: `T.cast`, `T.cuda.thread_idx`, Python's `len`, `math.pi`. A name is known by its
// path: "cuda.thread_idx" for T.cuda.thread_idx, "py.len" for len, "math.pi".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tirxcc::sema {

enum class BuiltinFamily : std::uint8_t {
  Namespace,      // T.cuda
  Type,           // T.float32
  Operator,       // T.floordiv(a, b); tag: syntax::BinaryOperator
  Comparison,     // T.LT(a, b); tag: syntax::CompareOperator
  TruncDivision,  // T.truncdiv; tag: ir::BinaryOp
  Logic,          // T.And(a, b); tag: syntax::BoolOperator
  Unary,          // T.bitwise_not(a); tag: syntax::UnaryOperator
  CeilDiv,
  Cast,  // T.cast(x, dtype); tag 1: T.Cast(dtype, x)
  Reinterpret,
  Choice,  // T.if_then_else; tag 1: T.Select
  MaxMin,  // tag 1: max
  Limit,   // T.infinity(ty), max_value, min_value; tag 0, 1, 2
  Likely,
  MetaVar,  // T.meta_var(v), T.constexpr(c)
  AddressOf,
  LaunchIndex,   // T.cuda.thread_idx(axis); tag: ir::LaunchIndexKind
  DerivedIndex,  // T.cuda.lane_id(); tag: DerivedIndexKind
  Statement,     // what the statement half of sema answers: T.serial, T.device_entry, ...
  Later,         // known to the language, not to this version
  Python,        // a built-in function of Python
  Math,          // a function of module math
};

enum class DerivedIndexKind : std::uint8_t {
  LinearThreadId,
  LaneId,
  WarpId,
  WarpgroupId,
  WarpInWarpgroup,
  ThreadInWarpgroup,
};

struct BuiltinRow {
  std::string_view path;
  BuiltinFamily family = BuiltinFamily::Later;
  std::uint8_t tag = 0;
};

// Null if there is no such name.
const BuiltinRow* find_builtin(std::string_view path);
// All rows, sorted by path.
std::span<const BuiltinRow> builtins();

}  // namespace tirxcc::sema
