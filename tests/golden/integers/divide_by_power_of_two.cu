extern "C" __global__ void __launch_bounds__(128)
divide_by_power_of_two_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 4] = A_ptr[i] >> 3;
    O_ptr[i * 4 + 1] = A_ptr[i] & 7;
    O_ptr[i * 4 + 2] = A_ptr[i];
    O_ptr[i * 4 + 3] = 0;
  }
}
