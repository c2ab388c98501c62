extern "C" __global__ void __launch_bounds__(64)
barriers_kernel(int* __restrict__ A_ptr, int* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  B_ptr[t] = A_ptr[t];
  __syncwarp();
  A_ptr[t] = B_ptr[t ^ 1];
  __syncthreads();
  B_ptr[t] = A_ptr[63 - t];
}
