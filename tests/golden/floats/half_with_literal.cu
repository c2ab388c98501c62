#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(128)
half_with_literal_kernel(const half* __restrict__ A_ptr, half* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 2] = A_ptr[i] * __float2half(2.0f) + __float2half(1.0f);
    O_ptr[i * 2 + 1] = __float2half(__half2float(A_ptr[i]) * 2.5f + 1.0f);
  }
}
