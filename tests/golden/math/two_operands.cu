extern "C" __global__ void __launch_bounds__(128)
two_operands_kernel(
    const float* __restrict__ A_ptr,
    const float* __restrict__ B_ptr,
    float* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 6] = powf(A_ptr[i], B_ptr[i]);
    O_ptr[i * 6 + 1] = hypotf(A_ptr[i], B_ptr[i]);
    O_ptr[i * 6 + 2] = atan2f(A_ptr[i], B_ptr[i]);
    O_ptr[i * 6 + 3] = copysignf(A_ptr[i], B_ptr[i]);
    O_ptr[i * 6 + 4] = fmodf(A_ptr[i], B_ptr[i]);
    O_ptr[i * 6 + 5] = nextafterf(A_ptr[i], B_ptr[i]);
  }
}
