// SPDX-License-Identifier: Apache-2.0
//
// The part of CUDA's `half` that kernels compiled by tirxcc can name, given to NVRTC in memory in
// place of the toolkit's header of the same name: that one is not in the NVRTC wheel and costs
// 15 ms a kernel. Names and meaning are CUDA's; each function is the PTX instruction (PTX ISA,
// section "Half Precision Floating-Point Instructions") that its name promises, so the machine code
// is the same, which tests/sass/test_half_headers.py holds against the toolkit's.
#pragma once

#define HALF_FN __device__ __forceinline__

struct __half_raw {
  unsigned short x;
};

// Types that convert to and from half: X(type, conversion to half, conversion from half).
#define HALF_TYPES(X)                                   \
  X(float, __float2half_rn, __half2float)               \
  X(short, __short2half_rn, __half2short_rz)            \
  X(unsigned short, __ushort2half_rn, __half2ushort_rz) \
  X(int, __int2half_rn, __half2int_rz)                  \
  X(unsigned int, __uint2half_rn, __half2uint_rz)       \
  X(long, __ll2half_rn, __half2ll_rz)                   \
  X(unsigned long, __ull2half_rn, __half2ull_rz)        \
  X(long long, __ll2half_rn, __half2ll_rz)              \
  X(unsigned long long, __ull2half_rn, __half2ull_rz)

struct __align__(2) __half {
  unsigned short __x;

  __half() = default;
  constexpr HALF_FN __half(__half_raw raw) : __x(raw.x) {}
  HALF_FN __half(double value);
#define HALF_DECLARE(T, from, to) \
  HALF_FN __half(T value);        \
  HALF_FN operator T() const;
  HALF_TYPES(HALF_DECLARE)
#undef HALF_DECLARE
  HALF_FN operator char() const;
  HALF_FN operator signed char() const;
  HALF_FN operator unsigned char() const;
  constexpr HALF_FN operator bool() const {
    return (__x & 0x7fffu) != 0u;
  }
  HALF_FN operator __half_raw() const {
    return __half_raw{__x};
  }
};
typedef __half half;
typedef __half __nv_half;
typedef __half nv_half;

// --- bits ---------------------------------------------------------------------------------------

constexpr HALF_FN __half __ushort_as_half(unsigned short bits) {
  return __half(__half_raw{bits});
}
HALF_FN __half __short_as_half(short bits) {
  return __ushort_as_half((unsigned short)bits);
}
HALF_FN unsigned short __half_as_ushort(__half a) {
  return a.__x;
}
HALF_FN short __half_as_short(__half a) {
  return (short)a.__x;
}

// --- conversions --------------------------------------------------------------------------------

#define HALF_FROM(name, T, reg, ptx)            \
  HALF_FN __half name(T a) {                    \
    __half r;                                   \
    asm(ptx " %0, %1;" : "=h"(r.__x) : reg(a)); \
    return r;                                   \
  }
#define HALF_TO(T, name, R, reg, ptx)              \
  HALF_FN T name(__half a) {                       \
    R r;                                           \
    asm(ptx " %0, %1;" : "=" reg(r) : "h"(a.__x)); \
    return (T)r;                                   \
  }

HALF_FROM(__float2half_rn, float, "f", "cvt.rn.f16.f32")
HALF_FROM(__float2half_rz, float, "f", "cvt.rz.f16.f32")
HALF_FROM(__float2half_rd, float, "f", "cvt.rm.f16.f32")
HALF_FROM(__float2half_ru, float, "f", "cvt.rp.f16.f32")
HALF_FROM(__double2half, double, "d", "cvt.rn.f16.f64")
HALF_FN __half __float2half(float a) {
  return __float2half_rn(a);
}
HALF_TO(float, __half2float, float, "f", "cvt.f32.f16")

