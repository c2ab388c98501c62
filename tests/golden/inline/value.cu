extern "C" __global__ void __launch_bounds__(256)
values_kernel(
    float* __restrict__ A_ptr,
    float* __restrict__ B_ptr,
    float* __restrict__ C_ptr,
    int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    float x = A_ptr[i] + B_ptr[i];
    float x_1 = B_ptr[i];
    C_ptr[i] = x * x + x_1 * x_1;
    float a = A_ptr[i];
    float b = C_ptr[i];
    float left = a * 0.5f;
    B_ptr[i] = left + b * 0.5f;
    float a_1 = A_ptr[i];
    float b_1 = C_ptr[i];
    float left_1 = a_1 * 0.25f;
    A_ptr[i] = left_1 + b_1 * 0.75f;
  }
}
