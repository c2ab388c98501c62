extern "C" __global__ void __launch_bounds__(128)
uint16_operators_kernel(
    const unsigned short* __restrict__ A_ptr,
    const unsigned short* __restrict__ B_ptr,
    const unsigned short* __restrict__ S_ptr,
    unsigned short* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 12] = A_ptr[i] + B_ptr[i];
    O_ptr[i * 12 + 1] = A_ptr[i] - B_ptr[i];
    O_ptr[i * 12 + 2] = (unsigned int)A_ptr[i] * B_ptr[i];
    O_ptr[i * 12 + 3] = A_ptr[i] / B_ptr[i];
    O_ptr[i * 12 + 4] = A_ptr[i] % B_ptr[i];
    O_ptr[i * 12 + 5] = A_ptr[i] & B_ptr[i];
    O_ptr[i * 12 + 6] = A_ptr[i] | B_ptr[i];
    O_ptr[i * 12 + 7] = A_ptr[i] ^ B_ptr[i];
    O_ptr[i * 12 + 8] = -A_ptr[i];
    O_ptr[i * 12 + 9] = ~A_ptr[i];
    O_ptr[i * 12 + 10] = A_ptr[i] << S_ptr[i];
    O_ptr[i * 12 + 11] = A_ptr[i] >> S_ptr[i];
  }
}
