// SPDX-License-Identifier: Apache-2.0
//
// Literals of CUDA C++: `7`, `255u`, `0xffffffffu`, `(-2147483647 - 1)`, `0.5f`, `1e-30f`,
// `__int_as_float(0x7f800000)`, `__float2half(0.5f)`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "abi/dtype.h"

namespace tirxcc::codegen_cuda {

// An integer or bool literal. Narrow types have no literals in C: theirs are of type int.
// `bare` leaves the suffix away, where C converts an int anyway.
void append_int(std::string& out, DType type, std::int64_t value, bool is_hex, bool bare = false);
// A float literal: the shortest digits that read back.
void append_float(std::string& out, DType type, double value);
// A string literal with C's escapes; bytes beyond ASCII stay as they are.
void append_string(std::string& out, std::string_view text);

}  // namespace tirxcc::codegen_cuda
