extern "C" __global__ void __launch_bounds__(256)
branch_on_thread_kernel(float* __restrict__ A_ptr) {
  int tx = (int)threadIdx.x;
  if (tx < 128) {
    A_ptr[tx] = A_ptr[tx] * 2.0f;
  } else {
    A_ptr[tx] = A_ptr[tx] + 1.0f;
  }
}
