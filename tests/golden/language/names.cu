extern "C" __global__ void __launch_bounds__(256)
names_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    float scaled = A_ptr[i] * 0.5f;
    float total_ptr[1];
    total_ptr[0] = scaled;
    total_ptr[0] = total_ptr[0] + A_ptr[i];
    int count_ptr[1];
    count_ptr[0] = 0;
    float history_ptr[4];
    for (int k = 0; k < 4; ++k) {
      history_ptr[k] = total_ptr[0];
      count_ptr[0] = count_ptr[0] + 1;
    }
    float a = history_ptr[0];
    float b = history_ptr[3];
    B_ptr[i] = count_ptr[0] > 2 ? a + b : scaled;
  }
}
