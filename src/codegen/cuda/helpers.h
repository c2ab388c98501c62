// SPDX-License-Identifier: Apache-2.0
//
// Small device functions that a text brings along for what C++ has no operator or function for:
// floor division, maxima that propagate NaN, saturating conversions, electing a lane. Each is
// printed only when a kernel of the text uses it, and once.
#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "abi/dtype.h"

namespace tirxcc::codegen_cuda {

enum class Helper : unsigned char {
  FloorDivI32,
  FloorDivI64,
  FloorModI32,
  FloorModI64,
  FloorModF32,
  FloorModF64,
  MaxNanF32,
  MaxNanF64,
  MinNanF32,
  MinNanF64,
  ElectSync,
  // to_<integer>(float) and (double), in the order int8 int16 int32 int64 uint8 ... uint64
  ToIntFromF32,
  ToIntFromF64 = ToIntFromF32 + 8,
  End = ToIntFromF64 + 8,
};

// The conversion of a float32 or float64 to an integer type that saturates, NaN giving 0.
Helper to_int_helper(DType from, DType to);
// "to_int8".
std::string_view to_int_name(DType to);

class HelperSet {
 public:
  void use(Helper helper) { used_.set(static_cast<std::size_t>(helper)); }
  bool uses(Helper helper) const { return used_.test(static_cast<std::size_t>(helper)); }
  // A helper that a row of the intrinsic table brings along.
  void use(std::string_view text);
  // The texts of all used helpers, each followed by an empty line.
  std::string texts(int arch) const;

 private:
  std::vector<std::string_view> of_rows_;  // in order of first use
  std::bitset<static_cast<std::size_t>(Helper::End)> used_;
};

}  // namespace tirxcc::codegen_cuda
