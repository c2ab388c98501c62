extern "C" __global__ void __launch_bounds__(64)
groups_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr, int width, int n) {
  int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
  int a = A_ptr[min(i, n - 1)];
  int first = __shfl_sync(0xffffffffu, a, 0, width);
  int left = __shfl_up_sync(0xffffffffu, a, 1, width);
  int right = __shfl_down_sync(0xffffffffu, a, 1, width);
  int other = __shfl_xor_sync(0xffffffffu, a, 1, width);
  if (i < n) {
    B_ptr[i * 4] = first;
    B_ptr[i * 4 + 1] = left;
    B_ptr[i * 4 + 2] = right;
    B_ptr[i * 4 + 3] = other;
  }
}

extern "C" __global__ void __launch_bounds__(40)
uneven_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr, int width) {
  int t = (int)threadIdx.x;
  B_ptr[t] = __shfl_sync(0xffffffffu, A_ptr[t], 3, width);
}
