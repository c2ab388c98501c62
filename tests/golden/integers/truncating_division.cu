__device__ __forceinline__ long long floordiv(long long a, long long b) {
  long long q = a / b;
  return a % b != 0 && (a ^ b) < 0 ? q - 1 : q;
}

extern "C" __global__ void __launch_bounds__(128)
truncating_division_kernel(
    const int* __restrict__ A_ptr,
    const int* __restrict__ B_ptr,
    int* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 3] = A_ptr[i] / B_ptr[i];
    O_ptr[i * 3 + 1] = A_ptr[i] % B_ptr[i];
    O_ptr[i * 3 + 2] = floordiv(A_ptr[i] + (B_ptr[i] - 1ll), (long long)B_ptr[i]);
  }
}
