extern "C" __global__ void __launch_bounds__(64)
kernel_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  float s_ptr[1];
  s_ptr[0] = 0.0f;
  for (int k = 0; k < 4; ++k) {
    s_ptr[0] = s_ptr[0] + A_ptr[t * 4 + k];
  }
  int count_ptr[1];
  count_ptr[0] = 0;
  count_ptr[0] = count_ptr[0] + 1;
  s_ptr[0] = s_ptr[0] + 1.0f * A_ptr[t * 4];
  s_ptr[0] = s_ptr[0] + 3.0f * A_ptr[t * 4 + 1];
  s_ptr[0] = s_ptr[0] + 1.0f * A_ptr[t * 4 + 2];
  s_ptr[0] = s_ptr[0] + 3.0f * A_ptr[t * 4 + 3];
  B_ptr[t] = s_ptr[0] + count_ptr[0] + 64.0f;
}
