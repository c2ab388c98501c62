extern "C" __global__ void __launch_bounds__(32)
votes_kernel(
    const int* __restrict__ A_ptr,
    int* __restrict__ O_ptr,
    unsigned int* __restrict__ M_ptr) {
  int t = (int)threadIdx.x;
  unsigned int full = __activemask();
  M_ptr[t] = __ballot_sync(full, A_ptr[t] > 0);
  O_ptr[t * 4] = __any_sync(0xffffffffu, A_ptr[t] > 5);
  O_ptr[t * 4 + 1] = __all_sync(0xffffffffu, A_ptr[t] != 0);
  if (__any_sync(0xffffffffu, A_ptr[t] < 0) != 0) {
    O_ptr[t * 4 + 2] = __popc(__ballot_sync(0xffffffffu, A_ptr[t] < 0));
  }
  if (t < 16) {
    O_ptr[t * 4 + 3] = __all_sync(0xffffu, A_ptr[t] != 3);
  }
}
