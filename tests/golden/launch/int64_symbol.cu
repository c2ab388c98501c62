extern "C" __global__ void __launch_bounds__(64)
int64_symbol_kernel(int* __restrict__ A_ptr, long long n) {
  int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
  if (i < n) {
    A_ptr[i * 4 + 3] = A_ptr[i * 4] + A_ptr[i * 4 + 1];
  }
}
