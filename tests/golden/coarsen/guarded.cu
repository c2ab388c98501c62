extern "C" __global__ void __launch_bounds__(256)
clamp_chain_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = ((int)blockIdx.x * 256 + (int)threadIdx.x) * 4;
  if (i + 3 < n) {
    float4 A_v = *(const float4*)&A_ptr[i];
    float4 B_v;
    B_v.x = A_v.x < 0.0f ? 0.0f : A_v.x > 1.0f ? 1.0f : A_v.x;
    B_v.y = A_v.y < 0.0f ? 0.0f : A_v.y > 1.0f ? 1.0f : A_v.y;
    B_v.z = A_v.z < 0.0f ? 0.0f : A_v.z > 1.0f ? 1.0f : A_v.z;
    B_v.w = A_v.w < 0.0f ? 0.0f : A_v.w > 1.0f ? 1.0f : A_v.w;
    *(float4*)&B_ptr[i] = B_v;
  } else {
    for (int lane = 0; lane < 4; ++lane) {
      if (i + lane < n) {
        B_ptr[i + lane] = A_ptr[i + lane] < 0.0f ? 0.0f : A_ptr[i + lane] > 1.0f ? 1.0f : A_ptr[i + lane];
      }
    }
  }
}
