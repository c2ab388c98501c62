extern "C" __global__ void __launch_bounds__(256)
binary_search_kernel(
    const float* __restrict__ A_ptr,
    const float* __restrict__ Q_ptr,
    int* __restrict__ P_ptr,
    int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    int lo_ptr[1];
    lo_ptr[0] = 0;
    int hi_ptr[1];
    hi_ptr[0] = 64;
    while (1) {
      if (!(lo_ptr[0] < hi_ptr[0])) {
        break;
      }
      int mid = (lo_ptr[0] + hi_ptr[0]) >> 1;
      if (A_ptr[mid] < Q_ptr[i]) {
        lo_ptr[0] = mid + 1;
      } else {
        hi_ptr[0] = mid;
      }
    }
    P_ptr[i] = lo_ptr[0];
  }
}
