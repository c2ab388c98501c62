extern "C" __global__ void __launch_bounds__(128)
exponential_everywhere_kernel(
    const float* __restrict__ A_ptr,
    const int* __restrict__ R_ptr,
    int* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 2] = __float_as_int(expf(A_ptr[i])) - R_ptr[i * 2];
    O_ptr[i * 2 + 1] = __float_as_int(exp2f(A_ptr[i])) - R_ptr[i * 2 + 1];
  }
}
