extern "C" __global__ void __launch_bounds__(64)
lambda_names_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  B_ptr[t * 12] = t * 2 + t * 2;
  B_ptr[t * 12 + 1] = t;
  B_ptr[t * 12 + 2] = t + t * 2;
  B_ptr[t * 12 + 3] = t * 4 + 5;
  int q = 3;
  B_ptr[t * 12 + 4] = t * q + t * q + t * q;
  int k = 7;
  B_ptr[t * 12 + 5] = t * q + k;
  B_ptr[t * 12 + 6] = t * 10 + 2;
  B_ptr[t * 12 + 7] = t * q + q;
  int total_ptr[1];
  total_ptr[0] = A_ptr[t];
  int total = total_ptr[0];
  total_ptr[0] = total_ptr[0] + 1000;
  B_ptr[t * 12 + 8] = t + total;
  B_ptr[t * 12 + 9] = t + total_ptr[0];
  B_ptr[t * 12 + 10] = 42;
  B_ptr[t * 12 + 11] = t + 1;
}
