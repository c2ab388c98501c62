extern "C" __global__ void __launch_bounds__(128)
return_in_loop_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i] = -1;
    for (int r = 0; r < 3; ++r) {
      for (int k = 0; k < 4; ++k) {
        if (A_ptr[i * 12 + r * 4 + k] < 0) {
          O_ptr[i] = r * 4 + k;
          return;
        }
      }
    }
  }
}
