// SPDX-License-Identifier: Apache-2.0
//
// The part of CUDA's `nv_bfloat16` that kernels compiled by tirxcc can name, given to NVRTC in
// memory in place of the toolkit's header; the twin of our cuda_fp16.h, which explains why. A
// bfloat16 is the upper half of a float32. sm_80 has only its fused multiply-add, minimum and
// maximum; the rest of the instructions came with sm_90, and is spelled out for what is older.
#pragma once

#define BF16_FN __device__ __forceinline__

struct __nv_bfloat16_raw {
  unsigned short x;
};

// Types that convert to and from bfloat16: X(type, conversion to it, conversion from it).
#define BF16_TYPES(X)                                           \
  X(float, __float2bfloat16_rn, __bfloat162float)               \
  X(short, __short2bfloat16_rn, __bfloat162short_rz)            \
  X(unsigned short, __ushort2bfloat16_rn, __bfloat162ushort_rz) \
  X(int, __int2bfloat16_rn, __bfloat162int_rz)                  \
  X(unsigned int, __uint2bfloat16_rn, __bfloat162uint_rz)       \
  X(long, __ll2bfloat16_rn, __bfloat162ll_rz)                   \
  X(unsigned long, __ull2bfloat16_rn, __bfloat162ull_rz)        \
  X(long long, __ll2bfloat16_rn, __bfloat162ll_rz)              \
  X(unsigned long long, __ull2bfloat16_rn, __bfloat162ull_rz)

struct __align__(2) __nv_bfloat16 {
  unsigned short __x;

  __nv_bfloat16() = default;
  constexpr BF16_FN __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}
  BF16_FN __nv_bfloat16(double value);
#define BF16_DECLARE(T, from, to) \
  BF16_FN __nv_bfloat16(T value); \
  BF16_FN operator T() const;
  BF16_TYPES(BF16_DECLARE)
#undef BF16_DECLARE
  BF16_FN operator char() const;
  BF16_FN operator signed char() const;
  BF16_FN operator unsigned char() const;
  constexpr BF16_FN operator bool() const {
    return (__x & 0x7fffu) != 0u;
  }
  BF16_FN operator __nv_bfloat16_raw() const {
    return __nv_bfloat16_raw{__x};
  }
};
typedef __nv_bfloat16 nv_bfloat16;

// --- bits ---------------------------------------------------------------------------------------

constexpr BF16_FN __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return __nv_bfloat16(__nv_bfloat16_raw{bits});
}
BF16_FN __nv_bfloat16 __short_as_bfloat16(short bits) {
  return __ushort_as_bfloat16((unsigned short)bits);
}
BF16_FN unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) {
  return a.__x;
}
BF16_FN short __bfloat16_as_short(__nv_bfloat16 a) {
  return (short)a.__x;
}

// --- conversions --------------------------------------------------------------------------------

#define BF16_FROM(name, T, reg, ptx)            \
  BF16_FN __nv_bfloat16 name(T a) {             \
    __nv_bfloat16 r;                            \
    asm(ptx " %0, %1;" : "=h"(r.__x) : reg(a)); \
    return r;                                   \
  }
#define BF16_TO(T, name, reg, ptx)                 \
  BF16_FN T name(__nv_bfloat16 a) {                \
    T r;                                           \
    asm(ptx " %0, %1;" : "=" reg(r) : "h"(a.__x)); \
    return r;                                      \
  }

#if __CUDA_ARCH__ >= 800
BF16_FROM(__float2bfloat16_rn, float, "f", "cvt.rn.bf16.f32")
BF16_FROM(__float2bfloat16_rz, float, "f", "cvt.rz.bf16.f32")
#else
BF16_FN __nv_bfloat16 __float2bfloat16_rz(float a) {
  unsigned int bits = __float_as_uint(a);
  bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return nan ? __ushort_as_bfloat16(0x7fffu) : __ushort_as_bfloat16((unsigned short)(bits >> 16));
}
BF16_FN __nv_bfloat16 __float2bfloat16_rn(float a) {
  unsigned int bits = __float_as_uint(a);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return __ushort_as_bfloat16(0x7fffu);
  bits += 0x7fffu + ((bits >> 16) & 1u);
  return __ushort_as_bfloat16((unsigned short)(bits >> 16));
}
#endif
BF16_FN __nv_bfloat16 __float2bfloat16(float a) {
  return __float2bfloat16_rn(a);
}

