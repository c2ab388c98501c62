extern "C" __global__ void __launch_bounds__(128)
local_array_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int kept_ptr[4];
    for (int k = 0; k < 4; ++k) {
      kept_ptr[k] = A_ptr[i * 4 + k];
    }
    for (int k = 0; k < 4; ++k) {
      O_ptr[i * 4 + k] = kept_ptr[3 - k];
    }
  }
}
