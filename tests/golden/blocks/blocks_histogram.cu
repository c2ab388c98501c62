__device__ __forceinline__ double atomic_max(double* p, double value) {
  unsigned long long old = *(volatile unsigned long long*)p;
  while (value > __longlong_as_double(old)) {
    unsigned long long seen =
        atomicCAS((unsigned long long*)p, old, __double_as_longlong(value));
    if (seen == old) {
      break;
    }
    old = seen;
  }
  return __longlong_as_double(old);
}

__device__ __forceinline__ double atomic_min(double* p, double value) {
  unsigned long long old = *(volatile unsigned long long*)p;
  while (value < __longlong_as_double(old)) {
    unsigned long long seen =
        atomicCAS((unsigned long long*)p, old, __double_as_longlong(value));
    if (seen == old) {
      break;
    }
    old = seen;
  }
  return __longlong_as_double(old);
}

extern "C" __global__ void __launch_bounds__(256)
blocks_histogram_kernel(
    const int* __restrict__ A_ptr,
    int* __restrict__ H_ptr,
    float* __restrict__ F_ptr,
    double* __restrict__ M_ptr) {
  int t = (int)threadIdx.x;
  int i = (int)blockIdx.x * 256 + t;
  __shared__ alignas(16) int S_ptr[16];
  if (t < 16) {
    S_ptr[t] = 0;
  }
  __syncthreads();
  atomicAdd(&S_ptr[A_ptr[i]], 1);
  __syncthreads();
  if (t < 16) {
    atomicAdd(&H_ptr[t], S_ptr[t]);
  }
  atomicAdd(&F_ptr[0], 1.0f);
  atomic_max(&M_ptr[0], A_ptr[i]);
  atomic_min(&M_ptr[1], A_ptr[i]);
}
