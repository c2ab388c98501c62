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
// The note about a member that T (owner empty) or the namespace `owner` ("cuda") does not have:
// such advice, or "did you mean 'T.cuda.lane_id'?", or nothing.
std::string note_for_member(std::string_view owner, std::string_view member, char dialect);
// `threads` -> "block": what T.cuda.LaunchConfig calls it. Empty when nothing is known.
std::string_view launch_field_for(std::string_view name);
// `float` -> "T.float32", `size_t` -> "T.int64". Empty when it is no type elsewhere.
std::string_view type_for(std::string_view name);
// Advice about `T.path`, which the language has and this compiler does not support yet.
std::string advice_instead_of(std::string_view path);

}  // namespace tirxcc::sema
