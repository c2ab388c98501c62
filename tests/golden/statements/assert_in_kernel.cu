extern "C" __global__ void __launch_bounds__(64)
checked_kernel(float* __restrict__ A_ptr, int n) {
  int t = (int)threadIdx.x;
  if (!(n >= 64)) {
    printf("assert_in_kernel.py:13: n >= 64 (block %u, %u, %u, thread %u, %u, %u)\n", blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
    __trap();
  }
  if (!(A_ptr[t] > 0.0f)) {
    printf("assert_in_kernel.py:14: 100%% of A is positive (block %u, %u, %u, thread %u, %u, %u)\n", blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
    __trap();
  }
  A_ptr[t] = logf(A_ptr[t]);
}
