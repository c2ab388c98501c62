extern "C" __global__ void __launch_bounds__(128)
block_votes_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr) {
  int t = (int)threadIdx.x;
  O_ptr[t * 2] = __syncthreads_and(A_ptr[t] > 0);
  O_ptr[t * 2 + 1] = __syncthreads_or(A_ptr[t] == 7);
}