#if __CUDA_ARCH__ >= 900
BF16_TO(float, __bfloat162float, "f", "cvt.f32.bf16")
BF16_FROM(__double2bfloat16, double, "d", "cvt.rn.bf16.f64")
#define BF16_INTEGER(name, T, reg, ptx)                         \
  BF16_FROM(__##name##2bfloat16_rn, T, reg, "cvt.rn.bf16." ptx) \
  BF16_TO(T, __bfloat162##name##_rz, reg, "cvt.rzi." ptx ".bf16")
BF16_INTEGER(short, short, "h", "s16")
BF16_INTEGER(ushort, unsigned short, "h", "u16")
BF16_INTEGER(int, int, "r", "s32")
BF16_INTEGER(uint, unsigned int, "r", "u32")
BF16_INTEGER(ll, long long, "l", "s64")
BF16_INTEGER(ull, unsigned long long, "l", "u64")
#define BF16_TO_BYTE(T, name, ptx)                                                                 \
  BF16_FN T name(__nv_bfloat16 a) {                                                                \
    unsigned short r;                                                                              \
    asm("{ .reg .b8 t; cvt.rzi." ptx ".bf16 t, %1; mov.b16 %0, {t, 0}; }" : "=h"(r) : "h"(a.__x)); \
    return (T)r;                                                                                   \
  }
BF16_TO_BYTE(signed char, __bfloat162char_rz, "s8")
BF16_TO_BYTE(unsigned char, __bfloat162uchar_rz, "u8")
#undef BF16_TO_BYTE
#else
BF16_FN float __bfloat162float(__nv_bfloat16 a) {
  float f;
  asm("mov.b32 %0, {0, %1};" : "=f"(f) : "h"(a.__x));
  return f;
}
// Rounding twice is right when the first step rounds to odd: a float32 that is not exact gets its
// last bit set, so that the second step never sees a false tie.
BF16_FN __nv_bfloat16 __bfloat16_from_odd(float up, float down, float toward_zero) {
  float odd = __uint_as_float(__float_as_uint(toward_zero) | 1u);
  return __float2bfloat16_rn(up != down ? odd : toward_zero);
}
BF16_FN __nv_bfloat16 __double2bfloat16(double a) {
  float nearest = __double2float_rn(a);
  double back;
  asm("cvt.f64.f32 %0, %1;" : "=d"(back) : "f"(nearest));
  unsigned int bits = __float_as_uint(nearest);
  bool finite = (bits << 1) < 0xff000001u;
  bits += a > 0.0 && back > a ? 0xffffffffu : 0u;
  bits += a < 0.0 && back < a ? 0xffffffffu : 0u;
  bits |= back != a && finite ? 1u : 0u;
  return __float2bfloat16_rn(__uint_as_float(bits));
}
#define BF16_INTEGER(name, T, conversion, reg, ptx)                                        \
  BF16_FN __nv_bfloat16 __##name##2bfloat16_rn(T a) {                                      \
    return __bfloat16_from_odd(__##conversion##2float_ru(a), __##conversion##2float_rd(a), \
                               __##conversion##2float_rz(a));                              \
  }                                                                                        \
  BF16_FN T __bfloat162##name##_rz(__nv_bfloat16 a) {                                      \
    T r;                                                                                   \
    asm("cvt.rzi." ptx ".f32 %0, %1;" : "=" reg(r) : "f"(__bfloat162float(a)));            \
    return r;                                                                              \
  }
BF16_INTEGER(int, int, int, "r", "s32")
BF16_INTEGER(uint, unsigned int, uint, "r", "u32")
BF16_INTEGER(ll, long long, ll, "l", "s64")
BF16_INTEGER(ull, unsigned long long, ull, "l", "u64")
// 16 bits fit a float32: one rounding only.
#define BF16_SHORT(name, T, ptx)                                             \
  BF16_FN __nv_bfloat16 __##name##2bfloat16_rn(T a) {                        \
    return __float2bfloat16_rn((float)a);                                    \
  }                                                                          \
  BF16_FN T __bfloat162##name##_rz(__nv_bfloat16 a) {                        \
    T r;                                                                     \
    asm("cvt.rzi." ptx ".f32 %0, %1;" : "=h"(r) : "f"(__bfloat162float(a))); \
    return r;                                                                \
  }
