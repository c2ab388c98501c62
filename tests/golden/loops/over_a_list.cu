extern "C" __global__ void __launch_bounds__(128)
over_a_list_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int total_ptr[1];
    total_ptr[0] = 0;
    total_ptr[0] = total_ptr[0] * 100 + A_ptr[i * 8 + 1];
    total_ptr[0] = total_ptr[0] * 100 + A_ptr[i * 8 + 5];
    total_ptr[0] = total_ptr[0] * 100 + A_ptr[i * 8 + 2];
    O_ptr[i] = total_ptr[0];
  }
}
