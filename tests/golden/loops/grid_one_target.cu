extern "C" __global__ void __launch_bounds__(128)
grid_one_target_kernel(int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int total_ptr[1];
    total_ptr[0] = 0;
    for (int at = 0; at < 2; ++at) {
      for (int at_1 = 0; at_1 < 3; ++at_1) {
        total_ptr[0] = total_ptr[0] * 5 + at * 3 + at_1;
      }
    }
    O_ptr[i] = total_ptr[0];
  }
}
