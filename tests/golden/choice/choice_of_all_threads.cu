extern "C" __global__ void __launch_bounds__(64)
choice_of_all_threads_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int m, int n) {
  int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
  if (i < n) {
    unsigned char k_ptr[1];
    k_ptr[0] = 3;
    k_ptr[0] = m <= 100 ? k_ptr[0] : max(231, k_ptr[0]);
    O_ptr[i] = A_ptr[i] * k_ptr[0];
  }
}
