extern "C" __global__ void __launch_bounds__(128)
power_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 3] = 1;
    O_ptr[i * 3 + 1] = A_ptr[i] * A_ptr[i];
    O_ptr[i * 3 + 2] = A_ptr[i] * A_ptr[i] * A_ptr[i];
  }
}
