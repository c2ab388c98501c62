extern "C" __global__ void __launch_bounds__(128)
called_functions_keep_names_kernel(
    const float* __restrict__ A_ptr,
    float* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float sqrtf_1 = A_ptr[i] * 2.0f;
    float cosf = sqrtf_1 + 1.0f;
    float max_nan_1 = sqrtf(sqrtf_1) + cosf;
    O_ptr[i] = max_nan_1;
  }
}
