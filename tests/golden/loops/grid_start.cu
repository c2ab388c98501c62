extern "C" __global__ void __launch_bounds__(128)
grid_start_kernel(int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int total_ptr[1];
    total_ptr[0] = 0;
    for (int a = 2; a < 5; ++a) {
      for (int b = 0; b < 2; ++b) {
        total_ptr[0] = total_ptr[0] * 7 + a * 2 + b;
      }
    }
    O_ptr[i] = total_ptr[0];
  }
}
