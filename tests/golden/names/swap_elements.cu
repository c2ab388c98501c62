extern "C" __global__ void __launch_bounds__(128)
swap_elements_kernel(int* __restrict__ A_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int A_new = A_ptr[i * 2];
    A_ptr[i * 2] = A_ptr[i * 2 + 1];
    A_ptr[i * 2 + 1] = A_new;
  }
}
