extern "C" __global__ void __launch_bounds__(256)
blocks_matmul_kernel(
    const float* __restrict__ A_ptr,
    const float* __restrict__ B_ptr,
    float* __restrict__ C_ptr) {
  int tx = (int)threadIdx.x;
  int ty = (int)threadIdx.y;
  int row = (int)blockIdx.y * 16 + ty;
  int col = (int)blockIdx.x * 16 + tx;
  __shared__ alignas(16) float SA_ptr[256];
  __shared__ alignas(16) float SB_ptr[256];
  float acc_ptr[1];
  acc_ptr[0] = 0.0f;
  for (int k = 0; k < 6; ++k) {
    SA_ptr[ty * 16 + tx] = A_ptr[row * 96 + k * 16 + tx];
    SB_ptr[ty * 16 + tx] = B_ptr[(k * 16 + ty) * 64 + col];
    __syncthreads();
    for (int j = 0; j < 16; ++j) {
      acc_ptr[0] = acc_ptr[0] + SA_ptr[ty * 16 + j] * SB_ptr[j * 16 + tx];
    }
    __syncthreads();
  }
  C_ptr[row * 64 + col] = acc_ptr[0];
}
