extern "C" __global__ void __launch_bounds__(128)
serial_pragmas_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 3] = 0.0f;
    O_ptr[i * 3 + 1] = 0.0f;
    O_ptr[i * 3 + 2] = 0.0f;
    #pragma unroll
    for (int k = 0; k < 8; ++k) {
      O_ptr[i * 3] = O_ptr[i * 3] + A_ptr[i * 8 + k];
    }
    #pragma unroll 4
    for (int k = 0; k < 8; ++k) {
      O_ptr[i * 3 + 1] = O_ptr[i * 3 + 1] + A_ptr[i * 8 + k];
    }
    #pragma unroll 1
    for (int k = 0; k < 8; ++k) {
      O_ptr[i * 3 + 2] = O_ptr[i * 3 + 2] + A_ptr[i * 8 + k];
    }
  }
}
