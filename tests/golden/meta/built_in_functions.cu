extern "C" __global__ void __launch_bounds__(128)
built_in_functions_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float total_ptr[1];
    total_ptr[0] = 0.0f;
    total_ptr[0] = total_ptr[0] + A_ptr[i] * 3.0f;
    total_ptr[0] = total_ptr[0] + A_ptr[i] * 2.0f;
    total_ptr[0] = total_ptr[0] + A_ptr[i] * 4.0f;
    total_ptr[0] = total_ptr[0] + 2.0f;
    total_ptr[0] = total_ptr[0] + 2.0f;
    total_ptr[0] = total_ptr[0] + 9.0f;
    O_ptr[i] = total_ptr[0] + 3.0f + 2.0f + 4.0f;
  }
}
