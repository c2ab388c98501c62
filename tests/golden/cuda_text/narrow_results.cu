extern "C" __global__ void __launch_bounds__(128)
narrow_results_kernel(
    const unsigned char* __restrict__ A_ptr,
    const short* __restrict__ B_ptr,
    const unsigned short* __restrict__ C_ptr,
    int* __restrict__ O_ptr,
    unsigned char* __restrict__ P_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 8] = (unsigned char)(A_ptr[i] + A_ptr[i]);
    O_ptr[i * 8 + 1] = (unsigned char)(A_ptr[i] + A_ptr[i]) >> 1;
    O_ptr[i * 8 + 2] = (short)((short)(B_ptr[i] * B_ptr[i]) + B_ptr[i]);
    O_ptr[i * 8 + 3] = (unsigned short)((unsigned int)C_ptr[i] * C_ptr[i]);
    O_ptr[i * 8 + 4] = (unsigned char)~A_ptr[i];
    O_ptr[i * 8 + 5] = (short)-B_ptr[i];
    if ((unsigned char)(A_ptr[i] + A_ptr[i]) < A_ptr[i]) {
      O_ptr[i * 8 + 6] = (signed char)abs((signed char)A_ptr[i]);
    }
    O_ptr[i * 8 + 7] = max((unsigned char)(A_ptr[i] + A_ptr[i]), A_ptr[i]);
    P_ptr[i * 2] = A_ptr[i] + A_ptr[i] + A_ptr[i];
    P_ptr[i * 2 + 1] = (unsigned char)(A_ptr[i] << 1) & A_ptr[i];
  }
}
