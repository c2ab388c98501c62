extern "C" __global__ void __launch_bounds__(256)
if_then_else_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int bx = (int)blockIdx.x;
  int tx = (int)threadIdx.x;
  int i = bx * 256 + tx;
  if (i < n) {
    B_ptr[i] = A_ptr[i] > 0.0f ? A_ptr[i] : A_ptr[i] * 0.5f;
  }
}
