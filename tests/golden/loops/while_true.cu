extern "C" __global__ void __launch_bounds__(128)
while_true_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int x_ptr[1];
    x_ptr[0] = A_ptr[i];
    int turns_ptr[1];
    turns_ptr[0] = 0;
    while (1) {
      if (x_ptr[0] <= 0) {
        break;
      }
      x_ptr[0] = x_ptr[0] - 7;
      turns_ptr[0] = turns_ptr[0] + 1;
    }
    O_ptr[i] = turns_ptr[0];
  }
}
