extern "C" __global__ void __launch_bounds__(32)
native_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int bx = (int)blockIdx.x;
  int lane = (int)threadIdx.x & 31;
  if (bx < n) {
    B_ptr[bx * 32 + lane] = max(A_ptr[bx * 32 + lane], 0.0f);
  }
}
