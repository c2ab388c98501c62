extern "C" __global__ void __launch_bounds__(32)
return_after_vote_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr) {
  int t = (int)threadIdx.x;
  int k_ptr[1];
  k_ptr[0] = 0;
  while (1) {
    if (!(k_ptr[0] < 1 && __syncthreads_and(A_ptr[t] > 0) != 0)) {
      break;
    }
    return;
  }
  O_ptr[t] = A_ptr[t];
}
