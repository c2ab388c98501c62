extern "C" __global__ void __launch_bounds__(128)
range_two_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int total_ptr[1];
    total_ptr[0] = 0;
    for (int k = A_ptr[i * 2], k_end = A_ptr[i * 2 + 1]; k < k_end; ++k) {
      total_ptr[0] = total_ptr[0] * 3 + k;
    }
    O_ptr[i] = total_ptr[0];
  }
}
