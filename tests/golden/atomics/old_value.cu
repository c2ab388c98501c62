extern "C" __global__ void __launch_bounds__(256)
compact_kernel(
    const float* __restrict__ A_ptr,
    int* __restrict__ count_ptr,
    long long* __restrict__ total_ptr,
    float* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n && A_ptr[i] > 0.0f) {
    int place = atomicAdd(&count_ptr[0], 1);
    O_ptr[place] = A_ptr[i];
    long long before = (long long)atomicAdd((unsigned long long*)&total_ptr[0], i);
    if ((before & 1ll) == 1ll) {
      long long unused = (long long)atomicAdd((unsigned long long*)&total_ptr[0], -1ll);
    }
  }
}
