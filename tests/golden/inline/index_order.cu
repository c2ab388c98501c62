extern "C" __global__ void __launch_bounds__(64)
index_order_kernel(
    const int* __restrict__ A_ptr,
    int* __restrict__ B_ptr,
    int* __restrict__ C_ptr) {
  int t = (int)threadIdx.x;
  int k_ptr[1];
  k_ptr[0] = t & 7;
  int k_before = k_ptr[0];
  k_ptr[0] = k_ptr[0] + 1;
  B_ptr[t * 10] = A_ptr[k_before * 64 + k_ptr[0]];
  k_ptr[0] = k_ptr[0] + 1;
  B_ptr[t * 10 + 1] = A_ptr[k_ptr[0] * 64 + k_ptr[0]];
  int before = k_ptr[0] * 2;
  k_ptr[0] = k_ptr[0] + 1;
  int k_before_1 = k_ptr[0];
  k_ptr[0] = k_ptr[0] + 1;
  B_ptr[t * 10 + 2] = A_ptr[before * 64 + k_before_1 + k_ptr[0]];
  int k_before_2 = k_ptr[0];
  k_ptr[0] = k_ptr[0] + 1;
  B_ptr[t * 10 + (k_ptr[0] & 1) + 3] = k_before_2;
  int before_1 = A_ptr[t * 64 + k_ptr[0]];
  k_ptr[0] = k_ptr[0] + 1;
  C_ptr[t * 64 + k_ptr[0]] = before_1 + A_ptr[t * 64 + k_ptr[0]];
  int k_before_3 = k_ptr[0];
  k_ptr[0] = k_ptr[0] + 1;
  int x = k_before_3;
  int y = k_ptr[0];
  B_ptr[t * 10 + 5] = x * 100 + y;
  int total_ptr[1];
  total_ptr[0] = 0;
  int k_before_4 = k_ptr[0];
  k_ptr[0] = k_ptr[0] + 1;
  for (int i = k_before_4, i_end = k_ptr[0] + 2; i < i_end; ++i) {
    total_ptr[0] = total_ptr[0] + i;
  }
  B_ptr[t * 10 + 6] = total_ptr[0];
  int k_before_5 = k_ptr[0];
  k_ptr[0] = k_ptr[0] + 1;
  int pair = k_ptr[0];
  int pair_1 = k_ptr[0];
  B_ptr[t * 10 + 7] = k_before_5 * 10000 + pair * 100 + pair_1;
  k_ptr[0] = k_ptr[0] - 8;
  k_ptr[0] = k_ptr[0] + 1;
  int before_2 = k_ptr[0] + k_ptr[0];
  int before_3 = C_ptr[t * 64 + k_ptr[0] + k_ptr[0]];
  k_ptr[0] = k_ptr[0] + 1;
  C_ptr[t * 64 + before_2] = before_3 + k_ptr[0];
  int k_before_6 = k_ptr[0];
  k_ptr[0] = k_ptr[0] + 1;
  B_ptr[t * 10 + 8] = k_before_6;
  B_ptr[t * 10 + 9] = k_ptr[0];
}
