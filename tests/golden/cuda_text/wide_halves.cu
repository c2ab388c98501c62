#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(128)
wide_halves_kernel(const half* __restrict__ A_ptr, half* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    uint4 A_v = *(const uint4*)&A_ptr[i * 8];
    uint4 O_v;
    ((half*)&O_v)[0] = ((const half*)&A_v)[0] * __float2half(2.0f);
    ((half*)&O_v)[1] = ((const half*)&A_v)[1] * __float2half(2.0f);
    ((half*)&O_v)[2] = ((const half*)&A_v)[2] * __float2half(2.0f);
    ((half*)&O_v)[3] = ((const half*)&A_v)[3] * __float2half(2.0f);
    ((half*)&O_v)[4] = ((const half*)&A_v)[4] * __float2half(2.0f);
    ((half*)&O_v)[5] = ((const half*)&A_v)[5] * __float2half(2.0f);
    ((half*)&O_v)[6] = ((const half*)&A_v)[6] * __float2half(2.0f);
    ((half*)&O_v)[7] = ((const half*)&A_v)[7] * __float2half(2.0f);
    *(uint4*)&O_ptr[i * 8] = O_v;
  }
}
