extern "C" __global__ void __launch_bounds__(64)
plain_flag_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) int flag_ptr[1];
  __shared__ alignas(16) int S_ptr[64];
  if (t == 0) {
    flag_ptr[0] = 0;
  }
  __syncthreads();
  S_ptr[t] = A_ptr[t];
  if (t == 63) {
    flag_ptr[0] = 1;
  }
  while (1) {
    if (!(flag_ptr[0] == 0)) {
      break;
    }
  }
  __syncwarp();
  if (t < 32) {
    B_ptr[t] = S_ptr[t ^ 1];
  } else {
    B_ptr[t] = S_ptr[t];
  }
}
