extern "C" __global__ void __block_size__((32, 4, 1), (2, 1, 1))
required_block_size_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr, int n) {
  int row = (int)blockIdx.y * 4 + (int)threadIdx.y;
  int i = ((int)blockIdx.x * 8 + row) * 32 + (int)threadIdx.x;
  if (i < n) {
    B_ptr[i] = A_ptr[i] + (int)gridDim.x;
  }
}
