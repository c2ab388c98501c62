extern "C" __global__ void __launch_bounds__(128)
unroll_continue_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int count_ptr[1];
    count_ptr[0] = 0;
    {
      if (A_ptr[i * 4] < 0) {
        goto k_next_0;
      }
      count_ptr[0] = count_ptr[0] + A_ptr[i * 4];
    }
    k_next_0:;
    {
      if (A_ptr[i * 4 + 1] < 0) {
        goto k_next_1;
      }
      count_ptr[0] = count_ptr[0] + A_ptr[i * 4 + 1];
    }
    k_next_1:;
    {
      if (A_ptr[i * 4 + 2] < 0) {
        goto k_next_2;
      }
      count_ptr[0] = count_ptr[0] + A_ptr[i * 4 + 2];
    }
    k_next_2:;
    {
      if (A_ptr[i * 4 + 3] < 0) {
        goto k_next_3;
      }
      count_ptr[0] = count_ptr[0] + A_ptr[i * 4 + 3];
    }
    k_next_3:;
    O_ptr[i] = count_ptr[0];
  }
}
