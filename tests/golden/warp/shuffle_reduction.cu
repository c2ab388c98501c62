extern "C" __global__ void __launch_bounds__(32)
warp_sums_kernel(const float* __restrict__ A_ptr, float* __restrict__ S_ptr) {
  int row = (int)blockIdx.x;
  int lane = (int)threadIdx.x;
  float total_ptr[1];
  total_ptr[0] = A_ptr[row * 32 + lane];
  total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 16, 32);
  total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 8, 32);
  total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 4, 32);
  total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 2, 32);
  total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 1, 32);
  if (lane == 0) {
    S_ptr[row] = total_ptr[0];
  }
}
