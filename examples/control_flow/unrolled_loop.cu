extern "C" __global__ void __launch_bounds__(256)
unrolled_loop_kernel(float* __restrict__ A_ptr, int n) {
  int bx = (int)blockIdx.x;
  int tx = (int)threadIdx.x;
  int i = bx * 256 + tx;
  if (i < n) {
    A_ptr[i * 4] = A_ptr[i * 4] * 2.0f;
    A_ptr[i * 4 + 1] = A_ptr[i * 4 + 1] * 2.0f;
    A_ptr[i * 4 + 2] = A_ptr[i * 4 + 2] * 2.0f;
    A_ptr[i * 4 + 3] = A_ptr[i * 4 + 3] * 2.0f;
  }
}
