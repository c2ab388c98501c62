extern "C" __global__ void __launch_bounds__(128)
warp_and_lane_kernel(int* __restrict__ O_ptr) {
  int warp = __shfl_sync(0xffffffffu, (int)threadIdx.x >> 5, 0, 32);
  int lane = (int)threadIdx.x & 31;
  O_ptr[warp * 32 + lane] = warp * 100 + lane;
}
