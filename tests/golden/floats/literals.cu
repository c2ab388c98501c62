extern "C" __global__ void __launch_bounds__(128)
literals_kernel(float* __restrict__ O_ptr, double* __restrict__ P_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 6] = 0.1f;
    O_ptr[i * 6 + 1] = 1e-30f;
    O_ptr[i * 6 + 2] = 16777216.0f;
    O_ptr[i * 6 + 3] = __int_as_float(0x7f800000);
    O_ptr[i * 6 + 4] = __int_as_float(0xff800000);
    O_ptr[i * 6 + 5] = 3.0f;
    P_ptr[i * 3] = 0.1;
    P_ptr[i * 3 + 1] = 1e300;
    P_ptr[i * 3 + 2] = 1.0;
  }
}
