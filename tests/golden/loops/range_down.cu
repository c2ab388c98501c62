extern "C" __global__ void __launch_bounds__(128)
range_down_kernel(int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int total_ptr[1];
    total_ptr[0] = 0;
    for (int k = 10; k > 0; k += -3) {
      total_ptr[0] = total_ptr[0] * 3 + k;
    }
    O_ptr[i] = total_ptr[0];
  }
}
