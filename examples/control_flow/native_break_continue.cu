extern "C" __global__ void __launch_bounds__(256)
native_break_continue_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr, int n) {
  int bx = (int)blockIdx.x;
  int tx = (int)threadIdx.x;
  int i = bx * 256 + tx;
  if (i < n) {
    int count_ptr[1];
    count_ptr[0] = 0;
    for (int k = 0; k < 16; ++k) {
      if (A_ptr[i * 16 + k] < 0) {
        continue;
      }
      if (A_ptr[i * 16 + k] > 90) {
        break;
      }
      count_ptr[0] = count_ptr[0] + 1;
    }
    B_ptr[i] = count_ptr[0];
  }
}
