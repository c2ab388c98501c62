// SPDX-License-Identifier: Apache-2.0
//
// The text of the C header of an exported object.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/plan.h"

namespace tirxcc::driver {

struct CFunction {
  const abi::Plan* plan = nullptr;
  bool has_blocks = false;            // `<name>_block_count` and `<name>_blocks` exist
  std::vector<std::string> failures;  // what its asserts say, from number 1
};

// Whether C or C++ has the word for itself.
bool is_c_word(std::string_view name);

// `path`: the kernel file.
std::string c_header(std::span<const CFunction> functions, std::string_view path);

}  // namespace tirxcc::driver
