__device__ __forceinline__ int floormod(int a, int b) {
  int r = a % b;
  return r != 0 && (r ^ b) < 0 ? r + b : r;
}

extern "C" __global__ void __launch_bounds__(128)
while_nested_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int x_ptr[1];
    x_ptr[0] = A_ptr[i];
    int total_ptr[1];
    total_ptr[0] = 0;
    while (1) {
      if (!(x_ptr[0] > 0)) {
        break;
      }
      int y_ptr[1];
      y_ptr[0] = x_ptr[0];
      while (1) {
        if (!(y_ptr[0] > 0)) {
          break;
        }
        if (floormod(y_ptr[0], 3) == 0) {
          break;
        }
        y_ptr[0] = y_ptr[0] - 1;
        total_ptr[0] = total_ptr[0] + 1;
      }
      x_ptr[0] = x_ptr[0] - 4;
    }
    O_ptr[i] = total_ptr[0];
  }
}
