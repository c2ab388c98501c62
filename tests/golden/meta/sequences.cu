extern "C" __global__ void __launch_bounds__(128)
sequences_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float pair = A_ptr[i];
    float pair_1 = A_ptr[i] * 2.0f;
    O_ptr[i * 4] = pair_1 + 0.25f;
    O_ptr[i * 4 + 1] = pair + 0.75f;
    O_ptr[i * 4 + 2] = 4.0f;
    O_ptr[i * 4 + 3] = A_ptr[i] + 1.0f + 2.0f;
  }
}
