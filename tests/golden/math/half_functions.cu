#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(128)
half_functions_kernel(const half* __restrict__ A_ptr, half* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 5] = hsqrt(A_ptr[i]);
    O_ptr[i * 5 + 1] = hexp(A_ptr[i]);
    O_ptr[i * 5 + 2] = hlog(A_ptr[i]);
    O_ptr[i * 5 + 3] = hfloor(A_ptr[i]);
    O_ptr[i * 5 + 4] = __habs(A_ptr[i]);
  }
}
