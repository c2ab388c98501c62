__device__ __forceinline__ int floormod(int a, int b) {
  int r = a % b;
  return r != 0 && (r ^ b) < 0 ? r + b : r;
}

extern "C" __global__ void __launch_bounds__(128)
comprehensions_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float taps = A_ptr[i % n];
    float taps_1 = A_ptr[(i + 1) % n];
    float taps_2 = A_ptr[floormod(i + 2, n)];
    O_ptr[i * 2] = taps * 1.0f + taps_1 * 0.5f + taps_2 * 0.33333334f;
    O_ptr[i * 2 + 1] = 165.0f;
  }
}
