extern "C" __global__ void __launch_bounds__(64)
break_loop_kernel(
    const int* __restrict__ A_ptr,
    int* __restrict__ B_ptr,
    const int* __restrict__ C_ptr) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) int S_ptr[64];
  int total_ptr[1];
  total_ptr[0] = 0;
  for (int k = 0; k < 20; ++k) {
    if (C_ptr[k] < 0) {
      break;
    }
    if (C_ptr[k] == 7) {
      continue;
    }
    S_ptr[t] = A_ptr[t * 20 + k];
    __syncthreads();
    total_ptr[0] = total_ptr[0] + (S_ptr[63 - t] * 3 + k);
    __syncthreads();
  }
  B_ptr[t] = total_ptr[0];
}
