extern "C" __global__ void __launch_bounds__(512)
last_warp_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr) {
  int bx = (int)blockIdx.x;
  int t = (int)threadIdx.x;
  __shared__ alignas(16) float S_ptr[512];
  S_ptr[t] = A_ptr[bx * 512 + t];
  __syncthreads();
  int s_ptr[1];
  s_ptr[0] = 256;
  while (1) {
    if (!(s_ptr[0] > 32)) {
      break;
    }
    if (t < s_ptr[0]) {
      S_ptr[t] = S_ptr[t] + S_ptr[t + s_ptr[0]];
    }
    __syncthreads();
    s_ptr[0] = s_ptr[0] >> 1;
  }
  if (t < 32) {
    float v_ptr[1];
    v_ptr[0] = S_ptr[t] + S_ptr[t + 32];
    int offset_ptr[1];
    offset_ptr[0] = 16;
    while (1) {
      if (!(offset_ptr[0] > 0)) {
        break;
      }
      v_ptr[0] = v_ptr[0] + __shfl_down_sync(0xffffffffu, v_ptr[0], offset_ptr[0], 32);
      offset_ptr[0] = offset_ptr[0] >> 1;
    }
    if (t == 0) {
      B_ptr[bx] = v_ptr[0];
    }
  }
}

extern "C" __global__ void __launch_bounds__(256)
first_lanes_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr) {
  int bx = (int)blockIdx.x;
  int t = (int)threadIdx.x;
  int lane = t & 31;
  int wid = t >> 5;
  __shared__ alignas(16) int S_ptr[8];
  int v_ptr[1];
  v_ptr[0] = A_ptr[bx * 256 + t];
  v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffffffffu, v_ptr[0], 16, 32);
  v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffffffffu, v_ptr[0], 8, 32);
  v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffffffffu, v_ptr[0], 4, 32);
  v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffffffffu, v_ptr[0], 2, 32);
  v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffffffffu, v_ptr[0], 1, 32);
  if (lane == 0) {
    S_ptr[wid] = v_ptr[0];
  }
  __syncthreads();
  if (t < 8) {
    v_ptr[0] = S_ptr[lane];
    v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffu, v_ptr[0], 4, 8);
    v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffu, v_ptr[0], 2, 8);
    v_ptr[0] = v_ptr[0] + __shfl_xor_sync(0xffu, v_ptr[0], 1, 8);
    if (t == 0) {
      B_ptr[bx] = v_ptr[0];
    }
  }
}

extern "C" __global__ void __launch_bounds__(256)
by_their_number_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr) {
  int warp_id = __shfl_sync(0xffffffffu, ((int)threadIdx.x + (int)threadIdx.y * 64) >> 5, 0, 32);
  int x = (int)threadIdx.x;
  int y = (int)threadIdx.y;
  int v_ptr[1];
  v_ptr[0] = A_ptr[x * 4 + y];
  int w = warp_id;
  if (w % 3 == 1) {
    v_ptr[0] = __shfl_sync(0xffffffffu, v_ptr[0], 7, 32);
    if (y >= 2) {
      v_ptr[0] = v_ptr[0] + __shfl_down_sync(0xffffffffu, v_ptr[0] + x, 2, 32);
    }
  } else if (y == 3) {
    v_ptr[0] = __any_sync(0xffffffffu, v_ptr[0] > 90) != 0 ? -v_ptr[0] : v_ptr[0];
    v_ptr[0] = v_ptr[0] + __popc(__ballot_sync(0xffffffffu, (v_ptr[0] & 1) == 0));
  } else {
    for (int k = 0; k < 2; ++k) {
      v_ptr[0] = v_ptr[0] + __shfl_up_sync(0xffffffffu, v_ptr[0], k + 1, 16);
    }
  }
  B_ptr[x * 4 + y] = v_ptr[0];
}

extern "C" __global__ void __launch_bounds__(256)
warps_return_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) int S_ptr[256];
  S_ptr[t] = A_ptr[t] * 2;
  __syncthreads();
  if (t >= 90) {
    return;
  }
  B_ptr[t] = __shfl_up_sync(0xffffffffu, S_ptr[t], 1, 32) + S_ptr[t + 96];
}

extern "C" __global__ void __launch_bounds__(128)
turn_by_turn_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) int S_ptr[128];
  int total_ptr[1];
  total_ptr[0] = 0;
  for (int row = 0; row < 6; ++row) {
    S_ptr[t] = A_ptr[row * 128 + t];
    __syncthreads();
    if (t < 64) {
      S_ptr[t] = S_ptr[t] + S_ptr[t + 64];
      __syncwarp();
      int mine_ptr[1];
      mine_ptr[0] = S_ptr[t];
      mine_ptr[0] = mine_ptr[0] + __shfl_down_sync(0xffffffffu, mine_ptr[0], 16, 32);
      mine_ptr[0] = mine_ptr[0] + __shfl_down_sync(0xffffffffu, mine_ptr[0], 8, 32);
      mine_ptr[0] = mine_ptr[0] + __shfl_down_sync(0xffffffffu, mine_ptr[0], 4, 32);
      mine_ptr[0] = mine_ptr[0] + __shfl_down_sync(0xffffffffu, mine_ptr[0], 2, 32);
      mine_ptr[0] = mine_ptr[0] + __shfl_down_sync(0xffffffffu, mine_ptr[0], 1, 32);
      if ((t & 31) == 0) {
        S_ptr[t] = mine_ptr[0];
      }
    }
    __syncthreads();
    total_ptr[0] = total_ptr[0] + (S_ptr[0] + S_ptr[32]);
    __syncthreads();
    if (t == 0) {
      B_ptr[row] = total_ptr[0];
    }
  }
}
