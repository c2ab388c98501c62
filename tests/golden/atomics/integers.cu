extern "C" __global__ void __launch_bounds__(256)
atomics_kernel(
    const int* __restrict__ A_ptr,
    int* __restrict__ I_ptr,
    unsigned int* __restrict__ U_ptr,
    long long* __restrict__ L_ptr,
    unsigned long long* __restrict__ V_ptr,
    int n) {
  int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
  if (i < n) {
    atomicAdd(&I_ptr[0], A_ptr[i]);
    atomicSub(&I_ptr[1], A_ptr[i]);
    atomicMin(&I_ptr[2], A_ptr[i]);
    atomicMax(&I_ptr[3], A_ptr[i]);
    atomicAnd(&I_ptr[4], A_ptr[i]);
    atomicOr(&I_ptr[5], A_ptr[i]);
    atomicXor(&I_ptr[6], A_ptr[i]);
    atomicExch(&I_ptr[7], A_ptr[i]);
    atomicCAS(&I_ptr[8], 0, A_ptr[i]);
    unsigned int u = A_ptr[i];
    atomicAdd(&U_ptr[0], u);
    atomicSub(&U_ptr[1], u);
    atomicMin(&U_ptr[2], u);
    atomicMax(&U_ptr[3], u);
    atomicAnd(&U_ptr[4], u);
    atomicOr(&U_ptr[5], u);
    atomicXor(&U_ptr[6], u);
    atomicExch(&U_ptr[7], u);
    atomicCAS(&U_ptr[8], 0u, u);
    long long l = A_ptr[i];
    atomicAdd((unsigned long long*)&L_ptr[0], l);
    atomicAdd((unsigned long long*)&L_ptr[1], -l);
    atomicMin(&L_ptr[2], l);
    atomicMax(&L_ptr[3], l);
    atomicAnd((unsigned long long*)&L_ptr[4], l);
    atomicOr((unsigned long long*)&L_ptr[5], l);
    atomicXor((unsigned long long*)&L_ptr[6], l);
    atomicExch((unsigned long long*)&L_ptr[7], l);
    atomicCAS((unsigned long long*)&L_ptr[8], 0ll, l);
    unsigned long long v = u;
    atomicAdd(&V_ptr[0], v);
    atomicAdd(&V_ptr[1], -v);
    atomicMin(&V_ptr[2], v);
    atomicMax(&V_ptr[3], v);
    atomicAnd(&V_ptr[4], v);
    atomicOr(&V_ptr[5], v);
    atomicXor(&V_ptr[6], v);
    atomicExch(&V_ptr[7], v);
    atomicCAS(&V_ptr[8], 0ull, v);
  }
}
