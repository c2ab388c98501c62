extern "C" __global__ void __launch_bounds__(64)
operand_order_kernel(int* __restrict__ A_ptr, int* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  int acc_ptr[1];
  acc_ptr[0] = t + 1;
  int acc_before = acc_ptr[0];
  acc_ptr[0] = acc_ptr[0] * 2;
  B_ptr[t * 8] = acc_before + acc_ptr[0];
  acc_ptr[0] = acc_ptr[0] * 2;
  B_ptr[t * 8 + 1] = acc_ptr[0] + acc_ptr[0];
  int before = acc_ptr[0] * 10 + acc_ptr[0];
  acc_ptr[0] = acc_ptr[0] * 2;
  B_ptr[t * 8 + 2] = before + acc_ptr[0];
  int acc_before_1 = acc_ptr[0];
  acc_ptr[0] = acc_ptr[0] * 2;
  if (acc_before_1 < acc_ptr[0]) {
    int acc_before_2 = acc_ptr[0];
    acc_ptr[0] = acc_ptr[0] * 2;
    B_ptr[t * 8 + 3] = max(acc_before_2, acc_ptr[0] - 40);
  }
  int acc_before_2 = acc_ptr[0];
  acc_ptr[0] = acc_ptr[0] * 2;
  acc_ptr[0] = acc_before_2 + acc_ptr[0];
  B_ptr[t * 8 + 4] = acc_ptr[0];
  int before_1 = A_ptr[t];
  A_ptr[t] = A_ptr[t] + 1;
  B_ptr[t * 8 + 5] = before_1 + A_ptr[t];
  B_ptr[t * 8 + 6] = A_ptr[t];
  int before_2 = A_ptr[t];
  A_ptr[t] = A_ptr[t] + 1;
  A_ptr[t] = before_2 + A_ptr[t];
  int other_ptr[1];
  other_ptr[0] = 5;
  acc_ptr[0] = acc_ptr[0] * 2;
  B_ptr[t * 8 + 7] = other_ptr[0] + acc_ptr[0];
}
