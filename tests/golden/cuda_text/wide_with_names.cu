extern "C" __global__ void __launch_bounds__(128)
wide_with_names_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float2 A_v = *(const float2*)&A_ptr[i * 2];
    float2 O_v;
    {
      float x = A_v.x * 2.0f;
      O_v.x = x * x + x;
    }
    {
      float x = A_v.y * 2.0f;
      O_v.y = x * x + x;
    }
    *(float2*)&O_ptr[i * 2] = O_v;
  }
}
