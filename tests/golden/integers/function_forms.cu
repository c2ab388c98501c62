__device__ __forceinline__ int floordiv(int a, int b) {
  int q = a / b;
  return a % b != 0 && (a ^ b) < 0 ? q - 1 : q;
}

__device__ __forceinline__ long long floordiv(long long a, long long b) {
  long long q = a / b;
  return a % b != 0 && (a ^ b) < 0 ? q - 1 : q;
}

__device__ __forceinline__ int floormod(int a, int b) {
  int r = a % b;
  return r != 0 && (r ^ b) < 0 ? r + b : r;
}

extern "C" __global__ void __launch_bounds__(128)
function_forms_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 6] = floordiv(A_ptr[i], 3) + floormod(A_ptr[i], 3);
    O_ptr[i * 6 + 1] = (A_ptr[i] & 15) + (A_ptr[i] << 2);
    O_ptr[i * 6 + 2] = A_ptr[i] + A_ptr[i] * 2 - (A_ptr[i] - 1);
    O_ptr[i * 6 + 3] = (int)((A_ptr[i] + 3ll) >> 2) + (int)floordiv(A_ptr[i] + 4ll, 5ll) + (int)floordiv(A_ptr[i] + 5ll, 6ll);
    O_ptr[i * 6 + 4] = (A_ptr[i] ^ 5) | ~A_ptr[i];
    O_ptr[i * 6 + 5] = A_ptr[i] > 2 && (A_ptr[i] < 9 || !(A_ptr[i] == 20)) ? 1 : 0;
  }
}
