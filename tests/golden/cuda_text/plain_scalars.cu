extern "C" __global__ void __launch_bounds__(128)
plain_scalars_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float total = 0.0f;
    int k = 0;
    while (k < 8) {
      int last;
      if (A_ptr[i] > total) {
        last = k * 2;
      } else {
        last = k;
      }
      total = total + A_ptr[i] * last;
      k = k + 1;
    }
    O_ptr[i] = total;
  }
}
