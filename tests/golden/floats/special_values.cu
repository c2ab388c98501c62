extern "C" __global__ void __launch_bounds__(128)
special_values_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 3] = A_ptr[i] > 0.0f ? __int_as_float(0x7f800000) : __int_as_float(0xff800000);
    O_ptr[i * 3 + 1] = A_ptr[i] > 0.0f ? __int_as_float(0x7fc00000) : 3.4028235e38f;
    O_ptr[i * 3 + 2] = A_ptr[i] < 0.0f ? __int_as_float(0x7f800000) : -3.4028235e38f;
  }
}
