extern "C" __global__ void __launch_bounds__(128)
fused_multiply_add_kernel(
    const float* __restrict__ A_ptr,
    const float* __restrict__ B_ptr,
    const float* __restrict__ C_ptr,
    float* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i] = fmaf(A_ptr[i], B_ptr[i], C_ptr[i]);
  }
}
