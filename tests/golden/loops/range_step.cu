extern "C" __global__ void __launch_bounds__(128)
range_step_kernel(int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int total_ptr[1];
    total_ptr[0] = 0;
    for (int k = 1; k < 12; k += 3) {
      total_ptr[0] = total_ptr[0] * 3 + k;
    }
    O_ptr[i] = total_ptr[0];
  }
}
