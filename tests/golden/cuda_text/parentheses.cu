extern "C" __global__ void __launch_bounds__(128)
parentheses_kernel(
    const int* __restrict__ A_ptr,
    int* __restrict__ O_ptr,
    bool* __restrict__ Q_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int a = A_ptr[i * 4];
    int b = A_ptr[i * 4 + 1];
    int c = A_ptr[i * 4 + 2];
    O_ptr[i * 10] = a - (b - c) - (a + b);
    O_ptr[i * 10 + 1] = (a + b) * c - a * (b * c);
    O_ptr[i * 10 + 2] = ((a >> 4) + 1) << 2;
    O_ptr[i * 10 + 3] = (a >> 3) & 7;
    O_ptr[i * 10 + 4] = (a & b) | (c ^ a);
    O_ptr[i * 10 + 5] = a + (b & 15) * 2;
    O_ptr[i * 10 + 6] = a - -b;
    O_ptr[i * 10 + 7] = ~(a + b) - ~a;
    O_ptr[i * 10 + 8] = c > 0 ? (a < b ? a : b) : c;
    O_ptr[i * 10 + 9] = a + 5;
    Q_ptr[i * 2] = (a < b && b < c) || !(a == c || b == c);
    Q_ptr[i * 2 + 1] = (a < b) == (b < c);
  }
}
