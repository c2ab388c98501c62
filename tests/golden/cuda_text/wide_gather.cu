extern "C" __global__ void __launch_bounds__(128)
wide_gather_kernel(
    const int* __restrict__ P_ptr,
    const float* __restrict__ A_ptr,
    float* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int4 P_v = *(const int4*)&P_ptr[i * 4];
    float4 O_v;
    O_v.x = A_ptr[P_v.x];
    O_v.y = A_ptr[P_v.y];
    O_v.z = A_ptr[P_v.z];
    O_v.w = A_ptr[P_v.w];
    *(float4*)&O_ptr[i * 4] = O_v;
  }
}
