extern "C" __global__ void __launch_bounds__(128)
spellings_kernel(const float* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 4] = (int)A_ptr[i];
    O_ptr[i * 4 + 1] = (int)A_ptr[i];
    O_ptr[i * 4 + 2] = (int)A_ptr[i];
    O_ptr[i * 4 + 3] = (int)A_ptr[i];
  }
}
