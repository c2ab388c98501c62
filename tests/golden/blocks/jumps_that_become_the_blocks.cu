extern "C" __global__ void __launch_bounds__(12)
some_return_kernel(int* __restrict__ A_ptr, int* __restrict__ B_ptr) {
  int b = (int)blockIdx.x;
  int t = b * 12 + (int)threadIdx.x;
  {
    A_ptr[t] = A_ptr[t] + 1;
    if (b > 1) {
      goto k_next_0;
    }
    return;
  }
  k_next_0:;
  {
    A_ptr[t] = A_ptr[t] + 1;
    if (b > 1) {
      goto k_next_1;
    }
    return;
  }
  k_next_1:;
  B_ptr[t] = __shfl_sync(0xffffffffu, A_ptr[t], 0, 32);
}
