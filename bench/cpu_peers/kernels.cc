// SPDX-License-Identifier: Apache-2.0
//
// The kernels of bench/cpu.py in plain C++ for g++ -O3 -march=native -fopenmp: the loops one would
// write, the outer one shared by threads. block_sum keeps a vector of sums by hand.
#include <algorithm>
#include <cmath>
#include <cstring>

#define FOR_ALL _Pragma("omp parallel for schedule(static)") for

extern "C" {

void copy(const float* a, float* b, long n) {
  const long part = 1 << 18;
  FOR_ALL(long i = 0; i < n; i += part) std::memcpy(b + i, a + i, 4 * std::min(part, n - i));
}

void relu(const float* a, float* b, long n) {
  FOR_ALL(long i = 0; i < n; ++i) b[i] = a[i] > 0 ? a[i] : 0;
}

void row_sum(const float* a, float* b, long n) {
  FOR_ALL(long i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = 0; j < 64; ++j)
      sum += a[i * 64 + j];
    b[i] = sum;
  }
}

void transpose(const float* a, float* b, long n) {
  constexpr long kTile = 32;
  FOR_ALL(long row = 0; row < n; row += kTile) {
    for (long col = 0; col < n; col += kTile)
      for (long r = row; r < row + kTile; ++r)
        for (long c = col; c < col + kTile; ++c)
          b[r * n + c] = a[c * n + r];
  }
}

void binary_search(const float* a, const float* q, int* p, long n) {
  FOR_ALL(long i = 0; i < n; ++i) {
    int lo = 0;
    int hi = 64;
    while (lo < hi) {
      const int mid = (lo + hi) / 2;
      if (a[mid] < q[i])
        lo = mid + 1;
      else
        hi = mid;
    }
    p[i] = lo;
  }
}

void block_sum(const float* a, float* b, long blocks) {
  FOR_ALL(long k = 0; k < blocks; ++k) {
    float lanes[8] = {};
    for (int i = 0; i < 256; i += 8)
      for (int l = 0; l < 8; ++l)
        lanes[l] += a[k * 256 + i + l];
    float sum = 0;
    for (int l = 0; l < 8; ++l)
      sum += lanes[l];
    b[k] = sum;
  }
}

void matmul(const float* a, const float* b, float* c, long n) {
  FOR_ALL(long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j)
      c[i * n + j] = 0;
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  }
}

void stencil(const float* a, float* b, long n) {
  FOR_ALL(long y = 1; y < n - 1; ++y) {
    for (long x = 1; x < n - 1; ++x) {
      const float* p = a + y * n + x;
      b[y * n + x] = 0.5f * *p + 0.125f * (p[-n] + p[n] + p[-1] + p[1]);
    }
  }
}

void histogram(const int* a, int* h, long n) {
#pragma omp parallel
  {
    int counts[256] = {};
#pragma omp for schedule(static)
    for (long i = 0; i < n; ++i)
      ++counts[a[i]];
#pragma omp critical
    for (int i = 0; i < 256; ++i)
      h[i] += counts[i];
  }
}

void mandelbrot(int* out, long rows, long cols) {
#pragma omp parallel for schedule(dynamic, 8)
  for (long y = 0; y < rows; ++y) {
    for (long x = 0; x < cols; ++x) {
      const float cr = float(x) * float(3.0 / 1024) - 2.25f;
      const float ci = float(y) * float(2.5 / 512) - 1.25f;
      float zr = 0;
      float zi = 0;
      int k = 0;
      while (k < 256 && zr * zr + zi * zi <= 4) {
        const float r = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = r;
        ++k;
      }
      out[y * cols + x] = k;
    }
  }
}

void sort_rows(const int* a, int* b, long rows) {
  FOR_ALL(long i = 0; i < rows; ++i) {
    std::memcpy(b + i * 512, a + i * 512, 512 * sizeof(int));
    std::sort(b + i * 512, b + i * 512 + 512);
  }
}

void softmax(const float* a, float* b, long rows, long cols) {
  FOR_ALL(long i = 0; i < rows; ++i) {
    const float* x = a + i * cols;
    float* y = b + i * cols;
    float most = x[0];
    for (long j = 1; j < cols; ++j)
      most = std::max(most, x[j]);
    float total = 0;
    for (long j = 0; j < cols; ++j)
      total += y[j] = std::exp(x[j] - most);
    for (long j = 0; j < cols; ++j)
      y[j] /= total;
  }
}

}  // extern "C"
