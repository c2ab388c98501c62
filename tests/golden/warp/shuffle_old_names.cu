extern "C" __global__ void __launch_bounds__(32)
old_names_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  B_ptr[t * 12] = __shfl_sync(0xffffffffu, A_ptr[t], 0, 32);
  B_ptr[t * 12 + 1] = __shfl_up_sync(0xffffffffu, A_ptr[t], 1, 32);
  B_ptr[t * 12 + 2] = __shfl_down_sync(0xffffffffu, A_ptr[t], 1, 32);
  B_ptr[t * 12 + 3] = __shfl_xor_sync(0xffffffffu, A_ptr[t], 1, 32);
  B_ptr[t * 12 + 4] = __shfl_sync(0xffffffffu, A_ptr[t], 0, 32);
  B_ptr[t * 12 + 5] = __shfl_up_sync(0xffffffffu, A_ptr[t], 1, 32);
  B_ptr[t * 12 + 6] = __shfl_down_sync(0xffffffffu, A_ptr[t], 1, 32);
  B_ptr[t * 12 + 7] = __shfl_xor_sync(0xffffffffu, A_ptr[t], 1, 32);
  B_ptr[t * 12 + 8] = __shfl_sync(0xffffffffu, A_ptr[t], 0, 32);
  B_ptr[t * 12 + 9] = __shfl_up_sync(0xffffffffu, A_ptr[t], 1, 32);
  B_ptr[t * 12 + 10] = __shfl_down_sync(0xffffffffu, A_ptr[t], 1, 32);
  B_ptr[t * 12 + 11] = __shfl_xor_sync(0xffffffffu, A_ptr[t], 1, 32);
}
