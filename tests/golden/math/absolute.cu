extern "C" __global__ void __launch_bounds__(128)
absolute_kernel(
    const float* __restrict__ A_ptr,
    const int* __restrict__ B_ptr,
    float* __restrict__ O_ptr,
    int* __restrict__ P_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 2] = fabsf(A_ptr[i]);
    O_ptr[i * 2 + 1] = fabsf(A_ptr[i]);
    P_ptr[i] = abs(B_ptr[i]);
  }
}
