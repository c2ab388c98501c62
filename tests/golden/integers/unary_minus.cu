extern "C" __global__ void __launch_bounds__(128)
unary_minus_kernel(
    const unsigned int* __restrict__ A_ptr,
    unsigned int* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 3] = -A_ptr[i];
    O_ptr[i * 3 + 1] = -(A_ptr[i] > 3u);
    O_ptr[i * 3 + 2] = A_ptr[i];
  }
}
