extern "C" __global__ void __launch_bounds__(64)
start_from_a_loop_kernel(
    const short* __restrict__ A_ptr,
    int* __restrict__ B_ptr,
    const unsigned short* __restrict__ U_ptr,
    float* __restrict__ F_ptr,
    int m) {
  int t = (int)threadIdx.x;
  if (t >= m) {
    return;
  }
  unsigned short first_ptr[1];
  first_ptr[0] = 10;
  for (int k = 0; k < 8; ++k) {
    #pragma unroll
    for (int v = 0; v < 2; ++v) {
      first_ptr[0] = first_ptr[0] | U_ptr[t];
      if (A_ptr[v * 8 + t] > 0) {
        B_ptr[t] = 1;
      }
    }
  }
  for (int i = first_ptr[0]; i < 8; i += 5) {
    F_ptr[(i & 7) * 8 + t] = 1.0f;
  }
}
