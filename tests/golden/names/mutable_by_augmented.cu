extern "C" __global__ void __launch_bounds__(128)
mutable_by_augmented_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float x_ptr[1];
    x_ptr[0] = A_ptr[i];
    x_ptr[0] = x_ptr[0] + 1.0f;
    x_ptr[0] = x_ptr[0] * x_ptr[0];
    O_ptr[i] = x_ptr[0];
  }
}
