extern "C" __global__ void __launch_bounds__(128)
unroll_nested_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int total_ptr[1];
    total_ptr[0] = 0;
    total_ptr[0] = total_ptr[0] * 7 + A_ptr[i * 6];
    total_ptr[0] = total_ptr[0] * 7 + A_ptr[i * 6 + 1];
    total_ptr[0] = total_ptr[0] * 7 + A_ptr[i * 6 + 2];
    total_ptr[0] = total_ptr[0] * 7 + A_ptr[i * 6 + 3];
    total_ptr[0] = total_ptr[0] * 7 + A_ptr[i * 6 + 4];
    total_ptr[0] = total_ptr[0] * 7 + A_ptr[i * 6 + 5];
    O_ptr[i] = total_ptr[0];
  }
}
