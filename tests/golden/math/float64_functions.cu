extern "C" __global__ void __launch_bounds__(128)
float64_functions_kernel(const double* __restrict__ A_ptr, double* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 7] = sin(A_ptr[i]);
    O_ptr[i * 7 + 1] = exp(A_ptr[i]);
    O_ptr[i * 7 + 2] = log(A_ptr[i]);
    O_ptr[i * 7 + 3] = sqrt(A_ptr[i]);
    O_ptr[i * 7 + 4] = floor(A_ptr[i]);
    O_ptr[i * 7 + 5] = tanh(A_ptr[i]);
    O_ptr[i * 7 + 6] = erf(A_ptr[i]);
  }
}
