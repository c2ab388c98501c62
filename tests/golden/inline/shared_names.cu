extern "C" __global__ void __launch_bounds__(64)
counts_kernel(int* __restrict__ A_ptr) {
  int t = (int)threadIdx.x;
  int count_ptr[1];
  count_ptr[0] = 0;
  int sum_ptr[1];
  sum_ptr[0] = 0;
  count_ptr[0] = count_ptr[0] + t;
  sum_ptr[0] = sum_ptr[0] + t;
  int own = t * 2;
  count_ptr[0] = count_ptr[0] + 3;
  sum_ptr[0] = sum_ptr[0] + 3;
  int own_1 = 6;
  A_ptr[t] = own + own_1;
  A_ptr[t] = A_ptr[t] + (count_ptr[0] + sum_ptr[0]);
}
