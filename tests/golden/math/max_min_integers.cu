extern "C" __global__ void __launch_bounds__(128)
max_min_integers_kernel(
    const int* __restrict__ A_ptr,
    const long long* __restrict__ B_ptr,
    long long* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 2] = max((long long)A_ptr[i], B_ptr[i]);
    O_ptr[i * 2 + 1] = min((long long)A_ptr[i], B_ptr[i]);
  }
}
