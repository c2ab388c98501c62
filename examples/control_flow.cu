__device__ __forceinline__ int floordiv(int a, int b) {
  int q = a / b;
  return a % b != 0 && (a ^ b) < 0 ? q - 1 : q;
}

__device__ __forceinline__ int floormod(int a, int b) {
  int r = a % b;
  return r != 0 && (r ^ b) < 0 ? r + b : r;
}

__device__ __forceinline__ float max_nan(float a, float b) {
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}

__device__ __forceinline__ float min_nan(float a, float b) {
  float r;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}

__device__ __forceinline__ bool elect_sync() {
  unsigned int elected;
  asm volatile(
      "{ .reg .pred p;\n"
      "  elect.sync _|p, 0xffffffff;\n"
      "  selp.u32 %0, 1, 0, p; }"
      : "=r"(elected));
  return elected != 0;
}

extern "C" __global__ void __launch_bounds__(256)
relu_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    if (A_ptr[i] > 0.0f) {
      B_ptr[i] = A_ptr[i];
    } else {
      B_ptr[i] = 0.0f;
    }
  }
}

extern "C" __global__ void __launch_bounds__(256)
relu_elif_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    if (A_ptr[i] > 1.0f) {
      B_ptr[i] = A_ptr[i];
    } else if (A_ptr[i] > 0.0f) {
      B_ptr[i] = A_ptr[i] * 0.5f;
    } else {
      B_ptr[i] = 0.0f;
    }
  }
}

extern "C" __global__ void __launch_bounds__(256)
relu_branch_free_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    B_ptr[i] = max_nan(A_ptr[i], 0.0f);
  }
}

extern "C" __global__ void __launch_bounds__(256)
branch_on_thread_kernel(float* __restrict__ A_ptr) {
  int tx = (int)threadIdx.x;
  if (tx < 128) {
    A_ptr[tx] = A_ptr[tx] * 2.0f;
  } else {
    A_ptr[tx] = A_ptr[tx] + 1.0f;
  }
}

extern "C" __global__ void __launch_bounds__(128)
branch_on_lane_kernel(float* __restrict__ A_ptr) {
  int warp = __shfl_sync(0xffffffffu, (int)threadIdx.x >> 5, 0, 32);
  int lane = (int)threadIdx.x & 31;
  if (lane < 16) {
    A_ptr[warp * 32 + lane] = A_ptr[warp * 32 + lane] * 2.0f;
  } else {
    A_ptr[warp * 32 + lane] = A_ptr[warp * 32 + lane] + 1.0f;
  }
}

extern "C" __global__ void __launch_bounds__(128)
elect_one_kernel(float* __restrict__ A_ptr) {
  int warp = __shfl_sync(0xffffffffu, (int)threadIdx.x >> 5, 0, 32);
  if (elect_sync()) {
    A_ptr[warp] = A_ptr[warp] + 1.0f;
  }
}

extern "C" __global__ void __launch_bounds__(256)
early_exit_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i >= n) {
    return;
  }
  B_ptr[i] = A_ptr[i] * 2.0f;
}

extern "C" __global__ void __launch_bounds__(256)
if_then_else_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int bx = (int)blockIdx.x;
  int tx = (int)threadIdx.x;
  int i = bx * 256 + tx;
  if (i < n) {
    B_ptr[i] = A_ptr[i] > 0.0f ? A_ptr[i] : A_ptr[i] * 0.5f;
  }
}

extern "C" __global__ void __launch_bounds__(256)
serial_loop_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int bx = (int)blockIdx.x;
  int tx = (int)threadIdx.x;
  int i = bx * 256 + tx;
  if (i < n) {
    B_ptr[i] = 0.0f;
    for (int k = 0; k < 16; ++k) {
      B_ptr[i] = B_ptr[i] + A_ptr[i * 16 + k];
    }
  }
}

