extern "C" __global__ void __launch_bounds__(128)
inverse_hyperbolic_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 3] = asinhf(A_ptr[i]);
    O_ptr[i * 3 + 1] = acoshf(A_ptr[i]);
    O_ptr[i * 3 + 2] = atanhf(A_ptr[i]);
  }
}
