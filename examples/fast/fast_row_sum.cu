extern "C" __global__ void __launch_bounds__(256)
fast_row_sum_kernel(const float* __restrict__ X_ptr, float* __restrict__ Y_ptr, int m) {
  int lane = (int)threadIdx.x & 15;
  int row = (int)blockIdx.x * 64 + ((int)threadIdx.x >> 4);
  float part_ptr[16];
  {
    int source = min(row, m - 1);
    float4 X_v = *(const float4*)&X_ptr[source * 64 + lane * 4];
    part_ptr[0] = X_v.x;
    part_ptr[1] = X_v.y;
    part_ptr[2] = X_v.z;
    part_ptr[3] = X_v.w;
  }
  {
    int source = min(row + 16, m - 1);
    float4 X_v = *(const float4*)&X_ptr[source * 64 + lane * 4];
    part_ptr[4] = X_v.x;
    part_ptr[5] = X_v.y;
    part_ptr[6] = X_v.z;
    part_ptr[7] = X_v.w;
  }
  {
    int source = min(row + 32, m - 1);
    float4 X_v = *(const float4*)&X_ptr[source * 64 + lane * 4];
    part_ptr[8] = X_v.x;
    part_ptr[9] = X_v.y;
    part_ptr[10] = X_v.z;
    part_ptr[11] = X_v.w;
  }
  {
    int source = min(row + 48, m - 1);
    float4 X_v = *(const float4*)&X_ptr[source * 64 + lane * 4];
    part_ptr[12] = X_v.x;
    part_ptr[13] = X_v.y;
    part_ptr[14] = X_v.z;
    part_ptr[15] = X_v.w;
  }
  {
    float total_ptr[1];
    total_ptr[0] = part_ptr[0] + part_ptr[1] + (part_ptr[2] + part_ptr[3]);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 8, 16);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 4, 16);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 2, 16);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 1, 16);
    if (lane == 0 && row < m) {
      Y_ptr[row] = total_ptr[0];
    }
  }
  {
    float total_ptr[1];
    total_ptr[0] = part_ptr[4] + part_ptr[5] + (part_ptr[6] + part_ptr[7]);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 8, 16);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 4, 16);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 2, 16);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 1, 16);
    if (lane == 0 && row + 16 < m) {
      Y_ptr[row + 16] = total_ptr[0];
    }
  }
  {
    float total_ptr[1];
    total_ptr[0] = part_ptr[8] + part_ptr[9] + (part_ptr[10] + part_ptr[11]);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 8, 16);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 4, 16);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 2, 16);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 1, 16);
    if (lane == 0 && row + 32 < m) {
      Y_ptr[row + 32] = total_ptr[0];
    }
  }
  {
    float total_ptr[1];
    total_ptr[0] = part_ptr[12] + part_ptr[13] + (part_ptr[14] + part_ptr[15]);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 8, 16);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 4, 16);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 2, 16);
    total_ptr[0] = total_ptr[0] + __shfl_xor_sync(0xffffffffu, total_ptr[0], 1, 16);
    if (lane == 0 && row + 48 < m) {
      Y_ptr[row + 48] = total_ptr[0];
    }
  }
}
