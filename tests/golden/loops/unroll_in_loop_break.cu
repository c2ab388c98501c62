extern "C" __global__ void __launch_bounds__(128)
unroll_in_loop_break_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int count_ptr[1];
    count_ptr[0] = 0;
    for (int r = 0; r < 3; ++r) {
      {
        if (A_ptr[i * 12 + r * 4] < 0) {
          goto k_end;
        }
        count_ptr[0] = count_ptr[0] + 1;
        if (A_ptr[i * 12 + r * 4 + 1] < 0) {
          goto k_end;
        }
        count_ptr[0] = count_ptr[0] + 1;
        if (A_ptr[i * 12 + r * 4 + 2] < 0) {
          goto k_end;
        }
        count_ptr[0] = count_ptr[0] + 1;
        if (A_ptr[i * 12 + r * 4 + 3] < 0) {
          goto k_end;
        }
        count_ptr[0] = count_ptr[0] + 1;
      }
      k_end:;
    }
    O_ptr[i] = count_ptr[0];
  }
}
