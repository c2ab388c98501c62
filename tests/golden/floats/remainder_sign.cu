__device__ __forceinline__ float floormod(float a, float b) {
  float r = fmodf(a, b);
  if (r == 0.0f) {
    return copysignf(0.0f, b);
  }
  return (r < 0.0f) != (b < 0.0f) ? r + b : r;
}

extern "C" __global__ void __launch_bounds__(128)
remainder_sign_kernel(
    const float* __restrict__ A_ptr,
    const float* __restrict__ B_ptr,
    float* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i] = copysignf(1.0f, floormod(A_ptr[i], B_ptr[i]));
  }
}
