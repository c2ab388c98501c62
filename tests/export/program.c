/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls every function of kernels.py as a C or C++ program would. Prints one line for each failed
 * expectation; the status is their number.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

static int failures = 0;

#define EXPECT(condition)                                           \
  do {                                                              \
    if (!(condition)) {                                             \
      printf("line %d: expected %s\n", __LINE__, #condition);       \
      ++failures;                                                   \
    }                                                               \
  } while (0)

enum { kMost = 5000 };
static float a[kMost * 128], b[kMost];

static void fill(void) {
  int i;
  for (i = 0; i < kMost * 128; ++i)
    a[i] = (float)((i * 37) % 101 - 50) * 0.125f;
  memset(b, 0xff, sizeof b);
}

static void test_relu(void) {
  int64_t i, blocks;
  fill();
  EXPECT(relu(a, b, 1000) == 0);
  for (i = 0; i < 1000; ++i)
    EXPECT(b[i] == (a[i] > 0 ? a[i] : 0));
  EXPECT(b[1000] != b[1000]); /* still the NaN that fill() left */
  blocks = relu_block_count(a, b, 1000);
  EXPECT(blocks == 4);
  fill();
  EXPECT(relu_blocks(a, b, 1000, 1, 2) == 0);
  EXPECT(b[255] != b[255] && b[256] == (a[256] > 0 ? a[256] : 0) && b[512] != b[512]);
  EXPECT(relu_blocks(a, b, 1000, -5, 1) == 0 && b[0] == (a[0] > 0 ? a[0] : 0));
  EXPECT(relu_blocks(a, b, 1000, 3, 99) == 0 && b[999] == (a[999] > 0 ? a[999] : 0));
  EXPECT(b[1000] != b[1000]);
  EXPECT(relu(a, b, 0) == 0);
  EXPECT(relu_block_count(a, b, 0) == 0);
  EXPECT(relu(a, b, -1000) == -1);
  EXPECT(relu(a, b, (int64_t)1 << 40) == -1); /* n is an int32 of the kernel */
}

static void test_turned(void) {
  static int32_t from[100 * 70], to[70 * 100];
  int i, j;
  for (i = 0; i < 100 * 70; ++i)
    from[i] = i;
  EXPECT(turned(from, to, 100, 70) == 0);
  for (i = 0; i < 100; ++i)
    for (j = 0; j < 70; ++j)
      EXPECT(to[j * 100 + i] == i * 70 + j);
  EXPECT(turned_block_count(from, to, 100, 70) == 5 * 7);
  memset(to, 0, sizeof to);
  for (i = 34; i >= 0; --i)
    EXPECT(turned_blocks(from, to, 100, 70, i, i + 1) == 0);
  for (i = 0; i < 100; ++i)
    for (j = 0; j < 70; ++j)
      EXPECT(to[j * 100 + i] == i * 70 + j);
}

static void test_blocks(void) {
  int i, k;
  static int32_t large[4 * 256];
  fill();
  EXPECT(block_sums(a, b, kMost) == 0);
  for (i = 0; i < kMost; ++i) {
    double sum = 0;
    for (k = 0; k < 128; ++k)
      sum += a[i * 128 + k];
    EXPECT(b[i] == sum); /* eighths: exact */
  }
  for (i = 0; i < 4 * 256; ++i)
    large[i] = i * 3;
  EXPECT(large_blocks(large, 4) == 0);
  for (i = 0; i < 4 * 256; ++i)
    EXPECT(large[i] == (i / 256 * 256 + 255 - i % 256) * 3 + 55);
}

/* The bits of every float16 go through; float32 bits of those that are numbers are compared by
 * arithmetic. */
static void test_halves(void) {
  static uint16_t half[65536], back[65536];
  static float wide[65536];
  int i;
  for (i = 0; i < 65536; ++i)
    half[i] = (uint16_t)i;
  EXPECT(halves(half, back, wide, 65536) == 0);
  for (i = 0; i < 65536; ++i) {
    int exponent = i >> 10 & 31, fraction = i & 1023;
    double value = exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25);
    if (exponent == 31) {
      EXPECT(fraction == 0 ? isinf(wide[i]) : isnan(wide[i]));
      continue;
    }
    EXPECT(wide[i] == (float)(i >> 15 ? -value : value));
    EXPECT(!signbit(wide[i]) == !(i >> 15));
  }
  /* Written for the test by NumPy: the products as float16. */
  {
    FILE* file = fopen("expected_halves.bin", "rb");
    static uint16_t expected[65536];
    EXPECT(file != NULL && fread(expected, 2, 65536, file) == 65536);
    if (file != NULL) fclose(file);
    for (i = 0; i < 65536; ++i) {
      int is_nan = (i >> 10 & 31) == 31 && (i & 1023) != 0;
      EXPECT(is_nan ? (back[i] & 0x7fff) > 0x7c00 : back[i] == expected[i]);
    }
  }
}

