extern "C" __global__ void __launch_bounds__(128)
names_of_neighbours_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int total_ptr[1];
    total_ptr[0] = 0;
    int twice_ptr[1];
    for (int k = 0; k < 4; ++k) {
      twice_ptr[0] = A_ptr[i * 4 + k] * 2;
      total_ptr[0] = total_ptr[0] + twice_ptr[0];
    }
    for (int k = 0; k < 4; ++k) {
      twice_ptr[0] = A_ptr[i * 4 + k] * 3;
      for (int n_1 = 0; n_1 < 2; ++n_1) {
        total_ptr[0] = total_ptr[0] - (twice_ptr[0] + n_1);
      }
    }
    O_ptr[i] = total_ptr[0];
  }
}
