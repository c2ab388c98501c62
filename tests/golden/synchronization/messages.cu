#include <cuda_fp16.h>

__device__ __forceinline__ void trap_when_assert_failed(bool condition) {
  if (!condition) {
    __trap();
  }
}

extern "C" __global__ void __launch_bounds__(32)
messages_kernel(
    float* __restrict__ A_ptr,
    const half* __restrict__ H_ptr,
    const signed char* __restrict__ I_ptr) {
  int t = (int)threadIdx.x;
  printf("start, 100%%\n");
  printf("lane %d of %u: %f %.3g %5d %lld %s\n", t, 32u, A_ptr[t], __half2float(H_ptr[t]), (int)I_ptr[t], (long long)t, "ok");
  printf("%*d at %p\n", 8, t, &A_ptr[t]);
  trap_when_assert_failed(A_ptr[t] >= 0.0f);
  __nanosleep(100u);
  if (!(A_ptr[t] < 100.0f)) {
    printf("messages.py:18: A is too large (block %u, %u, %u, thread %u, %u, %u)\n", blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
    __trap();
  }
}
