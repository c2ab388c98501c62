extern "C" __global__ void __launch_bounds__(256)
thread_places_kernel(int* __restrict__ O_ptr) {
  int warp_id = __shfl_sync(0xffffffffu, ((int)threadIdx.x + (int)threadIdx.y * 64) >> 5, 0, 32);
  int x = (int)threadIdx.x;
  int y = (int)threadIdx.y;
  O_ptr[y * 192 + x * 3] = ((int)threadIdx.x + (int)threadIdx.y * 64) & 31;
  O_ptr[y * 192 + x * 3 + 1] = warp_id;
  O_ptr[y * 192 + x * 3 + 2] = (int)threadIdx.x + (int)threadIdx.y * 64;
}
