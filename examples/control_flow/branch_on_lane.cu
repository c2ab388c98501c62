extern "C" __global__ void __launch_bounds__(128)
branch_on_lane_kernel(float* __restrict__ A_ptr) {
  int warp = __shfl_sync(0xffffffffu, (int)threadIdx.x >> 5, 0, 32);
  int lane = (int)threadIdx.x & 31;
  if (lane < 16) {
    A_ptr[warp * 32 + lane] = A_ptr[warp * 32 + lane] * 2.0f;
  } else {
    A_ptr[warp * 32 + lane] = A_ptr[warp * 32 + lane] + 1.0f;
  }
}
