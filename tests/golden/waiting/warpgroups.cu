__device__ __forceinline__ void warpgroup_sync(int barrier) {
  asm volatile("bar.sync %0, 128;" : : "r"(barrier) : "memory");
}

extern "C" __global__ void __launch_bounds__(256)
warpgroups_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) int S_ptr[256];
  int group = t >> 7;
  for (int i = 0; i < group + 1; ++i) {
    S_ptr[t] = A_ptr[t] + i;
    warpgroup_sync(1 + group);
    B_ptr[t] = S_ptr[t ^ 127];
    warpgroup_sync(1 + group);
  }
}
