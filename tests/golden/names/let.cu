extern "C" __global__ void __launch_bounds__(128)
let_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int x = A_ptr[i] + 1;
    int y = x * 2;
    O_ptr[i] = y;
  }
}
