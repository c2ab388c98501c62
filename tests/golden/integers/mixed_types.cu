extern "C" __global__ void __launch_bounds__(128)
mixed_types_kernel(
    const int* __restrict__ A_ptr,
    const unsigned int* __restrict__ B_ptr,
    const long long* __restrict__ C_ptr,
    const unsigned char* __restrict__ D_ptr,
    long long* __restrict__ O_ptr,
    unsigned int* __restrict__ P_ptr,
    int* __restrict__ Q_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 2] = C_ptr[i] + A_ptr[i];
    O_ptr[i * 2 + 1] = C_ptr[i] * B_ptr[i];
    P_ptr[i * 2] = A_ptr[i] + B_ptr[i];
    P_ptr[i * 2 + 1] = B_ptr[i] - D_ptr[i];
    Q_ptr[i] = A_ptr[i] - D_ptr[i];
  }
}
