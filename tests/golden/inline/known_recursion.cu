__device__ __forceinline__ float max_nan(float a, float b) {
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}

__device__ __forceinline__ float min_nan(float a, float b) {
  float r;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}

extern "C" __global__ void __launch_bounds__(64)
kernel_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr) {
  int t = (int)threadIdx.x;
  float x = A_ptr[t * 4];
  O_ptr[t * 4] = x * (x * (x * 1.0f));
  float a = A_ptr[t * 4 + 1];
  float b = A_ptr[t * 4 + 2];
  float low = min_nan(a, b);
  float high = max_nan(a, b);
  O_ptr[t * 4 + 1] = high - low;
  {
    float x_1 = A_ptr[t * 4];
    float x_2 = x_1 * 0.5f;
    float v = x_2 * 0.5f;
    O_ptr[t * 4 + 2] = v;
  }
  {
    float x_1 = A_ptr[t * 4 + 1];
    float x_2 = x_1 * 0.5f;
    float v = x_2 * 0.5f;
    O_ptr[t * 4 + 3] = v;
  }
}
