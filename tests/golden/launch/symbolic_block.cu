extern "C" __global__ void
symbolic_block_kernel(int* __restrict__ A_ptr, int b) {
  A_ptr[(int)blockIdx.x * b + (int)threadIdx.x] = A_ptr[(int)blockIdx.x * b + (int)threadIdx.x] + (int)blockDim.x;
}
