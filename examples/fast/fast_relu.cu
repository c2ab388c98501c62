__device__ __forceinline__ float max_nan(float a, float b) {
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}

extern "C" __global__ void __launch_bounds__(256)
fast_relu_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int first = ((int)blockIdx.x * 256 + (int)threadIdx.x) * 4;
  if (first + 4 <= n) {
    float4 A_v = *(const float4*)&A_ptr[first];
    float4 B_v;
    B_v.x = max_nan(A_v.x, 0.0f);
    B_v.y = max_nan(A_v.y, 0.0f);
    B_v.z = max_nan(A_v.z, 0.0f);
    B_v.w = max_nan(A_v.w, 0.0f);
    *(float4*)&B_ptr[first] = B_v;
  } else {
    for (int k = 0; k < 4; ++k) {
      if (first + k < n) {
        B_ptr[first + k] = max_nan(A_ptr[first + k], 0.0f);
      }
    }
  }
}