BF16_SHORT(short, short, "s16")
BF16_SHORT(ushort, unsigned short, "u16")
#undef BF16_SHORT
// To 8 bits: clamped to the type's ends, NaN gives 0.
#define BF16_TO_BYTE(T, name, wide, ptx, least, most)                  \
  BF16_FN T name(__nv_bfloat16 a) {                                    \
    float f = __bfloat162float(a);                                     \
    bool nan = (unsigned short)(a.__x << 1) > (unsigned short)0xff00u; \
    bool above = f > most;                                             \
    f = f <= least ? least : f;                                        \
    wide r;                                                            \
    asm("cvt.rzi." ptx ".f32 %0, %1;" : "=h"(r) : "f"(f));             \
    return nan ? (T)0 : above ? (T)most : (T)r;                        \
  }
BF16_TO_BYTE(signed char, __bfloat162char_rz, short, "s16", -128.0f, 127.0f)
BF16_TO_BYTE(unsigned char, __bfloat162uchar_rz, unsigned short, "u16", 0.0f, 255.0f)
#undef BF16_TO_BYTE
#endif

#define BF16_DEFINE(T, from, to)                                          \
  BF16_FN __nv_bfloat16::__nv_bfloat16(T value) : __x(from(value).__x) {} \
  BF16_FN __nv_bfloat16::operator T() const {                             \
    return (T)to(*this);                                                  \
  }
BF16_TYPES(BF16_DEFINE)
BF16_FN __nv_bfloat16::__nv_bfloat16(double value) : __x(__double2bfloat16(value).__x) {}
BF16_FN __nv_bfloat16::operator char() const {
  return (char)__bfloat162char_rz(*this);
}
BF16_FN __nv_bfloat16::operator signed char() const {
  return __bfloat162char_rz(*this);
}
BF16_FN __nv_bfloat16::operator unsigned char() const {
  return __bfloat162uchar_rz(*this);
}

// --- arithmetic ---------------------------------------------------------------------------------

#define BF16_UNARY(name, ptx)                       \
  BF16_FN __nv_bfloat16 name(__nv_bfloat16 a) {     \
    __nv_bfloat16 r;                                \
    asm(ptx " %0, %1;" : "=h"(r.__x) : "h"(a.__x)); \
    return r;                                       \
  }
