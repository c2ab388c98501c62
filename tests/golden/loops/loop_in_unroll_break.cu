extern "C" __global__ void __launch_bounds__(128)
loop_in_unroll_break_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int count_ptr[1];
    count_ptr[0] = 0;
    for (int k = 0; k < 4; ++k) {
      if (A_ptr[i * 12 + k] < 0) {
        break;
      }
      count_ptr[0] = count_ptr[0] + 1;
    }
    for (int k = 0; k < 4; ++k) {
      if (A_ptr[i * 12 + 4 + k] < 0) {
        break;
      }
      count_ptr[0] = count_ptr[0] + 1;
    }
    for (int k = 0; k < 4; ++k) {
      if (A_ptr[i * 12 + 8 + k] < 0) {
        break;
      }
      count_ptr[0] = count_ptr[0] + 1;
    }
    O_ptr[i] = count_ptr[0];
  }
}
