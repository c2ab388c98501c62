extern "C" __global__ void __launch_bounds__(256)
largest_kernel(float* __restrict__ A_ptr) {
  extern __shared__ __align__(16) unsigned char smem[];
  int t = (int)threadIdx.x;
  float* tile_ptr = (float*)smem;
  tile_ptr[t] = A_ptr[t];
  __syncthreads();
  A_ptr[t] = tile_ptr[255 - t];
}
