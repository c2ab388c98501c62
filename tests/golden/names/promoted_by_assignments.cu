extern "C" __global__ void __launch_bounds__(128)
promoted_by_assignments_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float x_ptr[1];
    x_ptr[0] = 1.0f;
    if (A_ptr[i] > 0.0f) {
      x_ptr[0] = A_ptr[i];
    }
    O_ptr[i] = x_ptr[0];
  }
}
