extern "C" __global__ void __launch_bounds__(128)
conditional_expression_kernel(const int* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i] = A_ptr[i] > 0 ? A_ptr[i] : 1.5f;
  }
}
