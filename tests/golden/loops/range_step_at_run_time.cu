extern "C" __global__ void __launch_bounds__(128)
range_step_at_run_time_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int total_ptr[1];
    total_ptr[0] = 0;
    int k_start = A_ptr[i * 3];
    int k_end = A_ptr[i * 3 + 1];
    int k_step = A_ptr[i * 3 + 2];
    unsigned int k_turns = k_step > 0 ? (k_start < k_end ? ((unsigned int)k_end - k_start - 1u) / k_step + 1u : 0u) : k_step < 0 ? (k_end < k_start ? ((unsigned int)k_start - k_end - 1u) / (0u - k_step) + 1u : 0u) : 0u;
    for (int k = k_start; k_turns > 0u; --k_turns, k += k_step) {
      total_ptr[0] = total_ptr[0] * 3 + k;
    }
    O_ptr[i] = total_ptr[0];
  }
}
