extern "C" __global__ void __launch_bounds__(256)
transpose_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  int row = (t >> 4) * 4;
  int col = (t & 15) * 4;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) {
      B_ptr[(col + c) * 64 + row + r] = A_ptr[(row + r) * 64 + col + c];
    }
  }
}
