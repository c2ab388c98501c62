// SPDX-License-Identifier: Apache-2.0
//
// What a caller passes to a compiled function: tensors by reference to their memory, scalars by
// value. Plain data; the Python package, the tool and the C++ API all fill these in.
#pragma once

#include <cstdint>

#include "abi/dtype.h"

namespace tirxcc::abi {

enum class DeviceKind : std::uint8_t { Cpu, Cuda, CudaHost, Other };

struct Device {
  DeviceKind kind = DeviceKind::Cpu;
  int index = 0;
  friend bool operator==(Device, Device) = default;
};

// A strided array somebody else owns, alive during the call. Strides count elements; null means
// row-major without gaps.
struct TensorView {
  void* data = nullptr;  // address of the first element (a DLPack byte_offset is already added)
  DType dtype;
  std::int32_t rank = 0;
  bool read_only = false;
  Device device;
  const std::int64_t* shape = nullptr;
  const std::int64_t* strides = nullptr;
};

enum class ArgumentKind : std::uint8_t { Missing, Tensor, Int, UInt, Float, Bool, None, Pointer };

struct Argument {
  ArgumentKind kind = ArgumentKind::Missing;
  union {
    const TensorView* tensor;
    std::int64_t int_value;    // Int, Bool (0 or 1)
    std::uint64_t uint_value;  // UInt: values of 2^63 and more
    double float_value;
    void* pointer;
  };
  Argument() : tensor(nullptr) {}
};

}  // namespace tirxcc::abi
