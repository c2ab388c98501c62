extern "C" __global__ void __launch_bounds__(96)
scans_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  int lane = t & 31;
  __shared__ alignas(16) float S_ptr[3];
  float v_ptr[1];
  v_ptr[0] = A_ptr[(int)blockIdx.x * 96 + t];
  {
    float before = __shfl_up_sync(0xffffffffu, v_ptr[0], 1, 32);
    if (lane >= 1) {
      v_ptr[0] = v_ptr[0] + before;
    }
  }
  {
    float before = __shfl_up_sync(0xffffffffu, v_ptr[0], 2, 32);
    if (lane >= 2) {
      v_ptr[0] = v_ptr[0] + before;
    }
  }
  {
    float before = __shfl_up_sync(0xffffffffu, v_ptr[0], 4, 32);
    if (lane >= 4) {
      v_ptr[0] = v_ptr[0] + before;
    }
  }
  {
    float before = __shfl_up_sync(0xffffffffu, v_ptr[0], 8, 32);
    if (lane >= 8) {
      v_ptr[0] = v_ptr[0] + before;
    }
  }
  {
    float before = __shfl_up_sync(0xffffffffu, v_ptr[0], 16, 32);
    if (lane >= 16) {
      v_ptr[0] = v_ptr[0] + before;
    }
  }
  if (lane == 31) {
    S_ptr[t >> 5] = v_ptr[0];
  }
  __syncthreads();
  float offset_ptr[1];
  offset_ptr[0] = 0.0f;
  for (int w = 0; w < t >> 5; ++w) {
    offset_ptr[0] = offset_ptr[0] + S_ptr[w];
  }
  B_ptr[(int)blockIdx.x * 96 + t] = v_ptr[0] + offset_ptr[0];
}

extern "C" __global__ void __launch_bounds__(256)
rows_and_groups_kernel(const long long* __restrict__ A_ptr, long long* __restrict__ B_ptr) {
  int tx = (int)threadIdx.x;
  int ty = (int)threadIdx.y;
  long long v_ptr[1];
  v_ptr[0] = A_ptr[ty * 64 + tx];
  v_ptr[0] = v_ptr[0] + __shfl_down_sync(0xffffffffu, v_ptr[0], 3, 8) * 10ll;
  v_ptr[0] = v_ptr[0] - __shfl_up_sync(0xffffffffu, v_ptr[0], 5, 16);
  v_ptr[0] = v_ptr[0] + __shfl_sync(0xffffffffu, v_ptr[0], tx + 1, 4);
  B_ptr[ty * 64 + tx] = v_ptr[0];
}

extern "C" __global__ void __launch_bounds__(192)
planes_kernel(const int* __restrict__ A_ptr, unsigned int* __restrict__ B_ptr) {
  int tx = (int)threadIdx.x;
  int ty = (int)threadIdx.y;
  int tz = (int)threadIdx.z;
  int a = A_ptr[tz * 64 + ty * 32 + tx];
  unsigned int odd = __ballot_sync(0xffffffffu, (a & 1) == 1);
  unsigned int big = __ballot_sync(0xffffffffu, a > 50);
  unsigned int total = __reduce_add_sync(0xffffffffu, a);
  B_ptr[tz * 64 + ty * 32 + tx] = (odd & big) + total;
}

extern "C" __global__ void __launch_bounds__(256)
halves_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr, int* __restrict__ C_ptr) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) int S_ptr[8];
  int v_ptr[1];
  v_ptr[0] = A_ptr[t];
  v_ptr[0] = max(v_ptr[0], __shfl_down_sync(0xffffffffu, v_ptr[0], 16, 32));
  v_ptr[0] = max(v_ptr[0], __shfl_down_sync(0xffffffffu, v_ptr[0], 8, 32));
  v_ptr[0] = max(v_ptr[0], __shfl_down_sync(0xffffffffu, v_ptr[0], 4, 32));
  v_ptr[0] = max(v_ptr[0], __shfl_down_sync(0xffffffffu, v_ptr[0], 2, 32));
  v_ptr[0] = max(v_ptr[0], __shfl_down_sync(0xffffffffu, v_ptr[0], 1, 32));
  if ((t & 31) == 0) {
    S_ptr[t >> 5] = v_ptr[0];
  }
  __syncthreads();
  if (t < 32) {
    int w_ptr[1];
    w_ptr[0] = S_ptr[t & 7];
    w_ptr[0] = max(w_ptr[0], __shfl_xor_sync(0xffffffffu, w_ptr[0], 4, 32));
    w_ptr[0] = max(w_ptr[0], __shfl_xor_sync(0xffffffffu, w_ptr[0], 2, 32));
    w_ptr[0] = max(w_ptr[0], __shfl_xor_sync(0xffffffffu, w_ptr[0], 1, 32));
    if (t == 0) {
      C_ptr[0] = w_ptr[0];
    }
  }
  B_ptr[t] = __shfl_sync(0xffffffffu, v_ptr[0], 0, 32) + A_ptr[t];
}
