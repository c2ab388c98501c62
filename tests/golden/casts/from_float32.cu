#include <cuda_fp16.h>
#include <cuda_bf16.h>

__device__ __forceinline__ signed char to_int8(float x) {
  return (signed char)min(max((int)x, -128), 127);
}

__device__ __forceinline__ short to_int16(float x) {
  return (short)min(max((int)x, -32768), 32767);
}

__device__ __forceinline__ long long to_int64(float x) {
  if (!(x >= -9.223372e18f)) {
    return x < 0.0f ? (-9223372036854775807ll - 1) : 0;
  }
  return x < 9.223372e18f ? (long long)x : 9223372036854775807ll;
}

__device__ __forceinline__ unsigned char to_uint8(float x) {
  return (unsigned char)min(max((int)x, 0), 255);
}

__device__ __forceinline__ unsigned short to_uint16(float x) {
  return (unsigned short)min(max((int)x, 0), 65535);
}

__device__ __forceinline__ unsigned long long to_uint64(float x) {
  if (!(x >= 0.0f)) {
    return 0ull;
  }
  return x < 1.8446744e19f ? (unsigned long long)x : 18446744073709551615ull;
}

extern "C" __global__ void __launch_bounds__(128)
from_float32_kernel(
    const float* __restrict__ A_ptr,
    signed char* __restrict__ O_int8_ptr,
    short* __restrict__ O_int16_ptr,
    int* __restrict__ O_int32_ptr,
    long long* __restrict__ O_int64_ptr,
    unsigned char* __restrict__ O_uint8_ptr,
    unsigned short* __restrict__ O_uint16_ptr,
    unsigned int* __restrict__ O_uint32_ptr,
    unsigned long long* __restrict__ O_uint64_ptr,
    half* __restrict__ O_float16_ptr,
    nv_bfloat16* __restrict__ O_bfloat16_ptr,
    double* __restrict__ O_float64_ptr,
    bool* __restrict__ O_bool_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_int8_ptr[i] = to_int8(A_ptr[i]);
    O_int16_ptr[i] = to_int16(A_ptr[i]);
    O_int32_ptr[i] = (int)A_ptr[i];
    O_int64_ptr[i] = to_int64(A_ptr[i]);
    O_uint8_ptr[i] = to_uint8(A_ptr[i]);
    O_uint16_ptr[i] = to_uint16(A_ptr[i]);
    O_uint32_ptr[i] = (unsigned int)A_ptr[i];
    O_uint64_ptr[i] = to_uint64(A_ptr[i]);
    O_float16_ptr[i] = __float2half(A_ptr[i]);
    O_bfloat16_ptr[i] = __float2bfloat16(A_ptr[i]);
    O_float64_ptr[i] = A_ptr[i];
    O_bool_ptr[i] = A_ptr[i] != 0.0f;
  }
}
