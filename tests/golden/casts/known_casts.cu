extern "C" __global__ void __launch_bounds__(128)
known_casts_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 4] = 7;
    O_ptr[i * 4 + 1] = 255;
    O_ptr[i * 4 + 2] = 0;
    O_ptr[i * 4 + 3] = 2048;
  }
}
