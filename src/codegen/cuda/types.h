// SPDX-License-Identifier: Apache-2.0
//
// How CUDA C++ spells the language's types. Without headers NVRTC has no int64_t, so integers have
// their C names.
#pragma once

#include <string>
#include <string_view>

#include "abi/dtype.h"
#include "ir/ir.h"

namespace tirxcc::codegen_cuda {

// "unsigned char", "half", "void*".
std::string_view c_type(DType scalar);
// The same for what a variable holds: "float*" where it is known what a pointer points to.
std::string type_of_var(const ir::Var& var);

// The type of a wide access: `float4`, or words that carry more or smaller lanes (`uint4` for
// eight halves).
struct VectorType {
  std::string_view name;
  bool has_lanes = false;  // lanes are its members x, y, z, w
};
VectorType vector_type(DType vector);

// True for the sizes that one access moves: 2, 4, 8 and 16 bytes.
constexpr bool is_wide_access(int bytes) {
  return bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

}  // namespace tirxcc::codegen_cuda
