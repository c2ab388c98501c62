__device__ __forceinline__ float max_nan(float a, float b) {
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}

extern "C" __global__ void __launch_bounds__(256)
branches_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i >= n) {
    return;
  }
  if (A_ptr[i] > 1.0f) {
    B_ptr[i] = 1.0f;
  } else if (0.0f < A_ptr[i] && i > 0) {
    B_ptr[i] = A_ptr[i - 1];
  } else {
    B_ptr[i] = A_ptr[i] < -1.0f ? 0.5f : max_nan(A_ptr[i], 0.0f);
  }
}
