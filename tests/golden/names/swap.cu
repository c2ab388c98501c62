extern "C" __global__ void __launch_bounds__(128)
swap_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int a_ptr[1];
    a_ptr[0] = A_ptr[i * 2];
    int b_ptr[1];
    b_ptr[0] = A_ptr[i * 2 + 1];
    int b_new = a_ptr[0] - b_ptr[0];
    a_ptr[0] = b_ptr[0];
    b_ptr[0] = b_new;
    O_ptr[i * 2] = a_ptr[0];
    O_ptr[i * 2 + 1] = b_ptr[0];
  }
}
