#include <cuda_bf16.h>

extern "C" __global__ void __launch_bounds__(128)
bfloat16_functions_kernel(
    const nv_bfloat16* __restrict__ A_ptr,
    nv_bfloat16* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 3] = hsqrt(A_ptr[i]);
    O_ptr[i * 3 + 1] = hexp(A_ptr[i]);
    O_ptr[i * 3 + 2] = hfloor(A_ptr[i]);
  }
}
