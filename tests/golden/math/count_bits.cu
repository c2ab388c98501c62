extern "C" __global__ void __launch_bounds__(128)
count_bits_kernel(
    const unsigned int* __restrict__ A_ptr,
    const long long* __restrict__ B_ptr,
    int* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 4] = __popc(A_ptr[i]);
    O_ptr[i * 4 + 1] = __clz(A_ptr[i]);
    O_ptr[i * 4 + 2] = __popcll(B_ptr[i]);
    O_ptr[i * 4 + 3] = __clzll(B_ptr[i]);
  }
}
