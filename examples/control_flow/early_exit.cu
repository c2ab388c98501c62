extern "C" __global__ void __launch_bounds__(256)
early_exit_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i >= n) {
    return;
  }
  B_ptr[i] = A_ptr[i] * 2.0f;
}
