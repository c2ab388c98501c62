#include <cuda_fp16.h>
#include <cuda_bf16.h>

extern "C" __global__ void __launch_bounds__(32)
narrow_kernel(
    const signed char* __restrict__ B_ptr,
    const unsigned short* __restrict__ U_ptr,
    const bool* __restrict__ C_ptr,
    const half* __restrict__ H_ptr,
    const nv_bfloat16* __restrict__ G_ptr,
    signed char* __restrict__ O_ptr,
    unsigned short* __restrict__ P_ptr,
    bool* __restrict__ Q_ptr,
    half* __restrict__ R_ptr,
    nv_bfloat16* __restrict__ S_ptr) {
  int t = (int)threadIdx.x;
  O_ptr[t] = __shfl_xor_sync(0xffffffffu, (int)B_ptr[t], 1, 32);
  P_ptr[t] = __shfl_down_sync(0xffffffffu, (unsigned int)U_ptr[t], 1, 32);
  Q_ptr[t] = __shfl_sync(0xffffffffu, (unsigned int)C_ptr[t], 31 - t, 32) != 0;
  R_ptr[t] = __shfl_up_sync(0xffffffffu, H_ptr[t], 1, 32) + H_ptr[t];
  S_ptr[t] = __shfl_xor_sync(0xffffffffu, G_ptr[t], 2, 32);
}
