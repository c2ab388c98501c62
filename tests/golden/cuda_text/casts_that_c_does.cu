#include <cuda_fp16.h>

__device__ __forceinline__ long long to_int64(float x) {
  if (!(x >= -9.223372e18f)) {
    return x < 0.0f ? (-9223372036854775807ll - 1) : 0;
  }
  return x < 9.223372e18f ? (long long)x : 9223372036854775807ll;
}

extern "C" __global__ void __launch_bounds__(128)
casts_that_c_does_kernel(
    const int* __restrict__ A_ptr,
    const unsigned int* __restrict__ U_ptr,
    const long long* __restrict__ L_ptr,
    const float* __restrict__ F_ptr,
    const double* __restrict__ D_ptr,
    double* __restrict__ O_ptr,
    long long* __restrict__ P_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 8] = A_ptr[i] * F_ptr[i];
    O_ptr[i * 8 + 1] = A_ptr[i] * 0.5f;
    O_ptr[i * 8 + 2] = (float)A_ptr[i] / U_ptr[i];
    O_ptr[i * 8 + 3] = (float)D_ptr[i] * F_ptr[i];
    O_ptr[i * 8 + 4] = F_ptr[i] * D_ptr[i];
    O_ptr[i * 8 + 5] = (float)D_ptr[i];
    O_ptr[i * 8 + 6] = (double)__half2float(__float2half(F_ptr[i]));
    O_ptr[i * 8 + 7] = A_ptr[i] > 0 ? A_ptr[i] : D_ptr[i];
    P_ptr[i * 6] = A_ptr[i] + L_ptr[i];
    P_ptr[i * 6 + 1] = (long long)A_ptr[i] * A_ptr[i];
    P_ptr[i * 6 + 2] = A_ptr[i] + U_ptr[i];
    P_ptr[i * 6 + 3] = A_ptr[i] + (int)U_ptr[i];
    P_ptr[i * 6 + 4] = (long long)A_ptr[i] << 40;
    P_ptr[i * 6 + 5] = (int)F_ptr[i] + to_int64(F_ptr[i]);
  }
}
