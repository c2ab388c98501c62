extern "C" __global__ void __launch_bounds__(128)
bool_operators_kernel(
    const int* __restrict__ A_ptr,
    const bool* __restrict__ B_ptr,
    bool* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 6] = A_ptr[i] != 0 && B_ptr[i];
    O_ptr[i * 6 + 1] = A_ptr[i] != 0 || B_ptr[i];
    O_ptr[i * 6 + 2] = A_ptr[i] == 0;
    O_ptr[i * 6 + 3] = !B_ptr[i];
    O_ptr[i * 6 + 4] = B_ptr[i] & (A_ptr[i] > 3);
    O_ptr[i * 6 + 5] = B_ptr[i] ^ (A_ptr[i] > 3);
  }
}
