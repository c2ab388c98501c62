extern "C" __global__ void __launch_bounds__(256)
serial_loop_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int bx = (int)blockIdx.x;
  int tx = (int)threadIdx.x;
  int i = bx * 256 + tx;
  if (i < n) {
    B_ptr[i] = 0.0f;
    for (int k = 0; k < 16; ++k) {
      B_ptr[i] = B_ptr[i] + A_ptr[i * 16 + k];
    }
  }
}
