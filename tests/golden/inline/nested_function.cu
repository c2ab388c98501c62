extern "C" __global__ void __launch_bounds__(64)
kernel_kernel(const float* __restrict__ A_ptr, float* __restrict__ O_ptr) {
  int t = (int)threadIdx.x;
  float best_ptr[1];
  best_ptr[0] = A_ptr[t * 4];
  int where_ptr[1];
  where_ptr[0] = 0;
  float candidate = A_ptr[t * 4 + 1];
  if (candidate > best_ptr[0]) {
    best_ptr[0] = candidate;
    where_ptr[0] = 1;
  }
  float candidate_1 = A_ptr[t * 4 + 2];
  if (candidate_1 > best_ptr[0]) {
    best_ptr[0] = candidate_1;
    where_ptr[0] = 2;
  }
  float candidate_2 = A_ptr[t * 4 + 3];
  if (candidate_2 > best_ptr[0]) {
    best_ptr[0] = candidate_2;
    where_ptr[0] = 3;
  }
  O_ptr[t] = best_ptr[0] * where_ptr[0];
}
