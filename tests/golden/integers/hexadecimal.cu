extern "C" __global__ void __launch_bounds__(128)
hexadecimal_kernel(
    const unsigned int* __restrict__ A_ptr,
    unsigned int* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i] = (A_ptr[i] & 0xff00ffu) ^ 0x10u;
  }
}
