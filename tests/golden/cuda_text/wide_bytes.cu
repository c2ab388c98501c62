extern "C" __global__ void __launch_bounds__(128)
wide_bytes_kernel(
    const unsigned char* __restrict__ A_ptr,
    unsigned char* __restrict__ O_ptr,
    unsigned char* __restrict__ P_ptr,
    int n) {
  int i = (int)blockIdx.x * 128 + (int)threadIdx.x;
  if (i < n) {
    uint4 A_v = *(const uint4*)&A_ptr[i * 16];
    uint4 O_v;
    ((unsigned char*)&O_v)[0] = ((const unsigned char*)&A_v)[0] ^ 255;
    ((unsigned char*)&O_v)[1] = ((const unsigned char*)&A_v)[1] ^ 255;
    ((unsigned char*)&O_v)[2] = ((const unsigned char*)&A_v)[2] ^ 255;
    ((unsigned char*)&O_v)[3] = ((const unsigned char*)&A_v)[3] ^ 255;
    ((unsigned char*)&O_v)[4] = ((const unsigned char*)&A_v)[4] ^ 255;
    ((unsigned char*)&O_v)[5] = ((const unsigned char*)&A_v)[5] ^ 255;
    ((unsigned char*)&O_v)[6] = ((const unsigned char*)&A_v)[6] ^ 255;
    ((unsigned char*)&O_v)[7] = ((const unsigned char*)&A_v)[7] ^ 255;
    ((unsigned char*)&O_v)[8] = ((const unsigned char*)&A_v)[8] ^ 255;
    ((unsigned char*)&O_v)[9] = ((const unsigned char*)&A_v)[9] ^ 255;
    ((unsigned char*)&O_v)[10] = ((const unsigned char*)&A_v)[10] ^ 255;
    ((unsigned char*)&O_v)[11] = ((const unsigned char*)&A_v)[11] ^ 255;
    ((unsigned char*)&O_v)[12] = ((const unsigned char*)&A_v)[12] ^ 255;
    ((unsigned char*)&O_v)[13] = ((const unsigned char*)&A_v)[13] ^ 255;
    ((unsigned char*)&O_v)[14] = ((const unsigned char*)&A_v)[14] ^ 255;
    ((unsigned char*)&O_v)[15] = ((const unsigned char*)&A_v)[15] ^ 255;
    *(uint4*)&O_ptr[i * 16] = O_v;
    uchar4 A_v_1 = *(const uchar4*)&A_ptr[i * 16 + 4];
    uchar4 P_v;
    P_v.x = A_v_1.x + 1;
    P_v.y = A_v_1.y + 1;
    P_v.z = A_v_1.z + 1;
    P_v.w = A_v_1.w + 1;
    *(uchar4*)&P_ptr[i * 4] = P_v;
  }
}
