// SPDX-License-Identifier: Apache-2.0
//
// Names that people bring from CUDA C++, NumPy, Triton, Numba and Python's math, and what a kernel
// says instead. Only messages about unknown names ask.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tirxcc::sema {

// One habit: `__syncthreads` -> `T.cuda.cta_sync()`. Sorted by `foreign`.
struct ForeignName {
  std::string_view foreign;
  std::string_view ours;
};
std::span<const ForeignName> foreign_names();

// Advice about an unknown `name` (member empty) or `name.member`, and about `T.member` or
// `T.cuda.member`: "in a kernel, write 'T.sqrt'". Empty when nothing is known. Dialect 'A' or 'B'.
std::string advice_for_name(std::string_view name, std::string_view member, char dialect);
std::string advice_for_member(std::string_view member, char dialect);
// Advice about `T.path`, which the language has and this compiler does not support yet.
std::string advice_instead_of(std::string_view path);

}  // namespace tirxcc::sema
