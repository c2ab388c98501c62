extern "C" __global__ void __launch_bounds__(128)
long_chain_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    if (A_ptr[i] == 0) {
      O_ptr[i] = 10;
    } else if (A_ptr[i] == 1) {
      O_ptr[i] = 20;
    } else if (A_ptr[i] == 2) {
      O_ptr[i] = 5;
    } else if (A_ptr[i] < 0) {
      O_ptr[i] = -1;
    }
  }
}
