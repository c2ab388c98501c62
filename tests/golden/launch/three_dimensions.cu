extern "C" __global__ void __launch_bounds__(24)
three_dimensions_kernel(int* __restrict__ O_ptr) {
  int bx = (int)blockIdx.x;
  int by = (int)blockIdx.y;
  int bz = (int)blockIdx.z;
  int tx = (int)threadIdx.x;
  int ty = (int)threadIdx.y;
  int tz = (int)threadIdx.z;
  int size = 432;
  int grid = 230 + (int)gridDim.z;
  int place = bx + by * 10 + bz * 100 + tx * 1000 + ty * 10000 + tz * 100000;
  O_ptr[bz * 144 + by * 48 + bx * 24 + tz * 12 + ty * 4 + tx] = place + size * 1000000 + grid;
}
