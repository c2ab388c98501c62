#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(256)
types_kernel(
    const unsigned char* __restrict__ U_ptr,
    long long* __restrict__ A_ptr,
    half* __restrict__ H_ptr,
    float* __restrict__ F_ptr,
    double* __restrict__ D_ptr,
    int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    A_ptr[i] = A_ptr[i] + 1ll;
    F_ptr[i] = U_ptr[i] * 2 + (unsigned char)(U_ptr[i] + U_ptr[i]);
    H_ptr[i] = H_ptr[i] * __float2half(2.0f);
    D_ptr[i] = D_ptr[i] * 0.1;
    double c_ptr[1];
    c_ptr[0] = 0.1;
    D_ptr[i] = D_ptr[i] + c_ptr[0];
  }
}
