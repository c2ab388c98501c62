// SPDX-License-Identifier: Apache-2.0
//
// The entry points of the CUDA driver (libcuda) that we call, declared by hand from the driver
// API's documentation, so that no CUDA toolkit is needed to build. Names and numbers are the
// driver's; handles are distinct opaque pointers so that they cannot be mixed up. Needs a driver of
// CUDA 12.0 or later (context-independent loading).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tirxcc::cuda {

struct CuContextTag;
struct CuLibraryTag;
struct CuKernelTag;
struct CuFunctionTag;
struct CuStreamTag;
struct CuEventTag;
using CuContext = CuContextTag*;
using CuLibrary = CuLibraryTag*;
using CuKernel = CuKernelTag*;
using CuFunction = CuFunctionTag*;
using CuStream = CuStreamTag*;
using CuEvent = CuEventTag*;
using DevicePointer = std::uint64_t;

// CUresult: the values that we treat in a special way.
enum CuStatus : int {
  kCudaSuccess = 0,
  kCudaInvalidValue = 1,
  kCudaOutOfMemory = 2,
  kCudaStubLibrary = 34,
  kCudaNoDevice = 100,
  kCudaInvalidImage = 200,
  kCudaInvalidContext = 201,
  kCudaNoBinaryForGpu = 209,
  kCudaEccUncorrectable = 214,
  kCudaUnsupportedPtxVersion = 222,
  kCudaContained = 226,
  kCudaNotFound = 500,
  kCudaNotReady = 600,
  kCudaIllegalAddress = 700,
  kCudaLaunchOutOfResources = 701,
  kCudaLaunchTimeout = 702,
  kCudaAssert = 710,
  kCudaHardwareStackError = 714,
  kCudaIllegalInstruction = 715,
  kCudaMisalignedAddress = 716,
  kCudaInvalidAddressSpace = 717,
  kCudaInvalidPc = 718,
  kCudaLaunchFailed = 719,
  kCudaCooperativeLaunchTooLarge = 720,
  kCudaTensorMemoryLeak = 721,
  kCudaNotSupported = 801,
  kCudaSystemDriverMismatch = 803,
  kCudaStreamCaptureUnsupported = 900,
  kCudaInvalidClusterSize = 912,
};

// CUdevice_attribute.
enum class DeviceAttribute : int {
  MaxThreadsPerBlock = 1,
  MaxGridDimX = 5,
  MaxGridDimY = 6,
  MaxGridDimZ = 7,
  MultiprocessorCount = 16,
  L2CacheSize = 38,
  MaxThreadsPerMultiprocessor = 39,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedMemoryPerBlockOptin = 97,
};

// CUfunction_attribute.
enum class FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  SharedSizeBytes = 1,
  ConstSizeBytes = 2,
  LocalSizeBytes = 3,
  NumRegs = 4,
  PtxVersion = 5,
  BinaryVersion = 6,
  MaxDynamicSharedSizeBytes = 8,
  NonPortableClusterSizeAllowed = 14,
};

// CUlaunchAttributeID.
enum class LaunchAttributeId : int {
  AccessPolicyWindow = 1,
  Cooperative = 2,
  ClusterDimension = 4,
  ClusterSchedulingPolicyPreference = 5,
  ProgrammaticStreamSerialization = 6,
  ProgrammaticEvent = 7,
  Priority = 8,
  MemSyncDomainMap = 9,
  MemSyncDomain = 10,
  PreferredClusterDimension = 11,
  LaunchCompletionEvent = 12,
  PreferredSharedMemoryCarveout = 14,
  NvlinkUtilCentricScheduling = 16,
  PortableClusterSizeMode = 17,
  SharedMemoryMode = 18,
};

// CUaccessPolicyWindow; properties: 0 normal, 1 streaming, 2 persisting.
struct AccessPolicyWindow {
  void* base;
  std::size_t bytes;
  float hit_ratio;
  int hit_property;
  int miss_property;
};

// CUlaunchAttribute: an id and a union of 64 bytes, of which we use these members.
struct LaunchAttribute {
  LaunchAttributeId id;
  int padding;
  union {
    char bytes[64];
    int number;  // flags, policies, priority, percent
    struct {
      unsigned x, y, z;
    } dim;
    struct {
      unsigned char normal, remote;
    } domains;
    struct {
      CuEvent event;
      int flags;
      int trigger_at_block_start;
    } event;
    AccessPolicyWindow window;
  } value;
};
static_assert(sizeof(LaunchAttribute) == 72);

// CUlaunchConfig.
struct CuLaunchConfig {
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared_bytes;
  CuStream stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};
static_assert(sizeof(CuLaunchConfig) == 56);

