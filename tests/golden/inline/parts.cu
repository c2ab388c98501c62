extern "C" __global__ void __launch_bounds__(64)
kernel_kernel(float* __restrict__ A_ptr, int* __restrict__ S_ptr) {
  int t = (int)threadIdx.x;
  float acc_ptr[1];
  acc_ptr[0] = A_ptr[t];
  float x = A_ptr[t] + 1.0f;
  float square = x * x;
  acc_ptr[0] = acc_ptr[0] + square;
  float x_1 = acc_ptr[0];
  float whole = floorf(x_1);
  float rest = x_1 - floorf(x_1);
  A_ptr[t] = whole + rest;
  int sign_result_ptr[1];
  {
    if (rest > 0.0f) {
      sign_result_ptr[0] = 1;
      goto sign_end;
    }
    sign_result_ptr[0] = rest == 0.0f ? 0 : -1;
  }
  sign_end:;
  S_ptr[t] = sign_result_ptr[0];
}
