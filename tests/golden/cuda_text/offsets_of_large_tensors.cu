extern "C" __global__ void __launch_bounds__(128)
offsets_of_large_tensors_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i] = A_ptr[(long long)i * 65536 + i + 1] + A_ptr[(long long)((i + 2) * 2) * 65536];
  }
}
