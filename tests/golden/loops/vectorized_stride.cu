extern "C" __global__ void __launch_bounds__(128)
vectorized_stride_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float4 O_v;
    O_v.x = A_ptr[i * 8];
    O_v.y = A_ptr[i * 8 + 2];
    O_v.z = A_ptr[i * 8 + 4];
    O_v.w = A_ptr[i * 8 + 6];
    *(float4*)&O_ptr[i * 4] = O_v;
  }
}
