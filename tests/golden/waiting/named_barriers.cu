__device__ __forceinline__ void bar_sync(int barrier, int threads) {
  if (threads == 0) {
    asm volatile("bar.sync %0;" : : "r"(barrier) : "memory");
  } else {
    asm volatile("bar.sync %0, %1;" : : "r"(barrier), "r"(threads) : "memory");
  }
}

__device__ __forceinline__ void bar_arrive(int barrier, int threads) {
  asm volatile("bar.arrive %0, %1;" : : "r"(barrier), "r"(threads) : "memory");
}

extern "C" __global__ void __launch_bounds__(64)
named_barriers_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  int lane = t & 31;
  __shared__ alignas(16) int S_ptr[64];
  if (t < 32) {
    for (int i = 0; i < 8; ++i) {
      if (i >= 2) {
        bar_sync(3 + (i & 1), 64);
      }
      S_ptr[(i & 1) * 32 + lane] = A_ptr[i * 32 + lane] * 2;
      bar_arrive(1 + (i & 1), 64);
    }
  } else {
    for (int i = 0; i < 8; ++i) {
      bar_sync(1 + (i & 1), 64);
      B_ptr[i * 32 + lane] = S_ptr[(i & 1) * 32 + 31 - lane];
      if (i < 6) {
        bar_arrive(3 + (i & 1), 64);
      }
    }
  }
  bar_sync(0, 0);
}