extern "C" __global__ void __launch_bounds__(256)
for_break_continue_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    float total_ptr[1];
    total_ptr[0] = 0.0f;
    for (int k = 0; k < 32; ++k) {
      if (A_ptr[i * 32 + k] == 0.0f) {
        break;
      }
      if (A_ptr[i * 32 + k] < 0.0f) {
        continue;
      }
      total_ptr[0] = total_ptr[0] + A_ptr[i * 32 + k];
    }
    B_ptr[i] = total_ptr[0];
  }
}

extern "C" __global__ void __launch_bounds__(256)
while_break_continue_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    int x_ptr[1];
    x_ptr[0] = A_ptr[i];
    int odd_ptr[1];
    odd_ptr[0] = 0;
    while (1) {
      if (!(x_ptr[0] > 0)) {
        break;
      }
      int digit = floormod(x_ptr[0], 10);
      x_ptr[0] = floordiv(x_ptr[0], 10);
      if (digit == 0) {
        break;
      }
      if ((digit & 1) == 0) {
        continue;
      }
      odd_ptr[0] = odd_ptr[0] + 1;
    }
    B_ptr[i] = odd_ptr[0];
  }
}

extern "C" __global__ void __launch_bounds__(1)
while_loop_kernel(float* __restrict__ A_ptr) {
  int i_ptr[1];
  i_ptr[0] = 0;
  while (1) {
    if (!(i_ptr[0] < 64)) {
      break;
    }
    A_ptr[i_ptr[0]] = A_ptr[i_ptr[0]] + 1.0f;
    i_ptr[0] = i_ptr[0] + 1;
  }
}

extern "C" __global__ void __launch_bounds__(256)
native_break_continue_kernel(const int* __restrict__ A_ptr, int* __restrict__ B_ptr, int n) {
  int bx = (int)blockIdx.x;
  int tx = (int)threadIdx.x;
  int i = bx * 256 + tx;
  if (i < n) {
    int count_ptr[1];
    count_ptr[0] = 0;
    for (int k = 0; k < 16; ++k) {
      if (A_ptr[i * 16 + k] < 0) {
        continue;
      }
      if (A_ptr[i * 16 + k] > 90) {
        break;
      }
      count_ptr[0] = count_ptr[0] + 1;
    }
    B_ptr[i] = count_ptr[0];
  }
}

extern "C" __global__ void __launch_bounds__(1)
grid_relu_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr) {
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      B_ptr[i * 8 + j] = max(A_ptr[i * 8 + j], 0.0f);
    }
  }
}

extern "C" __global__ void __launch_bounds__(256)
unrolled_loop_kernel(float* __restrict__ A_ptr, int n) {
  int bx = (int)blockIdx.x;
  int tx = (int)threadIdx.x;
  int i = bx * 256 + tx;
  if (i < n) {
    A_ptr[i * 4] = A_ptr[i * 4] * 2.0f;
    A_ptr[i * 4 + 1] = A_ptr[i * 4 + 1] * 2.0f;
    A_ptr[i * 4 + 2] = A_ptr[i * 4 + 2] * 2.0f;
    A_ptr[i * 4 + 3] = A_ptr[i * 4 + 3] * 2.0f;
  }
}

extern "C" __global__ void __launch_bounds__(256)
vectorized_loop_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int bx = (int)blockIdx.x;
  int tx = (int)threadIdx.x;
  int i = bx * 256 + tx;
  if (i < n) {
    float4 A_v = *(const float4*)&A_ptr[i * 4];
    float4 B_v;
    B_v.x = A_v.x + 1.0f;
    B_v.y = A_v.y + 1.0f;
    B_v.z = A_v.z + 1.0f;
    B_v.w = A_v.w + 1.0f;
    *(float4*)&B_ptr[i * 4] = B_v;
  }
}

extern "C" __global__ void __launch_bounds__(256)
row_sum_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    float total_ptr[1];
    total_ptr[0] = 0.0f;
    for (int j = 0; j < 16; ++j) {
      total_ptr[0] = total_ptr[0] + A_ptr[i * 64 + j * 4];
      total_ptr[0] = total_ptr[0] + A_ptr[i * 64 + j * 4 + 1];
      total_ptr[0] = total_ptr[0] + A_ptr[i * 64 + j * 4 + 2];
      total_ptr[0] = total_ptr[0] + A_ptr[i * 64 + j * 4 + 3];
    }
    B_ptr[i] = total_ptr[0];
  }
}

