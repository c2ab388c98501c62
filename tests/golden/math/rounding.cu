extern "C" __global__ void __launch_bounds__(128)
rounding_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 5] = floorf(A_ptr[i]);
    O_ptr[i * 5 + 1] = ceilf(A_ptr[i]);
    O_ptr[i * 5 + 2] = truncf(A_ptr[i]);
    O_ptr[i * 5 + 3] = nearbyintf(A_ptr[i]);
    O_ptr[i * 5 + 4] = nearbyintf(A_ptr[i]);
  }
}
