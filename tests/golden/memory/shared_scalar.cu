extern "C" __global__ void __launch_bounds__(256)
shared_kernel(const int* __restrict__ A_ptr, int* __restrict__ O_ptr) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) int count_ptr[1];
  __shared__ alignas(16) float first_ptr[1];
  if (t == 0) {
    count_ptr[0] = 0;
    first_ptr[0] = 0.5f;
    first_ptr[0] = first_ptr[0] + 1.0f;
  }
  __syncthreads();
  if (A_ptr[t] > 0) {
    atomicAdd(&count_ptr[0], 1);
  }
  __syncthreads();
  O_ptr[t] = count_ptr[0] + (int)first_ptr[0];
}
