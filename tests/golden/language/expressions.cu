#include <cuda_fp16.h>

__device__ __forceinline__ int floordiv(int a, int b) {
  int q = a / b;
  return a % b != 0 && (a ^ b) < 0 ? q - 1 : q;
}

extern "C" __global__ void __launch_bounds__(256)
expressions_kernel(
    int* __restrict__ A_ptr,
    half* __restrict__ H_ptr,
    float* __restrict__ B_ptr,
    int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    A_ptr[i] = floordiv(A_ptr[i], 3) + (A_ptr[i] & 7);
    A_ptr[i] = (i >> 2) + ((A_ptr[i] >> 2) & 0xff);
    B_ptr[i] = A_ptr[i] / 3.0f;
    B_ptr[i] = sqrtf(fabsf(B_ptr[i])) + B_ptr[i] * B_ptr[i];
    H_ptr[i] = H_ptr[i] * __float2half(2.0f);
    H_ptr[i] = __float2half(__half2float(H_ptr[i]) * 2.5f);
    A_ptr[i] = (int)B_ptr[i];
  }
}
