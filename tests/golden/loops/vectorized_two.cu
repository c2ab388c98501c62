extern "C" __global__ void __launch_bounds__(128)
vectorized_two_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float2 A_v = *(const float2*)&A_ptr[i * 2];
    float2 O_v;
    O_v.x = A_v.x + 1.0f;
    O_v.y = A_v.y + 1.0f;
    *(float2*)&O_ptr[i * 2] = O_v;
  }
}
