extern "C" __global__ void __launch_bounds__(256)
relu_elif_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    if (A_ptr[i] > 1.0f) {
      B_ptr[i] = A_ptr[i];
    } else if (A_ptr[i] > 0.0f) {
      B_ptr[i] = A_ptr[i] * 0.5f;
    } else {
      B_ptr[i] = 0.0f;
    }
  }
}
