extern "C" __global__ void __launch_bounds__(128)
number_as_condition_kernel(
    const int* __restrict__ A_ptr,
    const float* __restrict__ B_ptr,
    int* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i] = 0;
    if (A_ptr[i] != 0) {
      O_ptr[i] = O_ptr[i] + 1;
    }
    if (B_ptr[i] == 0.0f) {
      O_ptr[i] = O_ptr[i] + 2;
    }
    if (A_ptr[i] != 0 && B_ptr[i] != 0.0f) {
      O_ptr[i] = O_ptr[i] + 4;
    }
  }
}
