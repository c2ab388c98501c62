extern "C" __global__ void __launch_bounds__(256)
dynamic_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  extern __shared__ __align__(128) unsigned char smem[];
  int t = (int)threadIdx.x;
  float* row_ptr = (float*)&smem[2176];
  unsigned char* flags_ptr = (unsigned char*)smem;
  double* sums_ptr = (double*)&smem[128];
  for (int i = t; i < n; i += 256) {
    row_ptr[i] = A_ptr[i];
  }
  if (t < 100) {
    flags_ptr[t] = t;
  }
  sums_ptr[(t >> 5) * 32 + (t & 31)] = 0.0;
  __syncthreads();
  for (int i = t; i < n; i += 256) {
    B_ptr[i] = row_ptr[n - 1 - i] + (float)sums_ptr[0] + flags_ptr[i % 100];
  }
}
