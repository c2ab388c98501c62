extern "C" __global__ void __launch_bounds__(64)
native_two_dimensions_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int h, int w) {
  int bx = (int)blockIdx.x;
  int by = (int)blockIdx.y;
  int tx = (int)threadIdx.x;
  int ty = (int)threadIdx.y;
  if (bx * 16 + tx < w && by * 4 + ty < h) {
    O_ptr[(bx * 16 + tx) * h + by * 4 + ty] = A_ptr[(by * 4 + ty) * w + bx * 16 + tx];
  }
}
