__device__ __forceinline__ float max_nan(float a, float b) {
  return (a > b || a != a) ? a : b;
}

__device__ __forceinline__ float min_nan(float a, float b) {
  return (a < b || a != a) ? a : b;
}

__device__ __forceinline__ bool elect_sync() {
  unsigned int lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return (int)lane == __ffs((int)__activemask()) - 1;
}

extern "C" __global__ void __launch_bounds__(128)
old_arch_helpers_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    if (elect_sync()) {
      O_ptr[i] = max_nan(A_ptr[i], 0.0f);
    } else {
      O_ptr[i] = min_nan(A_ptr[i], 0.0f);
    }
  }
}
