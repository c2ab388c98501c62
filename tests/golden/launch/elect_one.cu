__device__ __forceinline__ bool elect_sync() {
  unsigned int elected;
  asm volatile(
      "{ .reg .pred p;\n"
      "  elect.sync _|p, 0xffffffff;\n"
      "  selp.u32 %0, 1, 0, p; }"
      : "=r"(elected));
  return elected != 0;
}

extern "C" __global__ void __launch_bounds__(64)
elect_one_kernel(int* __restrict__ O_ptr) {
  int t = (int)threadIdx.x;
  O_ptr[t] = 0;
  if (elect_sync()) {
    O_ptr[t] = 1;
  }
}
