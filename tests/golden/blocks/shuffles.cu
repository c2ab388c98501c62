__device__ __forceinline__ bool elect_sync() {
  unsigned int elected;
  asm volatile(
      "{ .reg .pred p;\n"
      "  elect.sync _|p, 0xffffffff;\n"
      "  selp.u32 %0, 1, 0, p; }"
      : "=r"(elected));
  return elected != 0;
}

extern "C" __global__ void __launch_bounds__(128)
shuffles_kernel(
    const float* __restrict__ A_ptr,
    float* __restrict__ B_ptr,
    unsigned int* __restrict__ C_ptr,
    int* __restrict__ D_ptr) {
  int t = (int)threadIdx.x;
  float v_ptr[1];
  v_ptr[0] = A_ptr[t];
  v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffffffffu, v_ptr[0], 16, 32);
  v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffffffffu, v_ptr[0], 8, 32);
  v_ptr[0] = v_ptr[0] + __shfl_down_sync(0xffffffffu, v_ptr[0], 3, 8);
  v_ptr[0] = v_ptr[0] + __shfl_up_sync(0xffffffffu, v_ptr[0], 2, 16);
  B_ptr[t] = v_ptr[0];
  unsigned int w = __ballot_sync(0xffffffffu, A_ptr[t] > 0.0f);
  if ((t & 31) == 0) {
    C_ptr[t >> 5] = w;
  }
  int d_ptr[1];
  d_ptr[0] = 0;
  if (t % 3 == 0) {
    d_ptr[0] = __activemask();
    if (elect_sync()) {
      d_ptr[0] = d_ptr[0] + 1;
    }
  }
  D_ptr[t] = d_ptr[0];
}
