// SPDX-License-Identifier: Apache-2.0
//
// The headers that NVRTC is given in memory (headers/*.h, embedded by CMake): our own cuda_fp16.h
// and cuda_bf16.h in place of the toolkit's, see the paragraph at the top of headers/cuda_fp16.h.
#pragma once

#include <span>
#include <string_view>

namespace tirxcc::cuda {

struct InMemoryHeader {
  std::string_view name;  // as an #include line spells it
  std::string_view text;  // followed by a zero byte
};

std::span<const InMemoryHeader> own_headers();

}  // namespace tirxcc::cuda
