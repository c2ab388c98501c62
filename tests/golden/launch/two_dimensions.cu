extern "C" __global__ void __launch_bounds__(64)
two_dimensions_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int h, int w) {
  int x = (int)blockIdx.x * 16 + (int)threadIdx.x;
  int y = (int)blockIdx.y * 4 + (int)threadIdx.y;
  if (x < w && y < h) {
    O_ptr[x * h + y] = A_ptr[y * w + x] * 2;
  }
}
