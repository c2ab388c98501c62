extern "C" __global__ void __launch_bounds__(128)
jump_over_names_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int total_ptr[1];
    total_ptr[0] = 0;
    {
      int x = A_ptr[i * 3];
      if (x < 0) {
        goto k_end;
      }
      int y = x * 2;
      if (y > 100) {
        goto k_next_0;
      }
      total_ptr[0] = total_ptr[0] + y;
    }
    k_next_0:;
    {
      int x = A_ptr[i * 3 + 1];
      if (x < 0) {
        goto k_end;
      }
      int y = x * 2;
      if (y > 100) {
        goto k_next_1;
      }
      total_ptr[0] = total_ptr[0] + y;
    }
    k_next_1:;
    {
      int x = A_ptr[i * 3 + 2];
      if (x < 0) {
        goto k_end;
      }
      int y = x * 2;
      if (y > 100) {
        goto k_next_2;
      }
      total_ptr[0] = total_ptr[0] + y;
    }
    k_next_2:;
    k_end:;
    O_ptr[i] = total_ptr[0];
  }
}