static void test_curves(void) {
  static double c[kMost];
  int i;
  fill();
  EXPECT(curves(a, c, kMost) == 0);
  for (i = 0; i < kMost; ++i) {
    double expected = sin((double)a[i]) + (double)expf(a[i]) + (double)floorf(a[i]);
    EXPECT(fabs(c[i] - expected) <= 1e-6 * (1 + fabs(expected)));
  }
}

static void test_kinds(void) {
  uint8_t mask[70];
  int64_t out[70];
  int i;
  for (i = 0; i < 70; ++i)
    mask[i] = (uint8_t)(i % 3 == 0);
  EXPECT(kinds(mask, out, -128, 65535, true, 70) == 0);
  for (i = 0; i < 70; ++i)
    EXPECT(out[i] == (i % 3 == 0 ? -1 : -128 * 1000000LL + 65535));
  EXPECT(kinds(mask, out, 3, 4, false, 70) == 0);
  EXPECT(out[0] == 3000004);
}

static void test_asserts(void) {
  int32_t values[100];
  int i;
  for (i = 0; i < 100; ++i)
    values[i] = 1;
  EXPECT(positive(values, 100) == 0 && values[99] == 2);
  values[50] = -3;
  EXPECT(positive(values, 100) == 2);
  values[10] = 7;
  EXPECT(positive(values, 100) == 1);
  EXPECT(positive_blocks(values, 100, 3, 4) == 0);
}

/* Indices of a launch this large leave int32: other code runs, in which they wrap. */
static void test_large_launches(void) {
  int32_t flag = 0;
  int32_t most = 2147483647 / 256 + 1;
  EXPECT(wrapped_blocks(&flag, most, 0, 10) == 0 && flag == 0);
  EXPECT(wrapped_blocks(&flag, most, most - 1, most) == 0 && flag == 0);
  EXPECT(wrapped_blocks(&flag, most + 1, most, most + 1) == 0 && flag == 1);
  EXPECT(wrapped_block_count(&flag, most + 1) == most + 1);
  EXPECT(wrapped_block_count(&flag, -1) == -1);
}

static void test_host_functions(void) {
  int32_t values[1000], histogram[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  float result = 0;
  int i;
  for (i = 0; i < 1000; ++i)
    values[i] = i;
  EXPECT(counts(values, histogram, 1000) == 0);
  for (i = 0; i < 8; ++i)
    EXPECT(histogram[i] == 125);
  fill();
  for (i = 0; i < 8; ++i)
    a[i] = (float)i;
  EXPECT(mean(a, 8, &result) == 0 && result == 3.5f);
  EXPECT(tripled(a, 8) == 0 && a[7] == 21.0f);
  for (i = 0; i < 8; ++i)
    a[i] = (float)i;
  EXPECT(two_steps(a, b, 8) == 0);
  for (i = 0; i < 8; ++i)
    EXPECT(b[i] == 2.0f * (float)i + 1 && a[i] == 2 * b[i]);
}

int main(void) {
  test_relu();
  test_turned();
  test_blocks();
  test_halves();
  test_curves();
  test_kinds();
  test_asserts();
  test_large_launches();
  test_host_functions();
  EXPECT(greet(2) == 0);
  printf("failures: %d\n", failures);
  return failures != 0;
}
