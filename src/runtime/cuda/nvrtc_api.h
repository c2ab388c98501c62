// SPDX-License-Identifier: Apache-2.0
//
// The few entry points of NVRTC that we call, declared by hand from its documentation, so that no
// CUDA toolkit is needed to build. The ABI is plain C and has been stable since CUDA 11.2.
#pragma once

#include <cstddef>

namespace tirxcc::cuda {

struct NvrtcProgramTag;
using NvrtcProgram = NvrtcProgramTag*;

// nvrtcResult: the values that we treat in a special way.
enum NvrtcStatus : int {
  kNvrtcSuccess = 0,
  kNvrtcOutOfMemory = 1,
  kNvrtcInvalidOption = 5,
  kNvrtcCompilation = 6,
  kNvrtcBuiltinOperationFailure = 7,
};

// X(name without "nvrtc", type)
#define TIRXCC_NVRTC_FUNCTIONS(X)                                                                  \
  X(GetErrorString, const char* (*)(int))                                                          \
  X(Version, int (*)(int*, int*))                                                                  \
  X(GetNumSupportedArchs, int (*)(int*))                                                           \
  X(GetSupportedArchs, int (*)(int*))                                                              \
  X(CreateProgram,                                                                                 \
    int (*)(NvrtcProgram*, const char*, const char*, int, const char* const*, const char* const*)) \
  X(DestroyProgram, int (*)(NvrtcProgram*))                                                        \
  X(CompileProgram, int (*)(NvrtcProgram, int, const char* const*))                                \
  X(GetPTXSize, int (*)(NvrtcProgram, std::size_t*))                                               \
  X(GetPTX, int (*)(NvrtcProgram, char*))                                                          \
  X(GetCUBINSize, int (*)(NvrtcProgram, std::size_t*))                                             \
  X(GetCUBIN, int (*)(NvrtcProgram, char*))                                                        \
  X(GetProgramLogSize, int (*)(NvrtcProgram, std::size_t*))                                        \
  X(GetProgramLog, int (*)(NvrtcProgram, char*))

struct NvrtcApi {
#define TIRXCC_NVRTC_MEMBER(name, type) \
  using name##Function = type;          \
  name##Function name = nullptr;
  TIRXCC_NVRTC_FUNCTIONS(TIRXCC_NVRTC_MEMBER)
#undef TIRXCC_NVRTC_MEMBER
};

}  // namespace tirxcc::cuda
