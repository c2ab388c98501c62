extern "C" __global__ void __launch_bounds__(128)
add_negative_kernel(
    int* __restrict__ A_ptr,
    signed char* __restrict__ B_ptr,
    float* __restrict__ C_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (4 <= i && i < n) {
    A_ptr[i] = A_ptr[i - 2] - 3;
    A_ptr[i] = A_ptr[i] + 7;
    A_ptr[i] = A_ptr[i] + (-2147483647 - 1);
    B_ptr[i] = B_ptr[i] - 5;
    B_ptr[i] = B_ptr[i] + -128;
    C_ptr[i] = C_ptr[i] - 0.5f;
    C_ptr[i] = C_ptr[i] + 1.5f;
    C_ptr[i] = C_ptr[i] + -0.0f;
  }
}
