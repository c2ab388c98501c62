extern "C" __global__ void __launch_bounds__(128)
max_min_native_kernel(
    const float* __restrict__ A_ptr,
    const float* __restrict__ B_ptr,
    float* __restrict__ O_ptr,
    int n) {
  int bx = (int)blockIdx.x;
  int tx = (int)threadIdx.x;
  int i = bx * 128 + tx;
  if (i < n) {
    O_ptr[i * 2] = max(A_ptr[i], B_ptr[i]);
    O_ptr[i * 2 + 1] = min(A_ptr[i], B_ptr[i]);
  }
}
