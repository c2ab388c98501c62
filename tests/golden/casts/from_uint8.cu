#include <cuda_fp16.h>
#include <cuda_bf16.h>

extern "C" __global__ void __launch_bounds__(128)
from_uint8_kernel(
    const unsigned char* __restrict__ A_ptr,
    signed char* __restrict__ O_int8_ptr,
    short* __restrict__ O_int16_ptr,
    int* __restrict__ O_int32_ptr,
    long long* __restrict__ O_int64_ptr,
    unsigned short* __restrict__ O_uint16_ptr,
    unsigned int* __restrict__ O_uint32_ptr,
    unsigned long long* __restrict__ O_uint64_ptr,
    half* __restrict__ O_float16_ptr,
    nv_bfloat16* __restrict__ O_bfloat16_ptr,
    float* __restrict__ O_float32_ptr,
    double* __restrict__ O_float64_ptr,
    bool* __restrict__ O_bool_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_int8_ptr[i] = A_ptr[i];
    O_int16_ptr[i] = A_ptr[i];
    O_int32_ptr[i] = A_ptr[i];
    O_int64_ptr[i] = A_ptr[i];
    O_uint16_ptr[i] = A_ptr[i];
    O_uint32_ptr[i] = A_ptr[i];
    O_uint64_ptr[i] = A_ptr[i];
    O_float16_ptr[i] = __float2half(A_ptr[i]);
    O_bfloat16_ptr[i] = __float2bfloat16(A_ptr[i]);
    O_float32_ptr[i] = A_ptr[i];
    O_float64_ptr[i] = A_ptr[i];
    O_bool_ptr[i] = A_ptr[i] != 0;
  }
}
