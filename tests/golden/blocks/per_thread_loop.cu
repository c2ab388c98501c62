extern "C" __global__ void __launch_bounds__(64)
per_thread_loop_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  int r_ptr[1];
  r_ptr[0] = 0;
  for (int k = 0, k_end = A_ptr[t]; k < k_end; ++k) {
    if (k == 5) {
      continue;
    }
    if (k == 9) {
      break;
    }
    r_ptr[0] = r_ptr[0] + ((int)(__activemask() & 0xffu) + k);
  }
  int L_ptr[4];
  for (int q = 0; q < 4; ++q) {
    L_ptr[q] = r_ptr[0] * q;
  }
  __syncthreads();
  B_ptr[t] = L_ptr[3] + L_ptr[1] + __syncthreads_or(A_ptr[t] > 14);
}
