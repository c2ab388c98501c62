extern "C" __global__ void __launch_bounds__(128)
unroll_copy_declares_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    {
      int twice = A_ptr[i * 2] * 2;
      O_ptr[i * 2] = twice * twice;
    }
    {
      int twice = A_ptr[i * 2 + 1] * 2;
      O_ptr[i * 2 + 1] = twice * twice;
    }
  }
}
