extern "C" __global__ void __launch_bounds__(1)
while_loop_kernel(float* __restrict__ A_ptr) {
  int i_ptr[1];
  i_ptr[0] = 0;
  while (1) {
    if (!(i_ptr[0] < 64)) {
      break;
    }
    A_ptr[i_ptr[0]] = A_ptr[i_ptr[0]] + 1.0f;
    i_ptr[0] = i_ptr[0] + 1;
  }
}
