extern "C" __global__ void __launch_bounds__(256)
loops_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i >= n) {
    return;
  }
  for (int k = 0; k < 4; ++k) {
    B_ptr[i * 4 + k] = A_ptr[i * 4 + k];
  }
  for (int k = 3; k > -1; k += -1) {
    if (A_ptr[i * 4 + k] < 0.0f) {
      break;
    }
    B_ptr[i * 4 + k] = B_ptr[i * 4 + k] * 2.0f;
  }
  B_ptr[i * 4] = B_ptr[i * 4] + 1.0f;
  B_ptr[i * 4 + 1] = B_ptr[i * 4 + 1] + 1.0f;
  float4 B_v = *(const float4*)&B_ptr[i * 4];
  float4 A_v = *(const float4*)&A_ptr[i * 4];
  B_v.x = B_v.x + A_v.x;
  B_v.y = B_v.y + A_v.y;
  B_v.z = B_v.z + A_v.z;
  B_v.w = B_v.w + A_v.w;
  *(float4*)&B_ptr[i * 4] = B_v;
  for (int r = 0; r < 2; ++r) {
    for (int c = 0; c < 2; ++c) {
      B_ptr[i * 4 + r * 2 + c] = B_ptr[i * 4 + r * 2 + c] + r;
    }
  }
  int left_ptr[1];
  left_ptr[0] = 4;
  while (1) {
    if (!(left_ptr[0] > 0)) {
      break;
    }
    left_ptr[0] = left_ptr[0] >> 1;
    B_ptr[i * 4 + left_ptr[0]] = B_ptr[i * 4 + left_ptr[0]] + 1.0f;
  }
}
