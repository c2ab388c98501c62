extern "C" __global__ void __launch_bounds__(128)
host_kernel(float* __restrict__ A_ptr, float scale, int times, int n, int k) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    A_ptr[i * (2 * n) + (int)blockIdx.y] = A_ptr[i * (2 * n) + (int)blockIdx.y] * (scale + k);
  }
}
