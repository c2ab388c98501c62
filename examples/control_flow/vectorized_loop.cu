extern "C" __global__ void __launch_bounds__(256)
vectorized_loop_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int bx = (int)blockIdx.x;
  int tx = (int)threadIdx.x;
  int i = bx * 256 + tx;
  if (i < n) {
    float4 A_v = *(const float4*)&A_ptr[i * 4];
    float4 B_v;
    B_v.x = A_v.x + 1.0f;
    B_v.y = A_v.y + 1.0f;
    B_v.z = A_v.z + 1.0f;
    B_v.w = A_v.w + 1.0f;
    *(float4*)&B_ptr[i * 4] = B_v;
  }
}
