extern "C" __global__ void __launch_bounds__(256)
block_sum_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int bx = (int)blockIdx.x;
  int t = (int)threadIdx.x;
  int i = bx * 256 + t;
  __shared__ alignas(16) float S_ptr[256];
  if (i < n) {
    S_ptr[t] = A_ptr[i];
  } else {
    S_ptr[t] = 0.0f;
  }
  __syncthreads();
  int s_ptr[1];
  s_ptr[0] = 128;
  while (1) {
    if (!(s_ptr[0] > 0)) {
      break;
    }
    if (t < s_ptr[0]) {
      S_ptr[t] = S_ptr[t] + S_ptr[t + s_ptr[0]];
    }
    __syncthreads();
    s_ptr[0] = s_ptr[0] >> 1;
  }
  if (t == 0) {
    B_ptr[bx] = S_ptr[0];
  }
}
