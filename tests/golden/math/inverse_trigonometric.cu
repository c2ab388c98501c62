extern "C" __global__ void __launch_bounds__(128)
inverse_trigonometric_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 3] = asinf(A_ptr[i]);
    O_ptr[i * 3 + 1] = acosf(A_ptr[i]);
    O_ptr[i * 3 + 2] = atanf(A_ptr[i]);
  }
}
