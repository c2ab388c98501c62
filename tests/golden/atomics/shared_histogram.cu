extern "C" __global__ void __launch_bounds__(256)
histogram_kernel(const unsigned char* __restrict__ A_ptr, unsigned int* __restrict__ H_ptr, int n) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) unsigned int bins_ptr[256];
  bins_ptr[t] = 0u;
  __syncthreads();
  int i_ptr[1];
  i_ptr[0] = (int)blockIdx.x * 256 + t;
  while (1) {
    if (!(i_ptr[0] < n)) {
      break;
    }
    unsigned int* bin = &bins_ptr[A_ptr[i_ptr[0]]];
    atomicAdd(bin, 1u);
    i_ptr[0] = i_ptr[0] + 16384;
  }
  __syncthreads();
  atomicAdd(&H_ptr[t], bins_ptr[t]);
}
