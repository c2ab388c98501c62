extern "C" __global__ void __launch_bounds__(256)
int64_sizes_kernel(
    const unsigned char* __restrict__ A_ptr,
    unsigned char* __restrict__ B_ptr,
    const unsigned char* __restrict__ C_ptr,
    long long n) {
  long long i = (int)blockIdx.x * 256ll + (int)threadIdx.x;
  if (i < n) {
    B_ptr[i] = A_ptr[i] + 1;
  }
}

extern "C" __global__ void __launch_bounds__(256)
int64_sizes_kernel_1(
    const unsigned char* __restrict__ A_ptr,
    const unsigned char* __restrict__ B_ptr,
    unsigned char* __restrict__ C_ptr,
    long long n) {
  long long first = (int)blockIdx.x * 256ll + (int)threadIdx.x;
  for (long long k = first; k < n; k += 768ll) {
    C_ptr[k] = B_ptr[k] * 3;
  }
}
