// SPDX-License-Identifier: Apache-2.0
//
// THE table: one row per device function of the language (style.md section 3). Typing, both back
// ends, checker rules, Python stubs and the documentation are derived from the rows.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "abi/dtype.h"

namespace tirxcc::intrinsics {

// What an operand must be, and what sema converts it to.
enum class Shape : std::uint8_t {
  None,
  AnyNumber,    // any scalar; several AnyNumber operands promote to one type
  AnyFloat,     // floats, several promote to one type; integers become float32 (language.md 3.7)
  AnyInt,       // integers; bool and 8- or 16-bit ones are widened to 32 bits, unsigned
  SameAsFirst,  // converted to the type of the first operand
  Bool,         // a condition: number != 0
  Int32,
  UInt32,
  Float32,
  Pointer,
  Text,  // a string literal
};

enum class Result : std::uint8_t { Void, SameAsFirst, Bool, Int32, UInt32, Int64, Float32 };

// Who must arrive together; the optimizer may not move the call across control flow then.
enum class Convergence : std::uint8_t { Thread, Warp, Block, Cluster };
enum class Effect : std::uint8_t { Pure, Reads, Writes, Atomic, Barrier };
enum class OnlyIn : std::uint8_t { Both, DialectA, DialectB };

// Rows that no template can express; each back end has one switch over these.
enum class Special : std::uint8_t {
  None,
  MaxNan,  // dialect A: NaN if either is NaN
  MinNan,
  MaxNum,  // dialect B and integers: CUDA's max
  MinNum,
  Abs,
  Sigmoid,
  IsNan,
  IsInf,
  IsFinite,
  Ldexp,
  ElectSync,
};

struct Intrinsic {
  std::string_view name;  // as the kernel writes it, without `T.`: "sqrt", "cuda.cta_sync"
  std::string_view doc;   // one line
  std::array<Shape, 4> params = {Shape::None, Shape::None, Shape::None, Shape::None};
  Result result = Result::Void;
  // CUDA spelling with operand slots, "sqrtf({0})". Columns by the type of the first operand;
  // empty: through float32 (halves), or the float32 spelling.
  std::string_view cuda;  // float32, or any type
  std::string_view cuda_f64 = {};
  std::string_view cuda_f16 = {};
  std::string_view cuda_bf16 = {};
  std::string_view cuda_i64 = {};  // 64-bit integers
  // CPU: "llvm.sqrt" (an LLVM intrinsic overloaded on the type), "sym:name" (a function of
  // runtime/cpu; `f` is appended for float32), or empty when `special` says it.
  std::string_view cpu = {};
  Convergence convergence = Convergence::Thread;
  Effect effect = Effect::Pure;
  Special special = Special::None;
  OnlyIn only_in = OnlyIn::Both;
  int min_sm = 0;

  constexpr int arity() const {
    int n = 0;
    while (n < 4 && params[n] != Shape::None)
      ++n;
    return n;
  }
};

// All rows, sorted by name (rows of one name: dialect A's first).
std::span<const Intrinsic> table();
// The row of that name for a dialect ('A' or 'B'); null if there is none.
const Intrinsic* find(std::string_view name, char dialect);

}  // namespace tirxcc::intrinsics
