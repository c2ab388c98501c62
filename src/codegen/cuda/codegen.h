// SPDX-License-Identifier: Apache-2.0
//
// The CUDA back end: IR in, CUDA C++ for people out. The text is a product (docs/architecture.md);
// it has the shape that the language's documents show, with the kernel's own names, C's minimum of
// parentheses and no cast that means nothing.
//
// The kernels that arrive have gone through simplify, lower_division, flatten and vectorize: every
// access has one flat offset, and nothing here transforms. The parts: facts (what must be known
// before the first line), names, types and literals, conversions (what C does by itself), expr and
// calls, stmt, helpers (small functions that a text brings along), and this file, which puts a
// text together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "abi/plan.h"
#include "ir/ir.h"
#include "source/source.h"

namespace tirxcc::codegen_cuda {

struct CudaOptions {
  bool plain_scalars = false;    // mutable scalars as `int i = 0;`, loops as `while (c)`
  bool line_directives = false;  // `#line` before every statement
  int arch = 90;                 // compute capability, 10 * major + minor
  char arch_suffix = 'a';        // 'a', 'f', or 0
  // abi::Variant bits. They name the kernel (`_64`, `_alias`, `_scalar`); kAlias drops
  // `__restrict__`. 64-bit offsets and scalar accesses are in the IR already.
  unsigned variant = abi::kDefaultVariant;
  // kernel_symbol() of each kernel; empty: made of the kernels' own names.
  std::span<const std::string> symbols = {};
};

// The statement that begins at a line of the text (1-based) comes from `span`.
struct LineMapEntry {
  std::uint32_t line = 0;
  source::Span span;
};

struct CudaText {
  std::string text;
  std::vector<std::string> kernel_names;  // one per kernel, in order; empty for a host function
  bool needs_fp16 = false;                // the text includes <cuda_fp16.h>
  bool needs_bf16 = false;
  std::vector<LineMapEntry> lines;
};

// The name of a function's kernel in the text, before the suffix of a variant: "relu_kernel", for
// the second region "relu_kernel_1".
std::string kernel_symbol(std::string_view function, std::size_t region);

// One text for several kernels. `sources` is needed for line_directives and device asserts; it may
// be null.
CudaText emit_cuda(std::span<const ir::Kernel* const> kernels, const CudaOptions& options,
                   const source::SourceManager* sources);

}  // namespace tirxcc::codegen_cuda
