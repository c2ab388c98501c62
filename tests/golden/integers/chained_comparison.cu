extern "C" __global__ void __launch_bounds__(128)
chained_comparison_kernel(const int* __restrict__ A_ptr, bool* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 2] = -3 <= A_ptr[i] && A_ptr[i] < 5;
    O_ptr[i * 2 + 1] = 0 < A_ptr[i] && A_ptr[i] != 4;
  }
}
