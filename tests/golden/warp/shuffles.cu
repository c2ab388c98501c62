extern "C" __global__ void __launch_bounds__(32)
shuffles_kernel(
    const float* __restrict__ F_ptr,
    const double* __restrict__ D_ptr,
    const long long* __restrict__ L_ptr,
    const unsigned int* __restrict__ U_ptr,
    float* __restrict__ O_ptr,
    double* __restrict__ P_ptr,
    long long* __restrict__ Q_ptr,
    unsigned int* __restrict__ R_ptr) {
  int t = (int)threadIdx.x;
  O_ptr[t * 4] = __shfl_sync(0xffffffffu, F_ptr[t], 5, 32);
  O_ptr[t * 4 + 1] = __shfl_up_sync(0xffffffffu, F_ptr[t], 1, 16);
  O_ptr[t * 4 + 2] = __shfl_down_sync(0xffffffffu, F_ptr[t], 2, 8);
  O_ptr[t * 4 + 3] = __shfl_xor_sync(0xffffffffu, F_ptr[t], 3, 32);
  P_ptr[t * 2] = __shfl_sync(0xffffffffu, D_ptr[t], (t + 1) & 31, 32);
  P_ptr[t * 2 + 1] = __shfl_xor_sync(0xffffffffu, D_ptr[t], 16, 32);
  Q_ptr[t] = __shfl_xor_sync(0xffffffffu, L_ptr[t], 1, 2);
  R_ptr[t] = __shfl_down_sync(0xffffffffu, U_ptr[t], 1, 32) - U_ptr[t];
}
