extern "C" __global__ void __launch_bounds__(64)
range_unsigned_down_kernel(
    const unsigned int* __restrict__ A_ptr,
    unsigned int* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 2] = 0u;
    O_ptr[i * 2 + 1] = 0u;
    unsigned int k_start = A_ptr[i];
    unsigned int k_turns = 3u < k_start ? (k_start - 3u - 1u) / 7u + 1u : 0u;
    for (unsigned int k = k_start; k_turns > 0u; --k_turns, k -= 7u) {
      O_ptr[i * 2] = O_ptr[i * 2] + k;
    }
    for (unsigned int k = A_ptr[i]; k > 0u; --k) {
      O_ptr[i * 2 + 1] = O_ptr[i * 2 + 1] + 1u;
    }
  }
}
