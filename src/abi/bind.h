// SPDX-License-Identifier: Apache-2.0
//
// Checking and binding the arguments of a call, private to the plan's runner. Failures are first
// small codes; describe() turns one into the sentence that the user reads.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "abi/argument.h"
#include "abi/plan.h"
#include "base/result.h"

namespace tirxcc::abi {

enum class BindFault : std::uint8_t {
  None,
  Count,
  Missing,
  Kind,
  NoneTensor,
  ScalarValue,
  Rank,
  DTypeMismatch,
  WrongDevice,
  NegativeDim,
  DimConstant,
  DimNotDivisible,
  DimNegativeSymbol,
  DimSymbolRange,
  DimFormula,
  FormulaFault,
  Stride,
  StrideNotCompact,
  Null,
  Misaligned,
  ReadOnly,
};

struct BindFailure {
  BindFault fault = BindFault::None;
  std::uint16_t param = 0;
  std::uint16_t dim = 0;
  std::int64_t expected = 0;
  std::int64_t got = 0;
  explicit operator bool() const { return fault != BindFault::None; }
};

// Checks every argument, fills the slots of scalars and symbols, and says which variant of the
// kernels the arguments call for.
BindFailure bind(const Plan& plan, std::span<const Argument> args, Device device,
                 std::int64_t* slots, std::uint8_t& variant);

// Its parts, without the short way that nearly all calls take; for tests.
BindFailure bind_carefully(const Plan& plan, std::span<const Argument> args, Device device,
                           std::int64_t* slots);

// The bytes that a tensor spans: how far from its address they begin (strides may be negative), and
// how many there are from the first to the last.
struct Footprint {
  std::uintptr_t low = 0;
  std::uintptr_t length = 0;  // 0: an empty tensor
};
Footprint footprint_of(const TensorView& tensor);

// Which variant bits the arguments call for (kIndex64, kAlias, kScalar).
std::uint8_t needed_variant(const Plan& plan, std::span<const Argument> args);

Failure describe(const Plan& plan, std::span<const Argument> args, Device device,
                 const BindFailure& failure);

}  // namespace tirxcc::abi
