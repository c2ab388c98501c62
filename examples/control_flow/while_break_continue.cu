__device__ __forceinline__ int floordiv(int a, int b) {
  int q = a / b;
  return a % b != 0 && (a ^ b) < 0 ? q - 1 : q;
}

__device__ __forceinline__ int floormod(int a, int b) {
  int r = a % b;
  return r != 0 && (r ^ b) < 0 ? r + b : r;
}

extern "C" __global__ void __launch_bounds__(256)
while_break_continue_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    int x_ptr[1];
    x_ptr[0] = A_ptr[i];
    int odd_ptr[1];
    odd_ptr[0] = 0;
    while (1) {
      if (!(x_ptr[0] > 0)) {
        break;
      }
      int digit = floormod(x_ptr[0], 10);
      x_ptr[0] = floordiv(x_ptr[0], 10);
      if (digit == 0) {
        break;
      }
      if ((digit & 1) == 0) {
        continue;
      }
      odd_ptr[0] = odd_ptr[0] + 1;
    }
    B_ptr[i] = odd_ptr[0];
  }
}
