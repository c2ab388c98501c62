extern "C" __global__ void __launch_bounds__(128)
bool_sums_kernel(const int* __restrict__ A_ptr, bool* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 4] = (A_ptr[i] > 2) | (A_ptr[i] > 4);
    O_ptr[i * 4 + 1] = (A_ptr[i] > 2) & (A_ptr[i] > 4);
    O_ptr[i * 4 + 2] = (A_ptr[i] > 2) ^ (A_ptr[i] > 4);
    O_ptr[i * 4 + 3] = !(A_ptr[i] > 2);
  }
}
