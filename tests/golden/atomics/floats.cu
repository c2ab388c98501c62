#include <cuda_fp16.h>
#include <cuda_bf16.h>

__device__ __forceinline__ float atomic_min(float* p, float value) {
  int old = *(volatile int*)p;
  while (value < __int_as_float(old)) {
    int seen = atomicCAS((int*)p, old, __float_as_int(value));
    if (seen == old) {
      break;
    }
    old = seen;
  }
  return __int_as_float(old);
}

__device__ __forceinline__ float atomic_max(float* p, float value) {
  int old = *(volatile int*)p;
  while (value > __int_as_float(old)) {
    int seen = atomicCAS((int*)p, old, __float_as_int(value));
    if (seen == old) {
      break;
    }
    old = seen;
  }
  return __int_as_float(old);
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

extern "C" __global__ void __launch_bounds__(256)
atomics_kernel(
    const float* __restrict__ A_ptr,
    float* __restrict__ F_ptr,
    double* __restrict__ D_ptr,
    half* __restrict__ H_ptr,
    nv_bfloat16* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  atomicAdd(&F_ptr[0], A_ptr[t]);
  atomicAdd(&F_ptr[1], -A_ptr[t]);
  atomic_min(&F_ptr[2], A_ptr[t]);
  atomic_max(&F_ptr[3], A_ptr[t]);
  atomicExch(&F_ptr[4], A_ptr[t]);
  atomicCAS((int*)&F_ptr[5], __float_as_int(0.0f), __float_as_int(A_ptr[t]));
  atomicAdd(&D_ptr[0], A_ptr[t]);
  atomicAdd(&D_ptr[1], -1.0);
  atomic_min(&D_ptr[2], A_ptr[t]);
  atomic_max(&D_ptr[3], A_ptr[t]);
  atomicExch((unsigned long long*)&D_ptr[4], __double_as_longlong(A_ptr[t]));
  atomicCAS((unsigned long long*)&D_ptr[5], __double_as_longlong(0.0), __double_as_longlong(A_ptr[t]));
  atomicAdd(&H_ptr[0], __float2half(A_ptr[t]));
  atomicAdd(&H_ptr[1], -__float2half(A_ptr[t]));
  atomicAdd(&B_ptr[0], __float2bfloat16(0.5f));
  atomicAdd(&B_ptr[1], -__float2bfloat16(A_ptr[t]));
}
