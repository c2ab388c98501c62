extern "C" __global__ void __launch_bounds__(128)
module_math_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 3] = A_ptr[i] * 1.5707964f;
    O_ptr[i * 3 + 1] = 3.4142137f;
    O_ptr[i * 3 + 2] = A_ptr[i] * 9.0f;
  }
}
