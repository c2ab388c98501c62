extern "C" __global__ void __launch_bounds__(128)
int64_comparisons_kernel(
    const long long* __restrict__ A_ptr,
    const long long* __restrict__ B_ptr,
    bool* __restrict__ O_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    O_ptr[i * 6] = A_ptr[i] < B_ptr[i];
    O_ptr[i * 6 + 1] = A_ptr[i] <= B_ptr[i];
    O_ptr[i * 6 + 2] = A_ptr[i] > B_ptr[i];
    O_ptr[i * 6 + 3] = A_ptr[i] >= B_ptr[i];
    O_ptr[i * 6 + 4] = A_ptr[i] == B_ptr[i];
    O_ptr[i * 6 + 5] = A_ptr[i] != B_ptr[i];
  }
}
