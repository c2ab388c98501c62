__device__ __forceinline__ void mbarrier_init(unsigned long long* barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
               : : "r"((unsigned)__cvta_generic_to_shared(barrier)), "r"(count) : "memory");
}

__device__ __forceinline__ void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
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

__device__ __forceinline__ void mbarrier_arrive(unsigned long long* barrier, int count) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;"
               : : "r"((unsigned)__cvta_generic_to_shared(barrier)), "r"(count) : "memory");
}

__device__ __forceinline__ void mbarrier_inval(unsigned long long* barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];"
               : : "r"((unsigned)__cvta_generic_to_shared(barrier)) : "memory");
}

extern "C" __global__ void __launch_bounds__(128)
mbarrier_pipeline_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) unsigned long long full_ptr[2];
  __shared__ alignas(16) unsigned long long empty_ptr[2];
  __shared__ alignas(16) float S_ptr[128];
  if (t == 0) {
    mbarrier_init(&full_ptr[0], 64);
    mbarrier_init(&empty_ptr[0], 64);
    mbarrier_init(&full_ptr[1], 64);
    mbarrier_init(&empty_ptr[1], 64);
    fence_mbarrier_init();
  }
  __syncthreads();
  if (t < 64) {
    for (int i = 0; i < 10; ++i) {
      mbarrier_wait(&empty_ptr[i & 1], ((i >> 1) + 1) & 1);
      S_ptr[(i & 1) * 64 + t] = A_ptr[i * 64 + t];
      mbarrier_arrive(&full_ptr[i & 1], 1);
    }
  } else {
    for (int i = 0; i < 10; ++i) {
      mbarrier_wait(&full_ptr[i & 1], (i >> 1) & 1);
      B_ptr[i * 64 + t - 64] = S_ptr[(i & 1) * 64 + 127 - t] + 1.0f;
      mbarrier_arrive(&empty_ptr[i & 1], 1);
    }
  }
  __syncthreads();
  if (t == 0) {
    mbarrier_inval(&full_ptr[0]);
    mbarrier_inval(&empty_ptr[0]);
    mbarrier_inval(&full_ptr[1]);
    mbarrier_inval(&empty_ptr[1]);
  }
}
