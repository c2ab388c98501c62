extern "C" __global__ void __launch_bounds__(128)
divide_nonnegative_kernel(int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 2] = i / 7;
    O_ptr[i * 2 + 1] = i % 7;
  }
}
