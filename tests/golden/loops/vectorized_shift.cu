extern "C" __global__ void __launch_bounds__(128)
vectorized_shift_kernel(float* __restrict__ A_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
      A_ptr[i * 5 + k + 1] = A_ptr[i * 5 + k] + 1.0f;
    }
  }
}
