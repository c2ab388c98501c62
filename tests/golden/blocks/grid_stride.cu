extern "C" __global__ void __launch_bounds__(64)
strided_sums_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) float S_ptr[64];
  float total_ptr[1];
  total_ptr[0] = 0.0f;
  int turns_ptr[1];
  turns_ptr[0] = 0;
  int i_ptr[1];
  i_ptr[0] = (int)blockIdx.x * 64 + t;
  while (1) {
    if (!(i_ptr[0] < n)) {
      break;
    }
    if (A_ptr[i_ptr[0]] > 0.0f) {
      total_ptr[0] = total_ptr[0] + A_ptr[i_ptr[0]];
    } else {
      turns_ptr[0] = turns_ptr[0] + 1;
    }
    i_ptr[0] = i_ptr[0] + 192;
  }
  S_ptr[t] = total_ptr[0];
  __syncthreads();
  B_ptr[(int)blockIdx.x * 64 + t] = S_ptr[63 - t] + turns_ptr[0];
}

extern "C" __global__ void __launch_bounds__(64)
strided_ranges_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr, int m, int n) {
  int tx = (int)threadIdx.x;
  __shared__ alignas(16) int S_ptr[2];
  int row = (int)blockIdx.x * 2 + (int)threadIdx.y;
  if (tx == 0) {
    S_ptr[(int)threadIdx.y] = row * 100;
  }
  __syncthreads();
  int k_start = row * 32 + tx - 5;
  unsigned int k_turns = k_start < min(m, n) ? (((unsigned int)min(m, n) - k_start - 1u) >> 7) + 1u : 0u;
  for (int k = k_start; k_turns > 0u; --k_turns, k += 128) {
    if (k >= 0) {
      B_ptr[k] = A_ptr[k] * 2 + S_ptr[(int)threadIdx.y];
    }
  }
}

extern "C" __global__ void __launch_bounds__(96)
strided_counts_kernel(const int* __restrict__ A_ptr, int* __restrict__ H_ptr, int m) {
  int t = (int)threadIdx.x;
  __shared__ alignas(16) int S_ptr[16];
  if (t < 16) {
    S_ptr[t] = 0;
  }
  __syncthreads();
  int i_ptr[1];
  i_ptr[0] = (int)blockIdx.x * 96 + t;
  while (1) {
    if (!(m >= i_ptr[0])) {
      break;
    }
    atomicAdd(&S_ptr[A_ptr[i_ptr[0]] & 15], i_ptr[0]);
    i_ptr[0] = i_ptr[0] + 192;
  }
  __syncthreads();
  if (t < 16) {
    atomicAdd(&H_ptr[t], S_ptr[t]);
  }
}

extern "C" __global__ void __launch_bounds__(32)
strided_copy_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i_ptr[1];
  i_ptr[0] = (int)blockIdx.x * 32 + (int)threadIdx.x;
  while (1) {
    if (!(i_ptr[0] < n)) {
      break;
    }
    B_ptr[i_ptr[0]] = A_ptr[i_ptr[0]] + 1.0f;
    i_ptr[0] = i_ptr[0] + 128;
  }
}

extern "C" __global__ void __launch_bounds__(64)
strided_last_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr, int n) {
  int t = (int)threadIdx.x;
  int i_ptr[1];
  i_ptr[0] = t;
  while (1) {
    if (!(i_ptr[0] < n)) {
      break;
    }
    if (A_ptr[i_ptr[0]] == 7) {
      break;
    }
    i_ptr[0] = i_ptr[0] + 64;
  }
  B_ptr[t] = i_ptr[0];
}
