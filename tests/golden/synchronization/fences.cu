extern "C" __global__ void __launch_bounds__(64)
fences_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr) {
  int t = (int)threadIdx.x;
  O_ptr[t * 4] = A_ptr[t];
  __threadfence_block();
  O_ptr[t * 4 + 1] = A_ptr[t] + 1;
  __threadfence();
  O_ptr[t * 4 + 2] = A_ptr[t] + 2;
  __threadfence_system();
  O_ptr[t * 4 + 3] = A_ptr[t] + 3;
}
