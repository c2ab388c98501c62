extern "C" __global__ void __launch_bounds__(256)
row_sum_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    float total_ptr[1];
    total_ptr[0] = 0.0f;
    for (int j = 0; j < 16; ++j) {
      total_ptr[0] = total_ptr[0] + A_ptr[i * 64 + j * 4];
      total_ptr[0] = total_ptr[0] + A_ptr[i * 64 + j * 4 + 1];
      total_ptr[0] = total_ptr[0] + A_ptr[i * 64 + j * 4 + 2];
      total_ptr[0] = total_ptr[0] + A_ptr[i * 64 + j * 4 + 3];
    }
    B_ptr[i] = total_ptr[0];
  }
}
