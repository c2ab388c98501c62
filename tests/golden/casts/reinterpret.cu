extern "C" __global__ void __launch_bounds__(128)
reinterpret_kernel(
    const float* __restrict__ A_ptr,
    const int* __restrict__ B_ptr,
    int* __restrict__ O_ptr,
    float* __restrict__ P_ptr,
    unsigned int* __restrict__ Q_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i] = __float_as_int(A_ptr[i]);
    P_ptr[i] = __int_as_float(B_ptr[i]);
    Q_ptr[i] = __float_as_uint(A_ptr[i]);
  }
}
