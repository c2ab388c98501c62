// SPDX-License-Identifier: Apache-2.0
//
// THE table: one row per device function of the language (style.md section 3). Typing, both back
// ends, checker rules, Python stubs and the documentation are derived from the rows.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "abi/dtype.h"

namespace tirxcc::intrinsics {

inline constexpr int kMostParams = 5;

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
  Text,      // a string literal
  Pointer,   // to any memory
  Element,   // converted to what the pointer of the first operand points to
  AnyLane,   // a number that lanes exchange; 8- and 16-bit integers and bool travel as 32 bits
  Mask,      // uint32, the lanes that take part; a literal prints in hexadecimal
  Width,     // int32 literal, lanes in a group: a power of two up to 32
  WarpSize,  // the literal 32, which only older names ask for: checked and left out
};

enum class Result : std::uint8_t { Void, SameAsFirst, Bool, Int32, UInt32, Int64, Float32 };

// A set of scalar types, one bit each.
using TypeSet = std::uint16_t;
constexpr TypeSet types_of(std::initializer_list<DType> list) {
  constexpr auto bit = [](DType type) {
    const int size = type.bits == 8 ? 0 : type.bits == 16 ? 1 : type.bits == 32 ? 2 : 3;
    const int kind = type.is_bool()           ? 12
                     : type.is_bfloat16()     ? 13
                     : type.is_float()        ? 8
                     : type.is_unsigned_int() ? 4
                                              : 0;
    return kind >= 12 ? kind : kind + size;
  };
  TypeSet set = 0;
  for (DType type : list)
    set = static_cast<TypeSet>(set | (1u << bit(type)));
  return set;
}

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
  Printf,
};

struct Intrinsic {
  std::string_view name = {};  // as the kernel writes it, without `T.`: "sqrt", "cuda.cta_sync"
  std::string_view doc = {};   // one line
  std::array<Shape, kMostParams> params = {};
  Result result = Result::Void;
  // The operand that decides the type of the others, of the result and the column below: "the
  // first". For a pointer it is the type of what it points to.
  std::uint8_t typed_by = 0;
  TypeSet types = 0;  // that it may have; 0: what its shape says
  // CUDA spelling with operand slots, "sqrtf({0})". Columns by the type of the first operand;
  // empty: through float32 (halves), or the float32 spelling.
  std::string_view cuda = {};  // float32, or any type
  std::string_view cuda_f32 = {};
  std::string_view cuda_f64 = {};
  std::string_view cuda_f16 = {};
  std::string_view cuda_bf16 = {};
  std::string_view cuda_i64 = {};  // 64-bit integers
  std::string_view cuda_s64 = {};  // signed ones, where they differ from those
  // Definition of the device function that a spelling calls if CUDA has none of its own, printed
  // before the kernels. `name(` must occur in it.
  std::string_view helper = {};
  std::string_view helper_f64 = {};
  // CPU: "llvm.sqrt" (an LLVM intrinsic overloaded on the type), "sym:name" (a function of
  // runtime/cpu; `f` is appended for float32), "fiber" (threads that do it are fibers; which
  // abi::CpuMeeting it is stands in codegen/llvm/emit_meeting.cc), or empty when `special` says it.
  std::string_view cpu = {};
  Convergence convergence = Convergence::Thread;
  Effect effect = Effect::Pure;
  Special special = Special::None;
  OnlyIn only_in = OnlyIn::Both;
  int min_sm = 0;
  // Any number of values of any type may follow the operands.
  bool is_variadic = false;
  // The value is the same in all threads that arrive together, whatever this operand is in each of
  // them, if the other operands are.
  std::int8_t gathers = -1;
  // What the last operand is where a call leaves it out; -1: it may not.
  std::int8_t last_if_left_out = -1;
  // Another name of that row, with its operands where `params` is empty.
  std::string_view same_as = {};

  constexpr int arity() const {
    int n = 0;
    while (n < kMostParams && params[n] != Shape::None)
      ++n;
    return n;
  }
};

// All rows, sorted by name (rows of one name: dialect A's first).
std::span<const Intrinsic> table();
// The row of that name for a dialect ('A' or 'B'); null if there is none.
const Intrinsic* find(std::string_view name, char dialect);

}  // namespace tirxcc::intrinsics
