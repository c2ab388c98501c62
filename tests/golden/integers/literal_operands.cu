extern "C" __global__ void __launch_bounds__(128)
literal_operands_kernel(
    const unsigned int* __restrict__ A_ptr,
    const signed char* __restrict__ B_ptr,
    unsigned int* __restrict__ O_ptr,
    int* __restrict__ P_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 2] = A_ptr[i] & 0xffff0000u;
    O_ptr[i * 2 + 1] = A_ptr[i] ^ 0x80000000u;
    P_ptr[i * 2] = B_ptr[i] + 100;
    P_ptr[i * 2 + 1] = B_ptr[i] * 3;
  }
}
