extern "C" __global__ void __launch_bounds__(128)
chained_assignment_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int x = A_ptr[i] * 3;
    int y = x;
    O_ptr[i * 2] = x;
    O_ptr[i * 2 + 1] = y + 1;
  }
}
