extern "C" __global__ void __launch_bounds__(128)
vectorized_copy_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float4 A_v = *(const float4*)&A_ptr[i * 4];
    float4 O_v;
    O_v.x = A_v.x * 2.0f;
    O_v.y = A_v.y * 2.0f;
    O_v.z = A_v.z * 2.0f;
    O_v.w = A_v.w * 2.0f;
    *(float4*)&O_ptr[i * 4] = O_v;
  }
}
