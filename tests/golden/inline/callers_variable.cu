extern "C" __global__ void __launch_bounds__(64)
kernel_kernel(const float* __restrict__ A_ptr, float* __restrict__ S_ptr) {
  int t = (int)threadIdx.x;
  float acc_ptr[1];
  acc_ptr[0] = 0.0f;
  for (int k = 0; k < 4; ++k) {
    float value = A_ptr[t * 4 + k];
    acc_ptr[0] = acc_ptr[0] + value;
  }
  float x_ptr[1];
  x_ptr[0] = A_ptr[t * 4] * 2.0f;
  if (x_ptr[0] > 6.0f) {
    x_ptr[0] = 6.0f;
  }
  S_ptr[t] = acc_ptr[0] + x_ptr[0];
}
