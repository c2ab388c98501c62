extern "C" __global__ void __launch_bounds__(128)
bound_from_memory_kernel(int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int turns_ptr[1];
    turns_ptr[0] = 0;
    for (int k = 0, k_end = A_ptr[i]; k < k_end; ++k) {
      A_ptr[i] = 0;
      turns_ptr[0] = turns_ptr[0] + 1;
    }
    O_ptr[i] = turns_ptr[0];
  }
}
