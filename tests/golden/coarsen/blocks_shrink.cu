extern "C" __global__ void __launch_bounds__(128)
brighten_kernel(const float* __restrict__ A_ptr, float* __restrict__ B_ptr, int w, int h) {
  int first = (int)threadIdx.x * 4;
  if ((int)blockIdx.y * 4 + (int)threadIdx.y < h && (int)blockIdx.x * 128 + (first + 3) < w) {
    float4 A_v = *(const float4*)&A_ptr[((int)blockIdx.y * 4 + (int)threadIdx.y) * 1024 + (int)blockIdx.x * 128 + first];
    float4 B_v;
    B_v.x = A_v.x + 1.0f;
    B_v.y = A_v.y + 1.0f;
    B_v.z = A_v.z + 1.0f;
    B_v.w = A_v.w + 1.0f;
    *(float4*)&B_ptr[((int)blockIdx.y * 4 + (int)threadIdx.y) * 1024 + (int)blockIdx.x * 128 + first] = B_v;
  } else {
    for (int lane = 0; lane < 4; ++lane) {
      int x = (int)blockIdx.x * 128 + (first + lane);
      int y = (int)blockIdx.y * 4 + (int)threadIdx.y;
      if ((int)blockIdx.y * 4 + (int)threadIdx.y < h && (int)blockIdx.x * 128 + (first + lane) < w) {
        B_ptr[y * 1024 + x] = A_ptr[y * 1024 + x] + 1.0f;
      }
    }
  }
}

extern "C" __global__ void __launch_bounds__(128)
odd_columns_kernel(float* __restrict__ A_ptr) {
  int x = ((int)blockIdx.x * 128 + (int)threadIdx.x) * 4;
  if ((x & 1) == 1 && ((x + 1) & 1) == 1 && ((x + 2) & 1) == 1 && ((x + 3) & 1) == 1) {
    float4 A_v;
    A_v.x = 0.0f;
    A_v.y = 0.0f;
    A_v.z = 0.0f;
    A_v.w = 0.0f;
    *(float4*)&A_ptr[x] = A_v;
  } else {
    for (int lane = 0; lane < 4; ++lane) {
      if (((x + lane) & 1) == 1) {
        A_ptr[x + lane] = 0.0f;
      }
    }
  }
}

extern "C" __global__ void __launch_bounds__(128)
diverging_kernel(float* __restrict__ A_ptr) {
  int x = ((int)blockIdx.x * 128 + (int)threadIdx.x) * 4;
  #pragma unroll
  for (int lane = 0; lane < 4; ++lane) {
    {
      int steps_ptr[1];
      steps_ptr[0] = 0;
      while (1) {
        if (!(A_ptr[x + lane] > 1.0f)) {
          break;
        }
        if (steps_ptr[0] == 10) {
          goto lane_end;
        }
        A_ptr[x + lane] = A_ptr[x + lane] * 0.5f;
        steps_ptr[0] = steps_ptr[0] + 1;
      }
    }
    lane_end:;
  }
}
