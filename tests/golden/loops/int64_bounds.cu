extern "C" __global__ void __launch_bounds__(128)
int64_bounds_kernel(const long long* __restrict__ A_ptr, long long* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    long long total_ptr[1];
    total_ptr[0] = 0ll;
    for (long long k = A_ptr[i], k_end = A_ptr[i] + 3ll; k < k_end; ++k) {
      total_ptr[0] = total_ptr[0] + k;
    }
    O_ptr[i] = total_ptr[0];
  }
}
