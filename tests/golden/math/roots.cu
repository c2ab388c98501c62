extern "C" __global__ void __launch_bounds__(128)
roots_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 2] = sqrtf(A_ptr[i]);
    O_ptr[i * 2 + 1] = rsqrtf(A_ptr[i]);
  }
}
