extern "C" __global__ void __launch_bounds__(128)
sums_kernel(
    const float* __restrict__ A_ptr,
    const float* __restrict__ B_ptr,
    float* __restrict__ S_ptr,
    float* __restrict__ R_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    float total_ptr[1];
    total_ptr[0] = 0.0f;
    for (int c = 0; c < 16; ++c) {
      total_ptr[0] = total_ptr[0] + A_ptr[i * 16 + c];
    }
    S_ptr[i] = total_ptr[0];
    float total_ptr_1[1];
    total_ptr_1[0] = 0.0f;
    for (int c = 0; c < 16; ++c) {
      total_ptr_1[0] = total_ptr_1[0] + B_ptr[i * 16 + c];
    }
    R_ptr[i] = total_ptr_1[0];
  }
}
