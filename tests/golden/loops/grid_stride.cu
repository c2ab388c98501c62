extern "C" __global__ void __launch_bounds__(256)
grid_stride_kernel(float* __restrict__ A_ptr, int m, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  for (int j = i; j < n; j += 16384) {
    A_ptr[j] = A_ptr[j] + 1.0f;
  }
  unsigned int j_turns = i < m ? (((unsigned int)m - i - 1u) >> 14) + 1u : 0u;
  for (int j = i; j_turns > 0u; --j_turns, j += 16384) {
    A_ptr[j] = A_ptr[j] * 2.0f;
  }
}
