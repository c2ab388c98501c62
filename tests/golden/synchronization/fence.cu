extern "C" __global__ void __launch_bounds__(128)
fence_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 2] = A_ptr[i];
    __threadfence();
    O_ptr[i * 2 + 1] = A_ptr[i] + 1;
  }
}
