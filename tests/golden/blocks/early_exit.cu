extern "C" __global__ void __launch_bounds__(128)
early_exit_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) int S_ptr[128];
  if (t >= 100) {
    return;
  }
  S_ptr[t] = A_ptr[t];
  __syncthreads();
  B_ptr[t] = S_ptr[99 - t];
}