extern "C" __global__ void __launch_bounds__(256)
transpose_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr) {
  int t = (int)threadIdx.x;
  int row = (t >> 4) * 4;
  int col = (t & 15) * 4;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) {
      B_ptr[(col + c) * 64 + row + r] = A_ptr[(row + r) * 64 + col + c];
    }
  }
}

extern "C" __global__ void __launch_bounds__(256)
binary_search_kernel(
    const float* __restrict__ A_ptr,
    const float* __restrict__ Q_ptr,
    int* __restrict__ P_ptr,
    int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    int lo_ptr[1];
    lo_ptr[0] = 0;
    int hi_ptr[1];
    hi_ptr[0] = 64;
    while (1) {
      if (!(lo_ptr[0] < hi_ptr[0])) {
        break;
      }
      int mid = (lo_ptr[0] + hi_ptr[0]) >> 1;
      if (A_ptr[mid] < Q_ptr[i]) {
        lo_ptr[0] = mid + 1;
      } else {
        hi_ptr[0] = mid;
      }
    }
    P_ptr[i] = lo_ptr[0];
  }
}

extern "C" __global__ void __launch_bounds__(256)
edge_filter_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int h, int w) {
  int x = (int)blockIdx.x * 32 + (int)threadIdx.x;
  int y = (int)blockIdx.y * 8 + (int)threadIdx.y;
  if (x >= w || y >= h) {
    return;
  }
  float across_ptr[1];
  across_ptr[0] = 0.0f;
  float down_ptr[1];
  down_ptr[0] = 0.0f;
  {
    int row = min(max(y - 1, 0), h - 1);
    {
      int col = min(max(x - 1, 0), w - 1);
      across_ptr[0] = across_ptr[0] + A_ptr[row * w + col] * -1.0f;
      down_ptr[0] = down_ptr[0] + A_ptr[row * w + col] * -1.0f;
    }
    {
      int col = min(max(x, 0), w - 1);
      down_ptr[0] = down_ptr[0] + A_ptr[row * w + col] * -2.0f;
    }
    {
      int col = min(max(x + 1, 0), w - 1);
      across_ptr[0] = across_ptr[0] + A_ptr[row * w + col] * 1.0f;
      down_ptr[0] = down_ptr[0] + A_ptr[row * w + col] * -1.0f;
    }
  }
  {
    int row = min(max(y, 0), h - 1);
    {
      int col = min(max(x - 1, 0), w - 1);
      across_ptr[0] = across_ptr[0] + A_ptr[row * w + col] * -2.0f;
    }
    {
      int col = min(max(x + 1, 0), w - 1);
      across_ptr[0] = across_ptr[0] + A_ptr[row * w + col] * 2.0f;
    }
  }
  {
    int row = min(max(y + 1, 0), h - 1);
    {
      int col = min(max(x - 1, 0), w - 1);
      across_ptr[0] = across_ptr[0] + A_ptr[row * w + col] * -1.0f;
      down_ptr[0] = down_ptr[0] + A_ptr[row * w + col] * 1.0f;
    }
    {
      int col = min(max(x, 0), w - 1);
      down_ptr[0] = down_ptr[0] + A_ptr[row * w + col] * 2.0f;
    }
    {
      int col = min(max(x + 1, 0), w - 1);
      across_ptr[0] = across_ptr[0] + A_ptr[row * w + col] * 1.0f;
      down_ptr[0] = down_ptr[0] + A_ptr[row * w + col] * 1.0f;
    }
  }
  B_ptr[y * w + x] = min_nan(sqrtf(across_ptr[0] * across_ptr[0] + down_ptr[0] * down_ptr[0]), 255.0f);
}
