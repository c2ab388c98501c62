// SPDX-License-Identifier: Apache-2.0
//
// Our hand-written declarations of the driver against NVIDIA's cuda.h: numbers, layouts, and the
// parameters of every function. Only compiled, by test_driver_abi.py, where there is a cuda.h.
#include "runtime/cuda/driver_api.h"

#include <cuda.h>

#include <type_traits>

namespace tirxcc::cuda {

// Parameters agree when they are passed the same way: both pointers, or both of the same size and
// kind.
template <typename Ours, typename Theirs>
constexpr bool same_passing() {
  if constexpr (std::is_pointer_v<Ours> || std::is_pointer_v<Theirs>) {
    return std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>;
  } else {
    return sizeof(Ours) == sizeof(Theirs) &&
           std::is_floating_point_v<Ours> == std::is_floating_point_v<Theirs>;
  }
}

template <typename... Ours, typename... Theirs>
constexpr bool same_function(int (*)(Ours...), CUresult (*)(Theirs...)) {
  if constexpr (sizeof...(Ours) == sizeof...(Theirs)) {
    return (same_passing<Ours, Theirs>() && ...);
  } else {
    return false;
  }
}

#define CHECK_FUNCTION(name, symbol, parameters)                                                 \
  static_assert(same_function(DriverApi::name##Function{nullptr}, decltype(&cu##name){nullptr}), \
                symbol);
// The one function whose name we shorten.
#define cuOccupancyMaxActiveBlocks cuOccupancyMaxActiveBlocksPerMultiprocessor
TIRXCC_DRIVER_FUNCTIONS(CHECK_FUNCTION)

#define CHECK_NUMBER(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs))
CHECK_NUMBER(kCudaInvalidValue, CUDA_ERROR_INVALID_VALUE);
CHECK_NUMBER(kCudaOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
CHECK_NUMBER(kCudaStubLibrary, CUDA_ERROR_STUB_LIBRARY);
CHECK_NUMBER(kCudaNoDevice, CUDA_ERROR_NO_DEVICE);
CHECK_NUMBER(kCudaInvalidImage, CUDA_ERROR_INVALID_IMAGE);
CHECK_NUMBER(kCudaInvalidContext, CUDA_ERROR_INVALID_CONTEXT);
CHECK_NUMBER(kCudaNoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
CHECK_NUMBER(kCudaEccUncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE);
CHECK_NUMBER(kCudaUnsupportedPtxVersion, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
CHECK_NUMBER(kCudaContained, CUDA_ERROR_CONTAINED);
CHECK_NUMBER(kCudaNotFound, CUDA_ERROR_NOT_FOUND);
CHECK_NUMBER(kCudaNotReady, CUDA_ERROR_NOT_READY);
CHECK_NUMBER(kCudaIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS);
CHECK_NUMBER(kCudaLaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
CHECK_NUMBER(kCudaLaunchTimeout, CUDA_ERROR_LAUNCH_TIMEOUT);
CHECK_NUMBER(kCudaAssert, CUDA_ERROR_ASSERT);
CHECK_NUMBER(kCudaHardwareStackError, CUDA_ERROR_HARDWARE_STACK_ERROR);
CHECK_NUMBER(kCudaIllegalInstruction, CUDA_ERROR_ILLEGAL_INSTRUCTION);
CHECK_NUMBER(kCudaMisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS);
CHECK_NUMBER(kCudaInvalidAddressSpace, CUDA_ERROR_INVALID_ADDRESS_SPACE);
CHECK_NUMBER(kCudaInvalidPc, CUDA_ERROR_INVALID_PC);
CHECK_NUMBER(kCudaLaunchFailed, CUDA_ERROR_LAUNCH_FAILED);
CHECK_NUMBER(kCudaCooperativeLaunchTooLarge, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
CHECK_NUMBER(kCudaTensorMemoryLeak, CUDA_ERROR_TENSOR_MEMORY_LEAK);
CHECK_NUMBER(kCudaNotSupported, CUDA_ERROR_NOT_SUPPORTED);
CHECK_NUMBER(kCudaSystemDriverMismatch, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
CHECK_NUMBER(kCudaStreamCaptureUnsupported, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
CHECK_NUMBER(kCudaInvalidClusterSize, CUDA_ERROR_INVALID_CLUSTER_SIZE);

CHECK_NUMBER(DeviceAttribute::MaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
CHECK_NUMBER(DeviceAttribute::MaxGridDimX, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
CHECK_NUMBER(DeviceAttribute::MaxGridDimY, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
CHECK_NUMBER(DeviceAttribute::MaxGridDimZ, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
CHECK_NUMBER(DeviceAttribute::MultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
CHECK_NUMBER(DeviceAttribute::L2CacheSize, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
CHECK_NUMBER(DeviceAttribute::MaxThreadsPerMultiprocessor,
             CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
CHECK_NUMBER(DeviceAttribute::ComputeCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
CHECK_NUMBER(DeviceAttribute::ComputeCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
CHECK_NUMBER(DeviceAttribute::MaxSharedMemoryPerBlockOptin,
             CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);

CHECK_NUMBER(FunctionAttribute::MaxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
CHECK_NUMBER(FunctionAttribute::SharedSizeBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
CHECK_NUMBER(FunctionAttribute::ConstSizeBytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
CHECK_NUMBER(FunctionAttribute::LocalSizeBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
CHECK_NUMBER(FunctionAttribute::NumRegs, CU_FUNC_ATTRIBUTE_NUM_REGS);
CHECK_NUMBER(FunctionAttribute::PtxVersion, CU_FUNC_ATTRIBUTE_PTX_VERSION);
CHECK_NUMBER(FunctionAttribute::BinaryVersion, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
CHECK_NUMBER(FunctionAttribute::MaxDynamicSharedSizeBytes,
             CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
CHECK_NUMBER(FunctionAttribute::NonPortableClusterSizeAllowed,
             CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);

CHECK_NUMBER(LaunchAttributeId::AccessPolicyWindow, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW);
CHECK_NUMBER(LaunchAttributeId::Cooperative, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
CHECK_NUMBER(LaunchAttributeId::ClusterDimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
CHECK_NUMBER(LaunchAttributeId::ClusterSchedulingPolicyPreference,
             CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
CHECK_NUMBER(LaunchAttributeId::ProgrammaticStreamSerialization,
             CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
CHECK_NUMBER(LaunchAttributeId::ProgrammaticEvent, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT);
CHECK_NUMBER(LaunchAttributeId::Priority, CU_LAUNCH_ATTRIBUTE_PRIORITY);
CHECK_NUMBER(LaunchAttributeId::MemSyncDomainMap, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP);
CHECK_NUMBER(LaunchAttributeId::MemSyncDomain, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN);
CHECK_NUMBER(LaunchAttributeId::PreferredClusterDimension,
             CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION);
CHECK_NUMBER(LaunchAttributeId::LaunchCompletionEvent, CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT);
CHECK_NUMBER(LaunchAttributeId::PreferredSharedMemoryCarveout,
             CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
CHECK_NUMBER(LaunchAttributeId::NvlinkUtilCentricScheduling,
             CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING);

static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));
static_assert(sizeof(AccessPolicyWindow) == sizeof(CUaccessPolicyWindow));
static_assert(offsetof(AccessPolicyWindow, hit_ratio) == offsetof(CUaccessPolicyWindow, hitRatio));
static_assert(offsetof(AccessPolicyWindow, hit_property) ==
              offsetof(CUaccessPolicyWindow, hitProp));
static_assert(sizeof(LaunchAttribute{}.value.dim) == sizeof(CUlaunchAttributeValue::clusterDim));
static_assert(sizeof(LaunchAttribute{}.value.domains) == sizeof(CUlaunchMemSyncDomainMap));
static_assert(offsetof(CUlaunchMemSyncDomainMap, remote) == 1);
static_assert(sizeof(LaunchAttribute{}.value.event) ==
              sizeof(CUlaunchAttributeValue::programmaticEvent));
// Words are numbered by their place (abi/launch_options.h).
CHECK_NUMBER(0, CU_CLUSTER_SCHEDULING_POLICY_DEFAULT);
CHECK_NUMBER(1, CU_CLUSTER_SCHEDULING_POLICY_SPREAD);
CHECK_NUMBER(2, CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING);
CHECK_NUMBER(0, CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT);
CHECK_NUMBER(1, CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE);
CHECK_NUMBER(0, CU_ACCESS_PROPERTY_NORMAL);
CHECK_NUMBER(1, CU_ACCESS_PROPERTY_STREAMING);
CHECK_NUMBER(2, CU_ACCESS_PROPERTY_PERSISTING);
static_assert(sizeof(CuLaunchConfig) == sizeof(CUlaunchConfig));
static_assert(offsetof(CuLaunchConfig, shared_bytes) == offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(CuLaunchConfig, stream) == offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(CuLaunchConfig, attributes) == offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(CuLaunchConfig, attribute_count) == offsetof(CUlaunchConfig, numAttrs));

}  // namespace tirxcc::cuda