#define HALF_INTEGER(name, T, reg, ptx)                    \
  HALF_FROM(__##name##2half_rn, T, reg, "cvt.rn.f16." ptx) \
  HALF_TO(T, __half2##name##_rz, T, reg, "cvt.rzi." ptx ".f16")
HALF_INTEGER(short, short, "h", "s16")
HALF_INTEGER(ushort, unsigned short, "h", "u16")
HALF_INTEGER(int, int, "r", "s32")
HALF_INTEGER(uint, unsigned int, "r", "u32")
HALF_INTEGER(ll, long long, "l", "s64")
HALF_INTEGER(ull, unsigned long long, "l", "u64")
HALF_TO(signed char, __half2char_rz, int, "r", "cvt.rzi.s8.f16")
HALF_TO(unsigned char, __half2uchar_rz, unsigned int, "r", "cvt.rzi.u8.f16")

#define HALF_DEFINE(T, from, to)                            \
  HALF_FN __half::__half(T value) : __x(from(value).__x) {} \
  HALF_FN __half::operator T() const {                      \
    return (T)to(*this);                                    \
  }
HALF_TYPES(HALF_DEFINE)
HALF_FN __half::__half(double value) : __x(__double2half(value).__x) {}
HALF_FN __half::operator char() const {
  return (char)__half2char_rz(*this);
}
HALF_FN __half::operator signed char() const {
  return __half2char_rz(*this);
}
HALF_FN __half::operator unsigned char() const {
  return __half2uchar_rz(*this);
}

// --- arithmetic ---------------------------------------------------------------------------------

#define HALF_UNARY(name, ptx)                       \
  HALF_FN __half name(__half a) {                   \
    __half r;                                       \
    asm(ptx " %0, %1;" : "=h"(r.__x) : "h"(a.__x)); \
    return r;                                       \
  }
#define HALF_BINARY(name, ptx)                                      \
  HALF_FN __half name(__half a, __half b) {                         \
    __half r;                                                       \
    asm(ptx " %0, %1, %2;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x)); \
    return r;                                                       \
  }
#define HALF_TERNARY(name, ptx)                                                     \
  HALF_FN __half name(__half a, __half b, __half c) {                               \
    __half r;                                                                       \
    asm(ptx " %0, %1, %2, %3;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x), "h"(c.__x)); \
    return r;                                                                       \
  }

HALF_UNARY(__hneg, "neg.f16")
HALF_UNARY(__habs, "abs.f16")
// Without a rounding modifier ptxas may fuse a product and a sum; the _rn forms forbid it.
HALF_BINARY(__hadd, "add.f16")
HALF_BINARY(__hsub, "sub.f16")
HALF_BINARY(__hmul, "mul.f16")
HALF_BINARY(__hadd_rn, "add.rn.f16")
HALF_BINARY(__hsub_rn, "sub.rn.f16")
HALF_BINARY(__hmul_rn, "mul.rn.f16")
HALF_BINARY(__hadd_sat, "add.sat.f16")
HALF_BINARY(__hsub_sat, "sub.sat.f16")
HALF_BINARY(__hmul_sat, "mul.sat.f16")
HALF_TERNARY(__hfma, "fma.rn.f16")
HALF_TERNARY(__hfma_sat, "fma.rn.sat.f16")

// --- comparison: the ordered forms are false on NaN, the ...u forms true
// --------------------------

#define HALF_COMPARE(name, op)                                               \
  HALF_FN bool name(__half a, __half b) {                                    \
    unsigned short r;                                                        \
    asm("{ .reg .pred p; setp." op ".f16 p, %1, %2; selp.u16 %0, 1, 0, p; }" \
        : "=h"(r)                                                            \
        : "h"(a.__x), "h"(b.__x));                                           \
    return r != 0;                                                           \
  }
HALF_COMPARE(__heq, "eq")
HALF_COMPARE(__hne, "ne")
HALF_COMPARE(__hlt, "lt")
HALF_COMPARE(__hle, "le")
HALF_COMPARE(__hgt, "gt")
HALF_COMPARE(__hge, "ge")
HALF_COMPARE(__hequ, "equ")
HALF_COMPARE(__hneu, "neu")
HALF_COMPARE(__hltu, "ltu")
HALF_COMPARE(__hleu, "leu")
HALF_COMPARE(__hgtu, "gtu")
HALF_COMPARE(__hgeu, "geu")

HALF_FN bool __hisnan(__half a) {
  unsigned short r;
  asm("set.nan.f16.f16 %0, %1, %1;" : "=h"(r) : "h"(a.__x));
  return r != 0;
}
// 1 for +infinity, -1 for -infinity, else 0.
HALF_FN int __hisinf(__half a) {
  return a.__x == 0xfc00u ? -1 : a.__x == 0x7c00u ? 1 : 0;
}

#if __CUDA_ARCH__ >= 800
HALF_BINARY(__hmax, "max.f16")
HALF_BINARY(__hmin, "min.f16")
HALF_BINARY(__hmax_nan, "max.NaN.f16")
HALF_BINARY(__hmin_nan, "min.NaN.f16")
HALF_TERNARY(__hfma_relu, "fma.rn.relu.f16")
#else
HALF_FN __half __hmax(__half a, __half b) {
  return __float2half_rn(fmaxf(__half2float(a), __half2float(b)));
}
HALF_FN __half __hmin(__half a, __half b) {
  return __float2half_rn(fminf(__half2float(a), __half2float(b)));
}
HALF_FN __half __hmax_nan(__half a, __half b) {
  return __hisnan(a) || __hisnan(b) ? __ushort_as_half(0x7fffu) : __hmax(a, b);
}
HALF_FN __half __hmin_nan(__half a, __half b) {
  return __hisnan(a) || __hisnan(b) ? __ushort_as_half(0x7fffu) : __hmin(a, b);
}
HALF_FN __half __hfma_relu(__half a, __half b, __half c) {
  return __hmax_nan(__hfma(a, b, c), __ushort_as_half(0x0000u));
}
#endif

// The quotient through float32. The hardware's reciprocal is not exact, which only shows when the
// result is near or below the smallest normal half: one Newton step on the remainder mends it.
HALF_FN __half __hdiv(__half a, __half b) {
  float numerator = __half2float(a);
  float denominator = __half2float(b);
  float reciprocal;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(denominator));
  float quotient = numerator * reciprocal;
  __half r = __float2half_rn(quotient);
  __half size = __habs(r);
  if (__hlt(size, __ushort_as_half(0x008fu)) && __hlt(__float2half_rn(0.0f), size)) {
    float remainder = __fmaf_rn(-denominator, quotient, numerator);
    r = __float2half_rn(__fmaf_rn(reciprocal, remainder, quotient));
  }
  return r;
}

HALF_FN __half operator+(const __half& a, const __half& b) {
  return __hadd(a, b);
}
HALF_FN __half operator-(const __half& a, const __half& b) {
  return __hsub(a, b);
}
HALF_FN __half operator*(const __half& a, const __half& b) {
  return __hmul(a, b);
}
HALF_FN __half operator/(const __half& a, const __half& b) {
  return __hdiv(a, b);
}
HALF_FN __half& operator+=(__half& a, const __half& b) {
  return a = __hadd(a, b);
}
HALF_FN __half& operator-=(__half& a, const __half& b) {
  return a = __hsub(a, b);
}
HALF_FN __half& operator*=(__half& a, const __half& b) {
  return a = __hmul(a, b);
}
HALF_FN __half& operator/=(__half& a, const __half& b) {
  return a = __hdiv(a, b);
}
HALF_FN __half& operator++(__half& a) {
  return a = __hadd(a, __ushort_as_half(0x3c00u));
}
HALF_FN __half& operator--(__half& a) {
  return a = __hsub(a, __ushort_as_half(0x3c00u));
}
HALF_FN __half operator+(const __half& a) {
  return a;
}
HALF_FN __half operator-(const __half& a) {
  return __hneg(a);
}
HALF_FN bool operator==(const __half& a, const __half& b) {
  return __heq(a, b);
}
HALF_FN bool operator!=(const __half& a, const __half& b) {
  return __hneu(a, b);
}
HALF_FN bool operator<(const __half& a, const __half& b) {
  return __hlt(a, b);
}
HALF_FN bool operator<=(const __half& a, const __half& b) {
  return __hle(a, b);
}
HALF_FN bool operator>(const __half& a, const __half& b) {
  return __hgt(a, b);
}
HALF_FN bool operator>=(const __half& a, const __half& b) {
  return __hge(a, b);
}

// --- mathematics --------------------------------------------------------------------------------

HALF_UNARY(hfloor, "cvt.rmi.f16.f16")
HALF_UNARY(hceil, "cvt.rpi.f16.f16")
HALF_UNARY(htrunc, "cvt.rzi.f16.f16")
HALF_UNARY(hrint, "cvt.rni.f16.f16")

#define HALF_THROUGH_FLOAT(name, ptx) \
  HALF_FN __half name(__half a) {     \
    float f = __half2float(a);        \
    asm(ptx " %0, %0;" : "+f"(f));    \
    return __float2half_rn(f);        \
  }
HALF_THROUGH_FLOAT(hsqrt, "sqrt.approx.ftz.f32")
HALF_THROUGH_FLOAT(hrsqrt, "rsqrt.approx.ftz.f32")
HALF_THROUGH_FLOAT(hrcp, "rcp.approx.ftz.f32")

// The float32 approximations below miss the correctly rounded half on a few inputs. HALF_MEND adds
// `step` (a half's bits) to `r` where the half in `at` has exactly the bits `when`.
#define HALF_MEND(r, at, when, step)                               \
  asm("{ .reg .b16 w, s, p; mov.b16 w, " when "; mov.b16 s, " step \
      "; set.eq.f16.f16 p, %1, w; "                                \
      "fma.rn.f16 %0, p, s, %0; }"                                 \
      : "+h"(r.__x)                                                \
      : "h"(at))

HALF_FN float __half_exp2_float(float f) {
  asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(f));
  return f;
}
HALF_FN float __half_log2_float(float f) {
  asm("lg2.approx.ftz.f32 %0, %0;" : "+f"(f));
  return f;
}

HALF_FN __half hexp(__half a) {
  float scaled = __fmaf_rn(__half2float(a), __uint_as_float(0x3fb8aa3bu), -0.0f);
  __half r = __float2half_rn(__half_exp2_float(scaled));
  HALF_MEND(r, a.__x, "0x1f79", "0x9400");
  HALF_MEND(r, a.__x, "0x25cf", "0x9400");
  HALF_MEND(r, a.__x, "0xc13b", "0x0400");
  HALF_MEND(r, a.__x, "0xc1ef", "0x0200");
  return r;
}
HALF_FN __half hexp2(__half a) {
  float f = __half_exp2_float(__half2float(a));
  return __float2half_rn(__fmaf_rn(f, __uint_as_float(0x33800000u), f));
}
HALF_FN __half hexp10(__half a) {
  float scaled = __fmaf_rn(__half2float(a), __uint_as_float(0x40549a78u), -0.0f);
  __half r = __float2half_rn(__half_exp2_float(scaled));
  HALF_MEND(r, a.__x, "0x34de", "0x9800");
  HALF_MEND(r, a.__x, "0x9766", "0x9000");
  HALF_MEND(r, a.__x, "0x9972", "0x1000");
  HALF_MEND(r, a.__x, "0xa5c4", "0x1000");
  HALF_MEND(r, a.__x, "0xbf0a", "0x8100");
  return r;
}
HALF_FN __half hlog(__half a) {
  float f = __half_log2_float(__half2float(a));
  __half r = __float2half_rn(f * __uint_as_float(0x3f317218u));
  HALF_MEND(r, a.__x, "0x160d", "0x9c00");
  HALF_MEND(r, a.__x, "0x3bfe", "0x8010");
  HALF_MEND(r, a.__x, "0x3c0b", "0x8080");
  HALF_MEND(r, a.__x, "0x6051", "0x1c00");
  return r;
}
HALF_FN __half hlog2(__half a) {
  __half r = __float2half_rn(__half_log2_float(__half2float(a)));
  HALF_MEND(r, r.__x, "0xa2e2", "0x8080");
  HALF_MEND(r, r.__x, "0xbf46", "0x9400");
  return r;
}
HALF_FN __half hlog10(__half a) {
  float f = __half_log2_float(__half2float(a));
  __half r = __float2half_rn(f * __uint_as_float(0x3e9a209bu));
  HALF_MEND(r, a.__x, "0x338f", "0x1000");
  HALF_MEND(r, a.__x, "0x33f8", "0x9000");
  HALF_MEND(r, a.__x, "0x57e1", "0x9800");
  HALF_MEND(r, a.__x, "0x719d", "0x9c00");
  return r;
}

// sin(x + quarter * pi/2) in float32, for |x| within half's range: the nearest multiple of pi/2 is
// taken off in two pieces, then sine's or cosine's polynomial is chosen by the quadrant.
HALF_FN float __half_sin_float(float x, int quarter) {
  const float rounder = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  float shifted = __fmaf_rn(x, __uint_as_float(0x3f22f983u), rounder);
  int quadrant = __float_as_int(shifted);
  float turns = __fsub_rn(shifted, rounder);
  float t = __fmaf_rn(turns, __uint_as_float(0xbfc90fdau), x);
  t = __fmaf_rn(turns, __uint_as_float(0xb3a22168u), t);
  quadrant = (quadrant & 3) + quarter;
  float square = t * t;
  bool cosine = (quadrant & 1) == 1;
  float c6 = cosine ? __uint_as_float(0xbab6061au) : __uint_as_float(0x3c08839eu);
  float c8 = cosine ? __uint_as_float(0x37ccf5ceu) : __uint_as_float(0xb94ca1f9u);
  float c4 = cosine ? __uint_as_float(0x3d2aaaa5u) : __uint_as_float(0xbe2aaaa3u);
  float c2 = cosine ? -0.5f : 0.0f;
  float scale = cosine ? square : t;
  float first = cosine ? 1.0f : t;
  float r = __fmaf_rn(c8, square, c6);
  r = __fmaf_rn(r, square, c4);
  r = __fmaf_rn(r, square, c2);
  r = __fmaf_rn(r, scale, first);
  return (quadrant & 2) != 0 ? -r : r;
}
HALF_FN __half hsin(__half a) {
  __half r = __float2half_rn(__half_sin_float(__half2float(a), 0));
  unsigned short sign = r.__x & 0x8000u;
  unsigned short size = __habs(a).__x;
  r = __habs(r);
  HALF_MEND(r, size, "0x32b3", "0x0800");
  HALF_MEND(r, size, "0x5cb0", "0x9000");
  r.__x |= sign;
  return r;
}
HALF_FN __half hcos(__half a) {
  __half r = __float2half_rn(__half_sin_float(__half2float(a), 1));
  HALF_MEND(r, __habs(a).__x, "0x2b7c", "0x1000");
  return r;
}

// Below 0.6 an odd polynomial, above it 1 - 2 / (exp(2|x|) + 1) with the sign of x.
HALF_FN __half htanh(__half a) {
  float x = __half2float(a);
  float size = fabsf(x);
  float exponential = __half_exp2_float(size * __uint_as_float(0x4038aa3bu));
  float reciprocal;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(exponential + 1.0f));
  float large = __fmaf_rn(reciprocal, -2.0f, 1.0f);
  large = size >= __uint_as_float(0x41102cb4u) ? 1.0f : large;
  large = copysignf(large, x);
  float square = x * x;
  float small = __fmaf_rn(__uint_as_float(0x3c80f082u), square, __uint_as_float(0xbd563caeu));
  small = __fmaf_rn(small, square, __uint_as_float(0x3e085941u));
  small = __fmaf_rn(small, square, __uint_as_float(0xbeaaa9edu));
  small = __fmaf_rn(small, square, 0.0f);
  small = __fmaf_rn(small, x, x);
  return __float2half_rn(size >= 0.6f ? large : small);
}

// --- memory and warp
// ------------------------------------------------------------------------------

HALF_FN __half __ldg(const __half* p) {
  __half r;
  asm("ld.global.nc.b16 %0, [%1];" : "=h"(r.__x) : "l"(p));
  return r;
}
HALF_FN __half atomicAdd(__half* p, __half value) {
  __half r;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
               : "=h"(r.__x)
               : "l"(p), "h"(value.__x)
               : "memory");
  return r;
}
#define HALF_SHUFFLE(name, L)                                                              \
  HALF_FN __half name(unsigned int mask, __half v, L lane, int width = 32) {               \
    return __ushort_as_half((unsigned short)name(mask, (unsigned int)v.__x, lane, width)); \
  }
HALF_SHUFFLE(__shfl_sync, int)
HALF_SHUFFLE(__shfl_up_sync, unsigned int)
HALF_SHUFFLE(__shfl_down_sync, unsigned int)
HALF_SHUFFLE(__shfl_xor_sync, int)

#undef HALF_FN
#undef HALF_TYPES
#undef HALF_FROM
#undef HALF_TO
#undef HALF_INTEGER
#undef HALF_DEFINE
#undef HALF_UNARY
#undef HALF_BINARY
#undef HALF_TERNARY
#undef HALF_COMPARE
#undef HALF_THROUGH_FLOAT
#undef HALF_MEND
#undef HALF_SHUFFLE
