extern "C" __global__ void __launch_bounds__(128)
clock_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    long long start = clock64();
    int twice = A_ptr[i] * 2;
    long long end = clock64();
    O_ptr[i] = end >= start ? twice : -1;
  }
}
