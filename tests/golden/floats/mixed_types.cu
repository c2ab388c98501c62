#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(128)
mixed_types_kernel(
    const half* __restrict__ A_ptr,
    const float* __restrict__ B_ptr,
    const double* __restrict__ C_ptr,
    const long long* __restrict__ D_ptr,
    float* __restrict__ O_ptr,
    double* __restrict__ P_ptr,
    half* __restrict__ Q_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 2] = __half2float(A_ptr[i]) + B_ptr[i];
    O_ptr[i * 2 + 1] = B_ptr[i] * D_ptr[i];
    P_ptr[i * 2] = C_ptr[i] - B_ptr[i];
    P_ptr[i * 2 + 1] = C_ptr[i] * D_ptr[i];
    Q_ptr[i] = A_ptr[i] + __float2half(D_ptr[i]);
  }
}
