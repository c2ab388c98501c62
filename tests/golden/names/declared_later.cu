extern "C" __global__ void __launch_bounds__(128)
declared_later_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int x_ptr[1];
    if (A_ptr[i] > 0) {
      x_ptr[0] = 1;
    } else {
      x_ptr[0] = 2;
    }
    O_ptr[i] = x_ptr[0];
  }
}
