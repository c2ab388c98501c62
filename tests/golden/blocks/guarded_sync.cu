extern "C" __global__ void __launch_bounds__(32)
guarded_sync_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr, int n) {
  int t = (int)threadIdx.x;
  int far = n * 100000000;
  int i_ptr[1];
  i_ptr[0] = 0;
  while (1) {
    if (!(i_ptr[0] < 4 && __any_sync(0xffffffffu, A_ptr[i_ptr[0] * (1 + (i_ptr[0] >> 2) * far) * 32 + t] > 0) != 0)) {
      break;
    }
    i_ptr[0] = i_ptr[0] + 1;
  }
  B_ptr[t * 4] = i_ptr[0];
  B_ptr[t * 4 + 1] = n == 0 ? __shfl_xor_sync(0xffffffffu, A_ptr[far * 32 + t], 1, 32) : 7;
  if (n == 1) {
    B_ptr[t * 4 + 2] = 1;
  } else if (n == 2 || __all_sync(0xffffffffu, A_ptr[(n - 2) * far * 32 + t] > 0) != 0) {
    B_ptr[t * 4 + 2] = 2;
  } else {
    B_ptr[t * 4 + 2] = 3;
  }
  if (n == 0 && __syncthreads_or(A_ptr[far * 32 + t] > 5) != 0) {
    B_ptr[t * 4 + 3] = 1;
  }
}
