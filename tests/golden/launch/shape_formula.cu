extern "C" __global__ void __launch_bounds__(64)
shape_formula_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i] = A_ptr[i * 2] + A_ptr[i * 2 + 1] + A_ptr[n * 2];
  }
}
