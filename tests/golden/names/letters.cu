extern "C" __global__ void __launch_bounds__(128)
letters_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int gr_u00f6_u00dfe = A_ptr[i] + 1;
    O_ptr[i] = gr_u00f6_u00dfe * gr_u00f6_u00dfe;
  }
}