// X(name without "cu", exported symbol, parameters); all return CUresult.
#define TIRXCC_DRIVER_FUNCTIONS(X)                                                               \
  X(Init, "cuInit", (unsigned))                                                                  \
  X(DriverGetVersion, "cuDriverGetVersion", (int*))                                              \
  X(GetErrorName, "cuGetErrorName", (int, const char**))                                         \
  X(GetErrorString, "cuGetErrorString", (int, const char**))                                     \
  X(DeviceGetCount, "cuDeviceGetCount", (int*))                                                  \
  X(DeviceGet, "cuDeviceGet", (int*, int))                                                       \
  X(DeviceGetName, "cuDeviceGetName", (char*, int, int))                                         \
  X(DeviceGetAttribute, "cuDeviceGetAttribute", (int*, DeviceAttribute, int))                    \
  X(DeviceTotalMem, "cuDeviceTotalMem_v2", (std::size_t*, int))                                  \
  X(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CuContext*, int))                       \
  X(CtxGetCurrent, "cuCtxGetCurrent", (CuContext*))                                              \
  X(CtxSetCurrent, "cuCtxSetCurrent", (CuContext))                                               \
  X(CtxGetDevice, "cuCtxGetDevice", (int*))                                                      \
  X(CtxSynchronize, "cuCtxSynchronize", ())                                                      \
  X(LibraryLoadData, "cuLibraryLoadData",                                                        \
    (CuLibrary*, const void*, void*, void**, unsigned, void*, void**, unsigned))                 \
  X(LibraryUnload, "cuLibraryUnload", (CuLibrary))                                               \
  X(LibraryGetKernel, "cuLibraryGetKernel", (CuKernel*, CuLibrary, const char*))                 \
  X(KernelGetFunction, "cuKernelGetFunction", (CuFunction*, CuKernel))                           \
  X(KernelGetAttribute, "cuKernelGetAttribute", (int*, FunctionAttribute, CuKernel, int))        \
  X(KernelSetAttribute, "cuKernelSetAttribute", (FunctionAttribute, int, CuKernel, int))         \
  X(FuncGetAttribute, "cuFuncGetAttribute", (int*, FunctionAttribute, CuFunction))               \
  X(OccupancyMaxActiveBlocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                     \
    (int*, CuFunction, int, std::size_t))                                                        \
  X(LaunchKernel, "cuLaunchKernel",                                                              \
    (CuFunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CuStream, \
     void**, void**))                                                                            \
  X(LaunchKernelEx, "cuLaunchKernelEx", (const CuLaunchConfig*, CuFunction, void**, void**))     \
  X(StreamCreate, "cuStreamCreate", (CuStream*, unsigned))                                       \
  X(StreamDestroy, "cuStreamDestroy_v2", (CuStream))                                             \
  X(StreamSynchronize, "cuStreamSynchronize", (CuStream))                                        \
  X(EventCreate, "cuEventCreate", (CuEvent*, unsigned))                                          \
  X(EventDestroy, "cuEventDestroy_v2", (CuEvent))                                                \
  X(EventRecord, "cuEventRecord", (CuEvent, CuStream))                                           \
  X(EventSynchronize, "cuEventSynchronize", (CuEvent))                                           \
  X(EventElapsedTime, "cuEventElapsedTime", (float*, CuEvent, CuEvent))                          \
  X(MemAlloc, "cuMemAlloc_v2", (DevicePointer*, std::size_t))                                    \
  X(MemFree, "cuMemFree_v2", (DevicePointer))                                                    \
  X(MemAllocAsync, "cuMemAllocAsync", (DevicePointer*, std::size_t, CuStream))                   \
  X(MemFreeAsync, "cuMemFreeAsync", (DevicePointer, CuStream))                                   \
  X(MemcpyHtoD, "cuMemcpyHtoD_v2", (DevicePointer, const void*, std::size_t))                    \
  X(MemcpyDtoH, "cuMemcpyDtoH_v2", (void*, DevicePointer, std::size_t))                          \
  X(MemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2",                                                     \
    (DevicePointer, DevicePointer, std::size_t, CuStream))                                       \
  X(MemsetD8Async, "cuMemsetD8Async", (DevicePointer, unsigned char, std::size_t, CuStream))     \
  X(MemGetInfo, "cuMemGetInfo_v2", (std::size_t*, std::size_t*))

struct DriverApi {
#define TIRXCC_DRIVER_MEMBER(name, symbol, parameters) \
  using name##Function = int(*) parameters;            \
  name##Function name = nullptr;
  TIRXCC_DRIVER_FUNCTIONS(TIRXCC_DRIVER_MEMBER)
#undef TIRXCC_DRIVER_MEMBER
};

}  // namespace tirxcc::cuda
