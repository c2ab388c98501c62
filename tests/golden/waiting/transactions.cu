__device__ __forceinline__ void mbarrier_init(unsigned long long* barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
               : : "r"((unsigned)__cvta_generic_to_shared(barrier)), "r"(count) : "memory");
}

__device__ __forceinline__ void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
}

__device__ __forceinline__ void mbarrier_arrive_expect_tx(unsigned long long* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               : : "r"((unsigned)__cvta_generic_to_shared(barrier)), "r"(bytes) : "memory");
}

__device__ __forceinline__ void mbarrier_complete_tx(unsigned long long* barrier, int bytes) {
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
               : : "r"((unsigned)__cvta_generic_to_shared(barrier)), "r"(bytes) : "memory");
}

__device__ __forceinline__ void mbarrier_wait(unsigned long long* barrier, int parity) {
  unsigned address = (unsigned)__cvta_generic_to_shared(barrier);
  unsigned done = 0;
  while (!done) {
    asm volatile(
        "{\n"
        "  .reg .pred p;\n"
        "  mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "  selp.u32 %0, 1, 0, p;\n"
        "}"
        : "=r"(done) : "r"(address), "r"(parity) : "memory");
  }
}

extern "C" __global__ void __launch_bounds__(64)
transactions_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) unsigned long long done_ptr[1];
  __shared__ alignas(16) int S_ptr[64];
  if (t == 0) {
    mbarrier_init(&done_ptr[0], 2);
    fence_mbarrier_init();
  }
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    if (t == 0) {
      mbarrier_arrive_expect_tx(&done_ptr[0], 128);
    }
    if (t == 33) {
      mbarrier_arrive_expect_tx(&done_ptr[0], 128);
    }
    S_ptr[t] = A_ptr[i * 64 + t];
    __threadfence_block();
    mbarrier_complete_tx(&done_ptr[0], 4);
    mbarrier_wait(&done_ptr[0], i & 1);
    B_ptr[i * 64 + t] = S_ptr[63 - t];
    __syncthreads();
  }
}
