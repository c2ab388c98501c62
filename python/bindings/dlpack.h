// SPDX-License-Identifier: Apache-2.0
//
// The structures of DLPack 1.3 (https://dmlc.github.io/dlpack), declared from its specification:
// what a capsule from __dlpack__ points to, and the table of C functions that a tensor type offers
// as __dlpack_c_exchange_api__.
#pragma once

#include <cstdint>

enum DLDeviceType : std::int32_t { kDLCpu = 1, kDLCuda = 2, kDLCudaHost = 3, kDLCudaManaged = 13 };
enum DLDataTypeCode : std::uint8_t {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLBfloat = 4,
  kDLBool = 6,
};

struct DLDevice {
  std::int32_t device_type;
  std::int32_t device_id;
};

struct DLDataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};

struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor*);
};

struct DLPackVersion {
  std::uint32_t major;
  std::uint32_t minor;
};

inline constexpr std::uint64_t kDLFlagReadOnly = 1;

struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned*);
  std::uint64_t flags;
  DLTensor dl_tensor;
};

struct DLPackExchangeAPIHeader {
  DLPackVersion version;
  DLPackExchangeAPIHeader* prev_api;  // the same of an older version, or null
};

// Functions return 0, or -1 with a Python error set. Null where the producer has none, except for
// the conversions of managed tensors.
struct DLPackExchangeAPI {
  DLPackExchangeAPIHeader header;
  int (*managed_tensor_allocator)(DLTensor* prototype, DLManagedTensorVersioned** out,
                                  void* context,
                                  void (*set_error)(void*, const char*, const char*));
  int (*managed_tensor_from_py_object_no_sync)(void* object, DLManagedTensorVersioned** out);
  int (*managed_tensor_to_py_object_no_sync)(DLManagedTensorVersioned* tensor, void** out);
  // What it gives points into the object, and is used only while the object is unchanged.
  int (*dltensor_from_py_object_no_sync)(void* object, DLTensor* out);
  int (*current_work_stream)(DLDeviceType type, std::int32_t device, void** out);
};
