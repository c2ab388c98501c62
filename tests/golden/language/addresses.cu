extern "C" __global__ void __launch_bounds__(256)
addresses_kernel(
    const int* __restrict__ A_ptr,
    int* __restrict__ count_ptr,
    int* __restrict__ most_ptr,
    int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    int* place = &count_ptr[(A_ptr[i * 2] & 3) * 16 + (A_ptr[i * 2 + 1] & 15)];
    int before = atomicAdd(place, 1);
    atomicMax(&most_ptr[0], before + 1);
  }
}
