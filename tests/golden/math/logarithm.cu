extern "C" __global__ void __launch_bounds__(128)
logarithm_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 4] = logf(A_ptr[i]);
    O_ptr[i * 4 + 1] = log2f(A_ptr[i]);
    O_ptr[i * 4 + 2] = log10f(A_ptr[i]);
    O_ptr[i * 4 + 3] = log1pf(A_ptr[i]);
  }
}
