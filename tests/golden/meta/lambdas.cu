extern "C" __global__ void __launch_bounds__(128)
lambdas_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 3] = (A_ptr[i] + 1.0f) * (A_ptr[i] + 1.0f);
    O_ptr[i * 3 + 1] = A_ptr[i] + (8.0f - A_ptr[i]) * 0.25f;
    O_ptr[i * 3 + 2] = A_ptr[i] + (8.0f - A_ptr[i]) * 0.5f;
  }
}
