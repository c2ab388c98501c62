extern "C" __global__ void __launch_bounds__(128)
vectorized_branch_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (A_ptr[i * 4 + k] > 0.0f) {
        O_ptr[i * 4 + k] = A_ptr[i * 4 + k];
      } else {
        O_ptr[i * 4 + k] = 0.0f;
      }
    }
  }
}
