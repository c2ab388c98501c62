extern "C" __global__ void __launch_bounds__(64)
kernel_kernel(const float* __restrict__ X_ptr, float* __restrict__ O_ptr) {
  int t = (int)threadIdx.x;
  float total_ptr[1];
  total_ptr[0] = 0.0f;
  for (int k = 0; k < 4; ++k) {
    if (X_ptr[t * 4 + k] > 0.0f) {
      float x = X_ptr[t * 4 + k];
      float twice = x * 2.0f;
      total_ptr[0] = total_ptr[0] + twice;
    }
  }
  O_ptr[t] = total_ptr[0];
}
