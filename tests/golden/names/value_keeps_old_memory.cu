extern "C" __global__ void __launch_bounds__(128)
value_keeps_old_memory_kernel(float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float x = A_ptr[i];
    A_ptr[i] = 5.0f;
    O_ptr[i] = x;
  }
}
