extern "C" __global__ void __launch_bounds__(128)
while_short_circuit_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int k_ptr[1];
    k_ptr[0] = 0;
    while (1) {
      if (!(k_ptr[0] < 8 && A_ptr[i * 8 + k_ptr[0]] >= 0)) {
        break;
      }
      k_ptr[0] = k_ptr[0] + 1;
    }
    O_ptr[i] = k_ptr[0];
  }
}
