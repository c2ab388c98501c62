__device__ __forceinline__ int floordiv(int a, int b) {
  int q = a / b;
  return a % b != 0 && (a ^ b) < 0 ? q - 1 : q;
}

extern "C" __global__ void __launch_bounds__(64)
dynamic_shared_kernel(
    const int* __restrict__ A_ptr,
    int* __restrict__ B_ptr,
    long long* __restrict__ S_ptr,
    int m) {
  extern __shared__ __align__(16) unsigned char smem[];
  int row = (int)blockIdx.x;
  int t = (int)threadIdx.x;
  int* values_ptr = (int*)&smem[512];
  short* pairs_ptr = (short*)&smem[floordiv(512 + m * 4 + 15, 16) * 16];
  long long* sums_ptr = (long long*)smem;
  sums_ptr[t] = 0ll;
  for (int i = t; i < m; i += 64) {
    values_ptr[i] = A_ptr[row * m + i];
    pairs_ptr[i * 2] = i;
    pairs_ptr[(i + 1) * 2 + 1] = -i;
    sums_ptr[t] = sums_ptr[t] + A_ptr[row * m + i];
  }
  __syncthreads();
  for (int i = t; i < m; i += 64) {
    B_ptr[row * m + i] = values_ptr[m - 1 - i] + pairs_ptr[i * 2] + pairs_ptr[(i + 1) * 2 + 1];
  }
  if (t == 0) {
    long long total_ptr[1];
    total_ptr[0] = 0ll;
    for (int i = 0; i < 64; ++i) {
      total_ptr[0] = total_ptr[0] + sums_ptr[i];
    }
    S_ptr[row] = total_ptr[0];
  }
}
