__device__ __forceinline__ double floormod(double a, double b) {
  double r = fmod(a, b);
  if (r == 0.0) {
    return copysign(0.0, b);
  }
  return (r < 0.0) != (b < 0.0) ? r + b : r;
}

extern "C" __global__ void __launch_bounds__(128)
float64_arithmetic_kernel(
    const double* __restrict__ A_ptr,
    const double* __restrict__ B_ptr,
    double* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 7] = A_ptr[i] + B_ptr[i];
    O_ptr[i * 7 + 1] = A_ptr[i] - B_ptr[i];
    O_ptr[i * 7 + 2] = A_ptr[i] * B_ptr[i];
    O_ptr[i * 7 + 3] = A_ptr[i] / B_ptr[i];
    O_ptr[i * 7 + 4] = floor(A_ptr[i] / B_ptr[i]);
    O_ptr[i * 7 + 5] = floormod(A_ptr[i], B_ptr[i]);
    O_ptr[i * 7 + 6] = -A_ptr[i];
  }
}
