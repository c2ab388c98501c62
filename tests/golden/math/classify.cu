extern "C" __global__ void __launch_bounds__(128)
classify_kernel(const float* __restrict__ A_ptr, bool* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 3] = isnan(A_ptr[i]);
    O_ptr[i * 3 + 1] = isinf(A_ptr[i]);
    O_ptr[i * 3 + 2] = isfinite(A_ptr[i]);
  }
}
