#include <cuda_fp16.h>
#include <cuda_bf16.h>

__device__ __forceinline__ signed char to_int8(double x) {
  if (!(x >= -128.0)) {
    return x < 0.0 ? -128 : 0;
  }
  return x < 128.0 ? (signed char)x : 127;
}

__device__ __forceinline__ short to_int16(double x) {
  if (!(x >= -32768.0)) {
    return x < 0.0 ? -32768 : 0;
  }
  return x < 32768.0 ? (short)x : 32767;
}

__device__ __forceinline__ int to_int32(double x) {
  if (!(x >= -2147483648.0)) {
    return x < 0.0 ? (-2147483647 - 1) : 0;
  }
  return x < 2147483648.0 ? (int)x : 2147483647;
}

__device__ __forceinline__ long long to_int64(double x) {
  if (!(x >= -9.223372036854776e18)) {
    return x < 0.0 ? (-9223372036854775807ll - 1) : 0;
  }
  return x < 9.223372036854776e18 ? (long long)x : 9223372036854775807ll;
}

__device__ __forceinline__ unsigned char to_uint8(double x) {
  if (!(x >= 0.0)) {
    return 0;
  }
  return x < 256.0 ? (unsigned char)x : 255;
}

__device__ __forceinline__ unsigned short to_uint16(double x) {
  if (!(x >= 0.0)) {
    return 0;
  }
  return x < 65536.0 ? (unsigned short)x : 65535;
}

__device__ __forceinline__ unsigned int to_uint32(double x) {
  if (!(x >= 0.0)) {
    return 0u;
  }
  return x < 4294967296.0 ? (unsigned int)x : 4294967295u;
}

__device__ __forceinline__ unsigned long long to_uint64(double x) {
  if (!(x >= 0.0)) {
    return 0ull;
  }
  return x < 1.8446744073709552e19 ? (unsigned long long)x : 18446744073709551615ull;
}

extern "C" __global__ void __launch_bounds__(128)
from_float64_kernel(
    const double* __restrict__ A_ptr,
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
    float* __restrict__ O_float32_ptr,
    bool* __restrict__ O_bool_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_int8_ptr[i] = to_int8(A_ptr[i]);
    O_int16_ptr[i] = to_int16(A_ptr[i]);
    O_int32_ptr[i] = to_int32(A_ptr[i]);
    O_int64_ptr[i] = to_int64(A_ptr[i]);
    O_uint8_ptr[i] = to_uint8(A_ptr[i]);
    O_uint16_ptr[i] = to_uint16(A_ptr[i]);
    O_uint32_ptr[i] = to_uint32(A_ptr[i]);
    O_uint64_ptr[i] = to_uint64(A_ptr[i]);
    O_float16_ptr[i] = __double2half(A_ptr[i]);
    O_bfloat16_ptr[i] = __double2bfloat16(A_ptr[i]);
    O_float32_ptr[i] = A_ptr[i];
    O_bool_ptr[i] = A_ptr[i] != 0.0;
  }
}
