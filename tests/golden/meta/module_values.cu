extern "C" __global__ void __launch_bounds__(128)
module_values_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float value = A_ptr[i] * 2.5f;
    O_ptr[i] = value - 1.5f;
  }
}
