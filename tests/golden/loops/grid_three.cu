extern "C" __global__ void __launch_bounds__(128)
grid_three_kernel(int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int total_ptr[1];
    total_ptr[0] = 0;
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 3; ++b) {
        for (int c = 0; c < 2; ++c) {
          total_ptr[0] = total_ptr[0] * 3 + a + b + c;
        }
      }
    }
    O_ptr[i] = total_ptr[0];
  }
}
