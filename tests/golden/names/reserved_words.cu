extern "C" __global__ void __launch_bounds__(128)
reserved_words_kernel(
    const int* __restrict__ float_ptr,
    const int* __restrict__ threadIdx_ptr,
    int* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int auto_1 = float_ptr[i];
    int template_1 = threadIdx_ptr[i];
    O_ptr[i] = auto_1 * 10 + template_1;
  }
}
