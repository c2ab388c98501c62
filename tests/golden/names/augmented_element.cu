extern "C" __global__ void __launch_bounds__(128)
augmented_element_kernel(int* __restrict__ A_ptr, const int* __restrict__ P_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int A_idx = P_ptr[i];
    A_ptr[i * 4 + A_idx] = A_ptr[i * 4 + A_idx] + 10;
    A_ptr[i * 4 + 3] = A_ptr[i * 4 + 3] << 1;
    A_ptr[i * 4 + 2] = A_ptr[i * 4 + 2] >> 1;
    A_ptr[i * 4 + 1] = A_ptr[i * 4 + 1] ^ 5;
  }
}
