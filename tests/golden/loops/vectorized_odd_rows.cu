extern "C" __global__ void __launch_bounds__(128)
vectorized_odd_rows_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
      O_ptr[i * 5 + k] = A_ptr[i * 5 + k] * 2.0f;
    }
    O_ptr[i * 5 + 4] = A_ptr[i * 5 + 4];
  }
}
