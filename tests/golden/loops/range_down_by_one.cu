extern "C" __global__ void __launch_bounds__(128)
range_down_by_one_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    for (int k = 7; k > -1; k += -1) {
      O_ptr[i * 8 + 7 - k] = A_ptr[i * 8 + k];
    }
  }
}
