extern "C" __global__ void __launch_bounds__(256)
for_break_continue_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    float total_ptr[1];
    total_ptr[0] = 0.0f;
    for (int k = 0; k < 32; ++k) {
      if (A_ptr[i * 32 + k] == 0.0f) {
        break;
      }
      if (A_ptr[i * 32 + k] < 0.0f) {
        continue;
      }
      total_ptr[0] = total_ptr[0] + A_ptr[i * 32 + k];
    }
    B_ptr[i] = total_ptr[0];
  }
}
