extern "C" __global__ void __launch_bounds__(256)
scale_rows_kernel(
    const float* __restrict__ A_ptr,
    const float* __restrict__ weights_ptr,
    float factor,
    float* __restrict__ B_ptr,
    int rows,
    int columns) {
  int column = (int)blockIdx.x * 32 + (int)threadIdx.x;
  int row = (int)blockIdx.y * 8 + (int)threadIdx.y;
  if (row < rows && column < columns) {
    B_ptr[row * columns + column] = A_ptr[row * columns + column] * weights_ptr[row] * factor;
  }
}
