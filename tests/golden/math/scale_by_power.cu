extern "C" __global__ void __launch_bounds__(128)
scale_by_power_kernel(
    const float* __restrict__ A_ptr,
    const int* __restrict__ E_ptr,
    float* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i] = ldexpf(A_ptr[i], E_ptr[i]);
  }
}
