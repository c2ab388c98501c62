extern "C" __global__ void __launch_bounds__(32)
grid_barrier_kernel(int* __restrict__ A_ptr, int* __restrict__ C_ptr) {
  int b = (int)blockIdx.x;
  int t = (int)threadIdx.x;
  for (int turn = 0; turn < 3; ++turn) {
    int value = A_ptr[(b + 7) % 24 * 32 + 31 - t];
    __threadfence();
    __syncthreads();
    if (t == 0) {
      atomicAdd(&C_ptr[0], 1);
      while (1) {
        if (!(atomicAdd(&C_ptr[0], 0) < 24 * (2 * turn + 1))) {
          break;
        }
      }
    }
    __syncthreads();
    A_ptr[b * 32 + t] = value * 2 + turn;
    __threadfence();
    __syncthreads();
    if (t == 0) {
      atomicAdd(&C_ptr[0], 1);
      while (1) {
        if (!(atomicAdd(&C_ptr[0], 0) < 24 * (2 * turn + 1 + 1))) {
          break;
        }
      }
    }
    __syncthreads();
  }
}
