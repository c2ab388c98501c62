__device__ __forceinline__ int floordiv(int a, int b) {
  int q = a / b;
  return a % b != 0 && (a ^ b) < 0 ? q - 1 : q;
}

__device__ __forceinline__ int floormod(int a, int b) {
  int r = a % b;
  return r != 0 && (r ^ b) < 0 ? r + b : r;
}

extern "C" __global__ void __launch_bounds__(128)
int32_operators_kernel(
    const int* __restrict__ A_ptr,
    const int* __restrict__ B_ptr,
    const int* __restrict__ S_ptr,
    int* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 12] = A_ptr[i] + B_ptr[i];
    O_ptr[i * 12 + 1] = A_ptr[i] - B_ptr[i];
    O_ptr[i * 12 + 2] = A_ptr[i] * B_ptr[i];
    O_ptr[i * 12 + 3] = floordiv(A_ptr[i], B_ptr[i]);
    O_ptr[i * 12 + 4] = floormod(A_ptr[i], B_ptr[i]);
    O_ptr[i * 12 + 5] = A_ptr[i] & B_ptr[i];
    O_ptr[i * 12 + 6] = A_ptr[i] | B_ptr[i];
    O_ptr[i * 12 + 7] = A_ptr[i] ^ B_ptr[i];
    O_ptr[i * 12 + 8] = -A_ptr[i];
    O_ptr[i * 12 + 9] = ~A_ptr[i];
    O_ptr[i * 12 + 10] = A_ptr[i] << S_ptr[i];
    O_ptr[i * 12 + 11] = A_ptr[i] >> S_ptr[i];
  }
}