#define BF16_BINARY(name, ptx)                                      \
  BF16_FN __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {    \
    __nv_bfloat16 r;                                                \
    asm(ptx " %0, %1, %2;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x)); \
    return r;                                                       \
  }
#define BF16_TERNARY(name, ptx)                                                     \
  BF16_FN __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {   \
    __nv_bfloat16 r;                                                                \
    asm(ptx " %0, %1, %2, %3;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x), "h"(c.__x)); \
    return r;                                                                       \
  }

#if __CUDA_ARCH__ >= 800
BF16_UNARY(__hneg, "neg.bf16")
BF16_UNARY(__habs, "abs.bf16")
BF16_BINARY(__hmax, "max.bf16")
BF16_BINARY(__hmin, "min.bf16")
BF16_BINARY(__hmax_nan, "max.NaN.bf16")
BF16_BINARY(__hmin_nan, "min.NaN.bf16")
BF16_TERNARY(__hfma, "fma.rn.bf16")
BF16_TERNARY(__hfma_relu, "fma.rn.relu.bf16")
#endif

#if __CUDA_ARCH__ >= 900
BF16_BINARY(__hadd, "add.bf16")
BF16_BINARY(__hsub, "sub.bf16")
BF16_BINARY(__hmul, "mul.bf16")
BF16_BINARY(__hadd_rn, "add.rn.bf16")
BF16_BINARY(__hsub_rn, "sub.rn.bf16")
BF16_BINARY(__hmul_rn, "mul.rn.bf16")
#elif __CUDA_ARCH__ >= 800
// a * 1 + b, b * -1 + a, a * b + -0: exact stand-ins with a single rounding.
#define BF16_BY_FMA(name, x, y, z)                                      \
  BF16_FN __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {        \
    __nv_bfloat16 r;                                                    \
    asm("{ .reg .b16 one, minus_one, minus_zero; mov.b16 one, 0x3f80; " \
        "mov.b16 minus_one, 0xbf80; mov.b16 minus_zero, 0x8000; "       \
        "fma.rn.bf16 %0, " x ", " y ", " z "; }"                        \
        : "=h"(r.__x)                                                   \
        : "h"(a.__x), "h"(b.__x));                                      \
    return r;                                                           \
  }
BF16_BY_FMA(__hadd, "%1", "one", "%2")
BF16_BY_FMA(__hsub, "%2", "minus_one", "%1")
BF16_BY_FMA(__hmul, "%1", "%2", "minus_zero")
BF16_BY_FMA(__hadd_rn, "%1", "one", "%2")
BF16_BY_FMA(__hsub_rn, "%2", "minus_one", "%1")
BF16_BY_FMA(__hmul_rn, "%1", "%2", "minus_zero")
#undef BF16_BY_FMA
#else
// Through float32, whose 24 bits are enough to make the second rounding harmless.
#define BF16_BY_FLOAT(name, expression)                          \
  BF16_FN __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { \
    float x = __bfloat162float(a);                               \
    float y = __bfloat162float(b);                               \
    return __float2bfloat16_rn(expression);                      \
  }
BF16_BY_FLOAT(__hadd, __fadd_rn(x, y))
BF16_BY_FLOAT(__hsub, __fsub_rn(x, y))
BF16_BY_FLOAT(__hmul, __fmul_rn(x, y))
BF16_BY_FLOAT(__hadd_rn, __fadd_rn(x, y))
BF16_BY_FLOAT(__hsub_rn, __fsub_rn(x, y))
BF16_BY_FLOAT(__hmul_rn, __fmul_rn(x, y))
BF16_BY_FLOAT(__hmax, fmaxf(x, y))
BF16_BY_FLOAT(__hmin, fminf(x, y))
BF16_BY_FLOAT(__hmax_nan, x != x || y != y ? x + y : fmaxf(x, y))
BF16_BY_FLOAT(__hmin_nan, x != x || y != y ? x + y : fminf(x, y))
#undef BF16_BY_FLOAT
BF16_FN __nv_bfloat16 __hneg(__nv_bfloat16 a) {
  return __ushort_as_bfloat16((unsigned short)(a.__x ^ 0x8000u));
}
BF16_FN __nv_bfloat16 __habs(__nv_bfloat16 a) {
  return __ushort_as_bfloat16((unsigned short)(a.__x & 0x7fffu));
}
// The product is exact in float32, the sum is rounded to odd there and once more to bfloat16.
BF16_FN __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  float product = __bfloat162float(a) * __bfloat162float(b);
  float z = __bfloat162float(c);
  float toward_zero = __fadd_rz(product, z);
  bool exact = __fadd_ru(product, z) == __fadd_rd(product, z) || toward_zero != toward_zero;
  float odd = __uint_as_float(__float_as_uint(toward_zero) | 1u);
  return __float2bfloat16_rn(exact ? toward_zero : odd);
}
BF16_FN __nv_bfloat16 __hfma_relu(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __hmax_nan(__hfma(a, b, c), __ushort_as_bfloat16(0x0000u));
}
#endif

// --- comparison: the ordered forms are false on NaN, the ...u forms true
// --------------------------

#if __CUDA_ARCH__ >= 900
#define BF16_COMPARE(name, op)                                                \
  BF16_FN bool name(__nv_bfloat16 a, __nv_bfloat16 b) {                       \
    unsigned short r;                                                         \
    asm("{ .reg .pred p; setp." op ".bf16 p, %1, %2; selp.u16 %0, 1, 0, p; }" \
        : "=h"(r)                                                             \
        : "h"(a.__x), "h"(b.__x));                                            \
    return r != 0;                                                            \
  }
#else
#define BF16_COMPARE(name, op)                                 \
  BF16_FN bool name(__nv_bfloat16 a, __nv_bfloat16 b) {        \
    unsigned int r;                                            \
    asm("set." op ".u32.f32 %0, %1, %2;"                       \
        : "=r"(r)                                              \
        : "f"(__bfloat162float(a)), "f"(__bfloat162float(b))); \
    return r != 0;                                             \
  }
#endif
BF16_COMPARE(__heq, "eq")
BF16_COMPARE(__hne, "ne")
BF16_COMPARE(__hlt, "lt")
BF16_COMPARE(__hle, "le")
BF16_COMPARE(__hgt, "gt")
BF16_COMPARE(__hge, "ge")
BF16_COMPARE(__hequ, "equ")
BF16_COMPARE(__hneu, "neu")
BF16_COMPARE(__hltu, "ltu")
BF16_COMPARE(__hleu, "leu")
BF16_COMPARE(__hgtu, "gtu")
BF16_COMPARE(__hgeu, "geu")

BF16_FN bool __hisnan(__nv_bfloat16 a) {
#if __CUDA_ARCH__ >= 900
  unsigned short r;
  asm("set.nan.bf16.bf16 %0, %1, %1;" : "=h"(r) : "h"(a.__x));
#else
  unsigned int r;
  float f = __bfloat162float(a);
  asm("set.nan.u32.f32 %0, %1, %1;" : "=r"(r) : "f"(f));
#endif
  return r != 0;
}
// 1 for +infinity, -1 for -infinity, else 0.
BF16_FN int __hisinf(__nv_bfloat16 a) {
  return a.__x == 0xff80u ? -1 : a.__x == 0x7f80u ? 1 : 0;
}

// Clamped to [0, 1], NaN gives 0.
#define BF16_SATURATED(name, exact)                                   \
  BF16_FN __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {      \
    return __hmin(__hmax(exact(a, b), __ushort_as_bfloat16(0x0000u)), \
                  __ushort_as_bfloat16(0x3f80u));                     \
  }
BF16_SATURATED(__hadd_sat, __hadd)
BF16_SATURATED(__hmul_sat, __hmul)
BF16_FN __nv_bfloat16 __hsub_sat(__nv_bfloat16 a, __nv_bfloat16 b) {
  __nv_bfloat16 r = __hfma(b, __ushort_as_bfloat16(0xbf80u), a);
  return __hmin(__hmax(r, __ushort_as_bfloat16(0x0000u)), __ushort_as_bfloat16(0x3f80u));
}
BF16_FN __nv_bfloat16 __hfma_sat(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __hmin(__hmax(__hfma(a, b, c), __ushort_as_bfloat16(0x0000u)),
                __ushort_as_bfloat16(0x3f80u));
}

// The quotient through float32. div.approx gives 0 for divisors of 2^126 and more: such a divisor
// is scaled down by 4 first and the quotient after it.
BF16_FN __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) {
  float numerator = __bfloat162float(a);
  float denominator = __bfloat162float(b);
  bool huge = fabsf(denominator) >= __uint_as_float(0x7e800000u);
  float divisor = huge ? denominator * 0.25f : denominator;
  float quotient;
  asm("div.approx.f32 %0, %1, %2;" : "=f"(quotient) : "f"(numerator), "f"(divisor));
  if (huge) quotient = __fmaf_rn(quotient, 0.25f, -0.0f);
  return __float2bfloat16_rn(quotient);
}

#define BF16_T const __nv_bfloat16&
BF16_FN __nv_bfloat16 operator+(BF16_T a, BF16_T b) {
  return __hadd(a, b);
}
BF16_FN __nv_bfloat16 operator-(BF16_T a, BF16_T b) {
  return __hsub(a, b);
}
BF16_FN __nv_bfloat16 operator*(BF16_T a, BF16_T b) {
  return __hmul(a, b);
}
BF16_FN __nv_bfloat16 operator/(BF16_T a, BF16_T b) {
  return __hdiv(a, b);
}
BF16_FN __nv_bfloat16& operator+=(__nv_bfloat16& a, BF16_T b) {
  return a = __hadd(a, b);
}
BF16_FN __nv_bfloat16& operator-=(__nv_bfloat16& a, BF16_T b) {
  return a = __hsub(a, b);
}
BF16_FN __nv_bfloat16& operator*=(__nv_bfloat16& a, BF16_T b) {
  return a = __hmul(a, b);
}
BF16_FN __nv_bfloat16& operator/=(__nv_bfloat16& a, BF16_T b) {
  return a = __hdiv(a, b);
}
BF16_FN __nv_bfloat16& operator++(__nv_bfloat16& a) {
  return a = __hadd(a, __ushort_as_bfloat16(0x3f80u));
}
BF16_FN __nv_bfloat16& operator--(__nv_bfloat16& a) {
  return a = __hsub(a, __ushort_as_bfloat16(0x3f80u));
}
BF16_FN __nv_bfloat16 operator+(BF16_T a) {
  return a;
}
BF16_FN __nv_bfloat16 operator-(BF16_T a) {
  return __hneg(a);
}
BF16_FN bool operator==(BF16_T a, BF16_T b) {
  return __heq(a, b);
}
BF16_FN bool operator!=(BF16_T a, BF16_T b) {
  return __hneu(a, b);
}
BF16_FN bool operator<(BF16_T a, BF16_T b) {
  return __hlt(a, b);
}
BF16_FN bool operator<=(BF16_T a, BF16_T b) {
  return __hle(a, b);
}
BF16_FN bool operator>(BF16_T a, BF16_T b) {
  return __hgt(a, b);
}
BF16_FN bool operator>=(BF16_T a, BF16_T b) {
  return __hge(a, b);
}
#undef BF16_T

// --- mathematics --------------------------------------------------------------------------------

#if __CUDA_ARCH__ >= 900
BF16_UNARY(hfloor, "cvt.rmi.bf16.bf16")
BF16_UNARY(hceil, "cvt.rpi.bf16.bf16")
BF16_UNARY(htrunc, "cvt.rzi.bf16.bf16")
BF16_UNARY(hrint, "cvt.rni.bf16.bf16")
#else
#define BF16_ROUND(name, ptx)                   \
  BF16_FN __nv_bfloat16 name(__nv_bfloat16 a) { \
    float f = __bfloat162float(a);              \
    asm(ptx " %0, %0;" : "+f"(f));              \
    return __float2bfloat16_rz(f);              \
  }
BF16_ROUND(hfloor, "cvt.rmi.f32.f32")
BF16_ROUND(hceil, "cvt.rpi.f32.f32")
BF16_ROUND(htrunc, "cvt.rzi.f32.f32")
BF16_ROUND(hrint, "cvt.rni.f32.f32")
#undef BF16_ROUND
#endif

#define BF16_THROUGH_FLOAT(name, before, ptx, after) \
  BF16_FN __nv_bfloat16 name(__nv_bfloat16 a) {      \
    float f = __bfloat162float(a) before;            \
    asm(ptx " %0, %0;" : "+f"(f));                   \
    return __float2bfloat16_rn(f after);             \
  }
BF16_THROUGH_FLOAT(hsqrt, , "sqrt.approx.f32", )
BF16_THROUGH_FLOAT(hrsqrt, , "rsqrt.approx.f32", )
BF16_THROUGH_FLOAT(hrcp, , "rcp.approx.f32", )
BF16_THROUGH_FLOAT(hexp, *__uint_as_float(0x3fb8aa3cu), "ex2.approx.f32", )
BF16_THROUGH_FLOAT(hexp2, , "ex2.approx.f32", )
BF16_THROUGH_FLOAT(__bfloat16_exp10, *__uint_as_float(0x40549a78u), "ex2.approx.f32", )
BF16_THROUGH_FLOAT(hlog, , "lg2.approx.f32", *__uint_as_float(0x3f317218u))
BF16_THROUGH_FLOAT(hlog2, , "lg2.approx.f32", )
BF16_THROUGH_FLOAT(hlog10, , "lg2.approx.f32", *__uint_as_float(0x3e9a209bu))
BF16_THROUGH_FLOAT(htanh, , "tanh.approx.f32", )
// The approximation is one step off on one input.
BF16_FN __nv_bfloat16 hexp10(__nv_bfloat16 a) {
  __nv_bfloat16 r = __bfloat16_exp10(a);
  return a.__x == 0xbc95u ? __ushort_as_bfloat16(0x3f75u) : r;
}
BF16_FN __nv_bfloat16 hsin(__nv_bfloat16 a) {
  return __float2bfloat16_rn(sinf(__bfloat162float(a)));
}
BF16_FN __nv_bfloat16 hcos(__nv_bfloat16 a) {
  return __float2bfloat16_rn(cosf(__bfloat162float(a)));
}

// --- memory and warp
// ------------------------------------------------------------------------------

BF16_FN __nv_bfloat16 __ldg(const __nv_bfloat16* p) {
  __nv_bfloat16 r;
  asm("ld.global.nc.b16 %0, [%1];" : "=h"(r.__x) : "l"(p));
  return r;
}
BF16_FN __nv_bfloat16 atomicAdd(__nv_bfloat16* p, __nv_bfloat16 value) {
#if __CUDA_ARCH__ >= 900
  __nv_bfloat16 r;
  asm volatile("atom.add.noftz.bf16 %0, [%1], %2;"
               : "=h"(r.__x)
               : "l"(p), "h"(value.__x)
               : "memory");
  return r;
#else
  unsigned short* word = (unsigned short*)p;
  unsigned short seen = *word;
  unsigned short expected;
  do {
    expected = seen;
    seen = atomicCAS(word, expected, __hadd(value, __ushort_as_bfloat16(expected)).__x);
  } while (expected != seen);
  return __ushort_as_bfloat16(seen);
#endif
}
#define BF16_SHUFFLE(name, L)                                                                  \
  BF16_FN __nv_bfloat16 name(unsigned int mask, __nv_bfloat16 v, L lane, int width = 32) {     \
    return __ushort_as_bfloat16((unsigned short)name(mask, (unsigned int)v.__x, lane, width)); \
  }
BF16_SHUFFLE(__shfl_sync, int)
BF16_SHUFFLE(__shfl_up_sync, unsigned int)
BF16_SHUFFLE(__shfl_down_sync, unsigned int)
BF16_SHUFFLE(__shfl_xor_sync, int)

#undef BF16_FN
#undef BF16_TYPES
#undef BF16_FROM
#undef BF16_TO
#undef BF16_INTEGER
#undef BF16_DEFINE
#undef BF16_UNARY
#undef BF16_BINARY
#undef BF16_TERNARY
#undef BF16_COMPARE
#undef BF16_SATURATED
#undef BF16_THROUGH_FLOAT
#undef BF16_SHUFFLE
