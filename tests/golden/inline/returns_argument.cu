extern "C" __global__ void __launch_bounds__(32)
kernel_kernel(float* __restrict__ A_ptr) {
  int t = (int)threadIdx.x;
  float v_ptr[1];
  v_ptr[0] = A_ptr[t];
  v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffffffffu, v_ptr[0], 16, 32);
  v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffffffffu, v_ptr[0], 8, 32);
  v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffffffffu, v_ptr[0], 4, 32);
  v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffffffffu, v_ptr[0], 2, 32);
  v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffffffffu, v_ptr[0], 1, 32);
  A_ptr[t] = v_ptr[0] + __shfl_down_sync(0xffffffffu, v_ptr[0], 1, 32);
}
