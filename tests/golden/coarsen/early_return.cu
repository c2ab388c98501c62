extern "C" __global__ void __launch_bounds__(128)
axpy_kernel(const double* __restrict__ X_ptr, double* __restrict__ Y_ptr, double a, int n) {
  int i = ((int)blockIdx.x * 128 + (int)threadIdx.x) * 2;
  if (i + 1 < n) {
    double2 X_v = *(const double2*)&X_ptr[i];
    double2 Y_v = *(const double2*)&Y_ptr[i];
    {
      double x = X_v.x * a;
      Y_v.x = Y_v.x + x;
    }
    {
      double x = X_v.y * a;
      Y_v.y = Y_v.y + x;
    }
    *(double2*)&Y_ptr[i] = Y_v;
  } else {
    for (int lane = 0; lane < 2; ++lane) {
      if (i + lane < n) {
        double x = X_ptr[i + lane] * a;
        Y_ptr[i + lane] = Y_ptr[i + lane] + x;
      }
    }
  }
}
