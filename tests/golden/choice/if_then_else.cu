extern "C" __global__ void __launch_bounds__(128)
if_then_else_kernel(const int* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 2] = A_ptr[i] > 0 ? A_ptr[i] : 1.5f;
    O_ptr[i * 2 + 1] = i + 1 < n ? A_ptr[min(i + 1, n - 1)] : -1;
  }
}
