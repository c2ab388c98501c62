#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(128)
half_through_float_kernel(const half* __restrict__ A_ptr, half* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 3] = __float2half(sinhf(__half2float(A_ptr[i])));
    O_ptr[i * 3 + 1] = __float2half(erff(__half2float(A_ptr[i])));
    O_ptr[i * 3 + 2] = __float2half(atanf(__half2float(A_ptr[i])));
  }
}
