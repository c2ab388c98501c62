extern "C" __global__ void __launch_bounds__(256)
together_kernel(const float* __restrict__ A_ptr, float* __restrict__ total_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  float value_ptr[1];
  value_ptr[0] = i < n ? A_ptr[i] : 0.0f;
  value_ptr[0] = value_ptr[0] + __shfl_xor_sync(0xffffffffu, value_ptr[0], 16, 32);
  value_ptr[0] = value_ptr[0] + __shfl_xor_sync(0xffffffffu, value_ptr[0], 8, 32);
  value_ptr[0] = value_ptr[0] + __shfl_xor_sync(0xffffffffu, value_ptr[0], 4, 32);
  value_ptr[0] = value_ptr[0] + __shfl_xor_sync(0xffffffffu, value_ptr[0], 2, 32);
  value_ptr[0] = value_ptr[0] + __shfl_xor_sync(0xffffffffu, value_ptr[0], 1, 32);
  if (((int)threadIdx.x & 31) == 0) {
    atomicAdd(&total_ptr[0], value_ptr[0]);
    printf("warp sum %f\n", value_ptr[0]);
  }
}
