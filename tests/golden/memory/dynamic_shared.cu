__device__ __forceinline__ int floormod(int a, int b) {
  int r = a % b;
  return r != 0 && (r ^ b) < 0 ? r + b : r;
}

extern "C" __global__ void __launch_bounds__(256)
dynamic_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  extern __shared__ __align__(128) unsigned char smem[];
  int t = (int)threadIdx.x;
  float* row_ptr = (float*)&smem[2176];
  unsigned char* flags_ptr = (unsigned char*)smem;
  double* sums_ptr = (double*)&smem[128];
  unsigned int i_turns = t < n ? (((unsigned int)n - t - 1u) >> 8) + 1u : 0u;
  for (int i = t; i_turns > 0u; --i_turns, i += 256) {
    row_ptr[i] = A_ptr[i];
  }
  if (t < 100) {
    flags_ptr[t] = t;
  }
  sums_ptr[(t >> 5) * 32 + (t & 31)] = 0.0;
  __syncthreads();
  unsigned int i_turns_1 = t < n ? (((unsigned int)n - t - 1u) >> 8) + 1u : 0u;
  for (int i = t; i_turns_1 > 0u; --i_turns_1, i += 256) {
    B_ptr[i] = row_ptr[n - 1 - i] + (float)sums_ptr[0] + flags_ptr[floormod(i, 100)];
  }
}
