extern "C" __global__ void __launch_bounds__(64)
shared_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) float tile_ptr[64];
  float pair_ptr[2];
  tile_ptr[t] = A_ptr[(int)blockIdx.x * 64 + t];
  __syncthreads();
  pair_ptr[0] = tile_ptr[t & 63];
  pair_ptr[1] = tile_ptr[(t + 1) & 63];
  B_ptr[(int)blockIdx.x * 64 + t] = pair_ptr[0] + pair_ptr[1];
}
