extern "C" __global__ void __launch_bounds__(256)
range_down_lowest_step_kernel(float* __restrict__ A_ptr) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  for (int k = 0; k > -2147483647; k += (-2147483647 - 1)) {
    A_ptr[i] = A_ptr[i] + 1.0f;
  }
  for (int k = 9; k > 0; k += -4) {
    A_ptr[i] = A_ptr[i] * 2.0f;
  }
}
