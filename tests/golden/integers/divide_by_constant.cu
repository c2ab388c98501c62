__device__ __forceinline__ int floordiv(int a, int b) {
  int q = a / b;
  return a % b != 0 && (a ^ b) < 0 ? q - 1 : q;
}

__device__ __forceinline__ int floormod(int a, int b) {
  int r = a % b;
  return r != 0 && (r ^ b) < 0 ? r + b : r;
}

extern "C" __global__ void __launch_bounds__(128)
divide_by_constant_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 4] = floordiv(A_ptr[i], 7);
    O_ptr[i * 4 + 1] = floormod(A_ptr[i], 7);
    O_ptr[i * 4 + 2] = floordiv(A_ptr[i], -7);
    O_ptr[i * 4 + 3] = floormod(A_ptr[i], -7);
  }
}
