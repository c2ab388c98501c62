// SPDX-License-Identifier: Apache-2.0
//
// Where NVRTC may be. It comes as a PyPI wheel (CUDA 12: site-packages/nvidia/cuda_nvrtc/lib, from
// CUDA 13 on: site-packages/nvidia/cu13/lib) or with a CUDA toolkit (<toolkit>/lib64); the order in
// which the places are tried is the order of the fields below.
#pragma once

#include <string>
#include <vector>

namespace tirxcc::cuda {

struct NvrtcSearch {
  // The library itself, from the environment variable TIRXCC_NVRTC. If it is set nothing else is
  // tried: who names a library wants that one.
  std::string library = {};
  // A library, or a folder that holds one, named by the caller; the Python package passes the
  // folder of the wheel that it imports.
  std::string given = {};
  // Prefixes of Python installations: the active virtual environment, those around the executable.
  std::vector<std::string> prefixes = {};
  // CUDA_HOME, CUDA_PATH, /usr/local/cuda.
  std::vector<std::string> toolkits = {};
  // Last, the names that the dynamic loader resolves. Tests switch it off.
  bool ask_loader = true;

  // The search that the process's environment asks for.
  static NvrtcSearch from_environment(std::string given = {});
};

// Existing libraries in the order of the search, the newest of a folder first; without `library`
// and without what only the loader knows.
std::vector<std::string> nvrtc_candidates(const NvrtcSearch& search);

// Prefixes around a program: for /x/.venv/bin/tirxcc that is /x/.venv, and for a build folder below
// /x also /x/.venv. Folders that everyone may write to are left out.
std::vector<std::string> prefixes_around(const std::string& executable);

// A folder with CUDA's own headers (cuda_fp16.h) that belongs to an NVRTC library, or "".
std::string find_cuda_headers(const std::string& library, const NvrtcSearch& search);

}  // namespace tirxcc::cuda
