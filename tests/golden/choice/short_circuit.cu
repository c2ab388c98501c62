extern "C" __global__ void __launch_bounds__(128)
short_circuit_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    if (i > 0 && A_ptr[i - 1] > A_ptr[i]) {
      O_ptr[i] = 1;
    } else if (i == 0 || A_ptr[i - 1] == A_ptr[i]) {
      O_ptr[i] = 2;
    } else {
      O_ptr[i] = 3;
    }
  }
}
