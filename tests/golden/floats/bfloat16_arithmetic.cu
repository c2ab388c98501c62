#include <cuda_bf16.h>

__device__ __forceinline__ float floormod(float a, float b) {
  float r = fmodf(a, b);
  if (r == 0.0f) {
    return copysignf(0.0f, b);
  }
  return (r < 0.0f) != (b < 0.0f) ? r + b : r;
}

extern "C" __global__ void __launch_bounds__(128)
bfloat16_arithmetic_kernel(
    const nv_bfloat16* __restrict__ A_ptr,
    const nv_bfloat16* __restrict__ B_ptr,
    nv_bfloat16* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 7] = A_ptr[i] + B_ptr[i];
    O_ptr[i * 7 + 1] = A_ptr[i] - B_ptr[i];
    O_ptr[i * 7 + 2] = A_ptr[i] * B_ptr[i];
    O_ptr[i * 7 + 3] = A_ptr[i] / B_ptr[i];
    O_ptr[i * 7 + 4] = hfloor(A_ptr[i] / B_ptr[i]);
    O_ptr[i * 7 + 5] = __float2bfloat16(floormod(__bfloat162float(A_ptr[i]), __bfloat162float(B_ptr[i])));
    O_ptr[i * 7 + 6] = -A_ptr[i];
  }
}
