__device__ __forceinline__ float min_nan(float a, float b) {
  float r;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
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
