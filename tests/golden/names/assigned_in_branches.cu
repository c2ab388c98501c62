extern "C" __global__ void __launch_bounds__(128)
assigned_in_branches_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float x_ptr[1];
    if (A_ptr[i] > 0.0f) {
      x_ptr[0] = A_ptr[i];
    } else {
      x_ptr[0] = -A_ptr[i];
    }
    O_ptr[i] = x_ptr[0] + 1.0f;
  }
}
