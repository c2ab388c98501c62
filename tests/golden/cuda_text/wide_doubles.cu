extern "C" __global__ void __launch_bounds__(128)
wide_doubles_kernel(const double* __restrict__ A_ptr, double* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    double2 A_v = *(const double2*)&A_ptr[i * 4];
    double2 A_v_1 = *(const double2*)&A_ptr[i * 4 + 2];
    double2 O_v;
    double2 O_v_1;
    O_v.x = A_v.x * 2.0;
    O_v.y = A_v.y * 2.0;
    O_v_1.x = A_v_1.x * 2.0;
    O_v_1.y = A_v_1.y * 2.0;
    *(double2*)&O_ptr[i * 4] = O_v;
    *(double2*)&O_ptr[i * 4 + 2] = O_v_1;
  }
}
