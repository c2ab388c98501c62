extern "C" __global__ void __launch_bounds__(64)
kernel_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr, int* __restrict__ P_ptr) {
  int t = (int)threadIdx.x;
  float magnitude_result_ptr[1];
  {
    float x = A_ptr[t * 8];
    if (x > 0.0f) {
      magnitude_result_ptr[0] = x;
      goto magnitude_end;
    }
    magnitude_result_ptr[0] = -x;
  }
  magnitude_end:;
  float magnitude_result_ptr_1[1];
  {
    float x = A_ptr[t * 8 + 1];
    if (x > 0.0f) {
      magnitude_result_ptr_1[0] = x;
      goto magnitude_end_1;
    }
    magnitude_result_ptr_1[0] = -x;
  }
  magnitude_end_1:;
  O_ptr[t] = magnitude_result_ptr[0] + magnitude_result_ptr_1[0];
  int first_above_result_ptr[1];
  {
    for (int c = 0; c < 8; ++c) {
      if (A_ptr[t * 8 + c] > 0.5f) {
        first_above_result_ptr[0] = c;
        goto first_above_end;
      }
    }
    first_above_result_ptr[0] = -1;
  }
  first_above_end:;
  P_ptr[t] = first_above_result_ptr[0];
  {
    float x = A_ptr[t * 8 + 2];
    if (x <= 0.0f) {
      goto store_if_positive_end;
    }
    O_ptr[t] = x;
  }
  store_if_positive_end:;
}
