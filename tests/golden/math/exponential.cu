extern "C" __global__ void __launch_bounds__(128)
exponential_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 3] = expf(A_ptr[i]);
    O_ptr[i * 3 + 1] = exp2f(A_ptr[i]);
    O_ptr[i * 3 + 2] = exp10f(A_ptr[i]);
  }
}
