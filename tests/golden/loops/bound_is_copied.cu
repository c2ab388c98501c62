extern "C" __global__ void __launch_bounds__(128)
bound_is_copied_kernel(int* __restrict__ O_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int m_ptr[1];
    m_ptr[0] = 4;
    int turns_ptr[1];
    turns_ptr[0] = 0;
    for (int k = 0, k_end = m_ptr[0]; k < k_end; ++k) {
      m_ptr[0] = m_ptr[0] + 10;
      turns_ptr[0] = turns_ptr[0] + 1;
    }
    O_ptr[i] = turns_ptr[0] * 100 + m_ptr[0];
  }
}
