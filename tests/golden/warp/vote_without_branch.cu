extern "C" __global__ void __launch_bounds__(32)
vote_without_branch_kernel(int* __restrict__ A_ptr) {
  int t = (int)threadIdx.x;
  if (__any_sync(0xffffffffu, A_ptr[t] > 3) != 0) {
  }
  A_ptr[t] = A_ptr[t] + 1;
}
