__device__ __forceinline__ bool elect_sync() {
  unsigned int elected;
  asm volatile(
      "{ .reg .pred p;\n"
      "  elect.sync _|p, 0xffffffff;\n"
      "  selp.u32 %0, 1, 0, p; }"
      : "=r"(elected));
  return elected != 0;
}

extern "C" __global__ void __launch_bounds__(128)
elect_one_kernel(float* __restrict__ A_ptr) {
  int warp = __shfl_sync(0xffffffffu, (int)threadIdx.x >> 5, 0, 32);
  if (elect_sync()) {
    A_ptr[warp] = A_ptr[warp] + 1.0f;
  }
}
