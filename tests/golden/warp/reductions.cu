extern "C" __global__ void __launch_bounds__(32)
reductions_kernel(const unsigned int* __restrict__ A_ptr, unsigned int* __restrict__ O_ptr) {
  int t = (int)threadIdx.x;
  O_ptr[t * 2] = __reduce_add_sync(0xffffffffu, A_ptr[t]);
  O_ptr[t * 2 + 1] = __reduce_min_sync(0xffffffffu, A_ptr[t]);
}
