// SPDX-License-Identifier: Apache-2.0
//
// The row sum of fast_row_sum.py as an expert types it: sixteen lanes a row, four rows a thread.
// grid = ceil(m / 64).
extern "C" __global__ void __launch_bounds__(256)
fast_row_sum_kernel(const float* __restrict__ x, float* __restrict__ y, int m) {
  int lane = threadIdx.x % 16;
  int row = blockIdx.x * 64 + threadIdx.x / 16;
  float4 part[4];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    int source = min(row + 16 * r, m - 1);
    part[r] = *(const float4*)(x + source * 64 + lane * 4);
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    float total = (part[r].x + part[r].y) + (part[r].z + part[r].w);
#pragma unroll
    for (int step = 8; step > 0; step /= 2) {
      total += __shfl_xor_sync(0xffffffffu, total, step, 16);
    }
    if (lane == 0 && row + 16 * r < m) {
      y[row + 16 * r] = total;
    }
  }
}
