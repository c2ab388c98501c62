extern "C" __global__ void __launch_bounds__(256)
warp_part_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) float S_ptr[8];
  float v_ptr[1];
  v_ptr[0] = A_ptr[t];
  int m_ptr[1];
  m_ptr[0] = 16;
  while (1) {
    if (!(m_ptr[0] > 0)) {
      break;
    }
    v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffffffffu, v_ptr[0], m_ptr[0], 32);
    m_ptr[0] = m_ptr[0] >> 1;
  }
  if ((t & 31) == 0) {
    S_ptr[t >> 5] = v_ptr[0];
  }
  __syncthreads();
  if (t < 32) {
    float r_ptr[1];
    r_ptr[0] = 0.0f;
    if (t < 8) {
      r_ptr[0] = S_ptr[t];
    }
    for (int j = 0; j < 3; ++j) {
      r_ptr[0] = r_ptr[0] + __shfl_down_sync(0xffffffffu, r_ptr[0], 4 >> j, 32);
    }
    if (t == 0) {
      B_ptr[0] = r_ptr[0];
    }
  }
}
