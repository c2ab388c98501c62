extern "C" __global__ void __launch_bounds__(128)
large_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr) {
  extern __shared__ __align__(16) unsigned char smem[];
  int t = (int)threadIdx.x;
  float* tile_ptr = (float*)smem;
  float* last_ptr = (float*)&smem[65536];
  for (int c = 0; c < 128; ++c) {
    tile_ptr[t * 128 + c] = A_ptr[t * 128 + c];
  }
  last_ptr[t] = A_ptr[t * 128 + 127];
  __syncthreads();
  for (int c = 0; c < 128; ++c) {
    B_ptr[t * 128 + c] = tile_ptr[c * 128 + t] + last_ptr[c];
  }
}
