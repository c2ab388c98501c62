// SPDX-License-Identifier: Apache-2.0
//
// NVRTC, the compiler from CUDA C++ to PTX or machine code that NVIDIA ships as a library. It is
// found at run time; without it everything but CUDA machine code still works.
//
//   Result<Nvrtc> nvrtc = Nvrtc::find(NvrtcSearch::from_environment());
//   Result<Compiled> cubin = nvrtc->compile({.text = text, .name = "relu.cu", .arch = "sm_90a"});
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "runtime/cuda/nvrtc_search.h"

namespace tirxcc::cuda {

enum class OutputKind : unsigned char { Ptx, Cubin };

struct CompileRequest {
  std::string_view text = "";
  std::string name = "kernel.cu";  // what messages call the text
  std::string arch = "sm_90a";
  OutputKind output = OutputKind::Cubin;
  bool fast_math = false;
  bool fma = true;                        // contract a * b + c into one rounding
  bool line_info = false;                 // for profilers
  bool own_half_headers = true;           // false for text with raw CUDA source in it
  std::vector<std::string> options = {};  // handed on as they are, last
  // Further in-memory headers: name as in the #include line, text.
  std::vector<std::pair<std::string, std::string>> headers = {};
};

struct Compiled {
  std::string binary = {};  // PTX text without a final zero byte, or a cubin
  std::string log = {};     // warnings; often empty
};

// Everything in a request besides the text and the name that determines the result: options and
// in-memory headers. For cache keys.
std::string fingerprint(const CompileRequest& request);

// A found NVRTC. Cheap to copy, safe to use from many threads.
class Nvrtc {
 public:
  // Searches in the order that NvrtcSearch documents; the failure lists the places and says how to
  // install NVRTC.
  static Result<Nvrtc> find(const NvrtcSearch& search);

  // The library file and its version, "13.0".
  const std::string& path() const;
  const std::string& version() const;

  // Compiles one text. Uses NVRTC's minimal mode (half the time) unless an #include of the text
  // needs more. The failure carries NVRTC's log.
  Result<Compiled> compile(const CompileRequest& request) const;

  // The sm numbers that this NVRTC compiles for, ascending: 75, 80, ...
  std::vector<int> supported_archs() const;

  struct Library;

 private:
  explicit Nvrtc(std::shared_ptr<Library> library) : library_(std::move(library)) {}

  std::shared_ptr<Library> library_;
};

}  // namespace tirxcc::cuda
