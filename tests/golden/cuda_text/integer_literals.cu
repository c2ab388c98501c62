extern "C" __global__ void __launch_bounds__(128)
integer_literals_kernel(
    unsigned int* __restrict__ U_ptr,
    long long* __restrict__ L_ptr,
    unsigned long long* __restrict__ M_ptr,
    int* __restrict__ A_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    U_ptr[i * 3] = 0xffffffffu;
    U_ptr[i * 3 + 1] = 4000000000u;
    U_ptr[i * 3 + 2] = U_ptr[i * 3 + 1] + 1u;
    L_ptr[i * 3] = (-9223372036854775807ll - 1);
    L_ptr[i * 3 + 1] = 3000000000ll;
    L_ptr[i * 3 + 2] = L_ptr[i * 3 + 1] - 1ll;
    M_ptr[i * 2] = 18446744073709551615ull;
    M_ptr[i * 2 + 1] = 0xf0ull;
    A_ptr[i * 2] = (-2147483647 - 1);
    A_ptr[i * 2 + 1] = A_ptr[i * 2] & 0xff;
  }
}
