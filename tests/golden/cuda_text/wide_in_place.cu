extern "C" __global__ void __launch_bounds__(128)
wide_in_place_kernel(int* __restrict__ A_ptr, int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    int4 A_v = *(const int4*)&A_ptr[i * 4];
    A_v.x = A_v.x * 3;
    A_v.y = A_v.y * 3;
    A_v.y = A_v.y + 1;
    A_v.z = A_v.z * 3;
    A_v.z = A_v.z + 2;
    A_v.w = A_v.w * 3;
    A_v.w = A_v.w + 3;
    *(int4*)&A_ptr[i * 4] = A_v;
  }
}
