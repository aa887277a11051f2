// What all versions of the benchmark's kernels have in common, in the C that is also C++ and CUDA C++: the input, how many
// elements it has, and whether an output is right. Each version calls check() on what its last launch left behind.
#ifndef WORKLOAD_H
#define WORKLOAD_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MANDEL_STEPS 256
#define TILE 32
#define MATMUL_TILE 16
#define REDUCE_BLOCK 256
#define HISTOGRAM_BINS 256

static int isTranspose(const char *kernel) { return strncmp(kernel, "transpose", 9) == 0; }
static int isSquare(const char *kernel) {
  return isTranspose(kernel) || strcmp(kernel, "matmul") == 0 || strcmp(kernel, "mandel") == 0;
}
static size_t elementsOf(const char *kernel, size_t size) { return isSquare(kernel) ? size * size : size; }

static float inputA(size_t i) { return (float)(i % 1021); }
static float inputB(size_t i) { return (float)(i % 509); }
// A permutation-like index within each run of 4,096 elements, for the kernels whose addresses are data.
static uint32_t indexAt(size_t i, size_t size) {
  uint32_t near = (uint32_t)(i & ~(size_t)4095) | (((uint32_t)i * 2654435761u >> 12) & 4095u);
  return near < size ? near : (uint32_t)i;
}

static int mandelSteps(long px, long py, long size) {
  float cx = -2.0f + 3.0f * px / size, cy = -1.5f + 3.0f * py / size, x = 0, y = 0;
  int steps = 0;
  while (x * x + y * y <= 4.0f && steps < MANDEL_STEPS) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    steps++;
  }
  return steps;
}

// The number of wrong elements among the first `rows` rows (of the input; of square kernels), or among all elements.
// mandel: pixels whose orbit is chaotic differ between machines in the order of roundings; up to 0.5 % are forgiven.
static size_t countWrong(const char *kernel, size_t size, size_t rows, const float *out) {
  size_t bad = 0;
  if (isTranspose(kernel)) {
    for (size_t y = 0; y < rows; y++)
      for (size_t x = 0; x < size; x++) bad += out[x * size + y] != inputA(y * size + x);
  } else if (strcmp(kernel, "vecadd") == 0) {
    for (size_t i = 0; i < size; i++) bad += out[i] != inputA(i) + inputB(i);
  } else if (strcmp(kernel, "matmul") == 0) {
    for (size_t row = 0; row < rows; row += 37)
      for (size_t col = 0; col < size; col += 41) {
        double want = 0;
        for (size_t k = 0; k < size; k++) want += (double)inputA(row * size + k) * inputB(k * size + col);
        bad += fabs(out[row * size + col] - want) > 1e-4 * fabs(want) + 1e-3;
      }
  } else if (strcmp(kernel, "reduce") == 0) {
    for (size_t block = 0; block < size / REDUCE_BLOCK; block++) {
      double want = 0;
      for (size_t i = 0; i < REDUCE_BLOCK; i++) want += inputA(block * REDUCE_BLOCK + i);
      bad += fabs(out[block] - want) > 1e-6 * want;
    }
  } else if (strcmp(kernel, "mandel") == 0) {
    const int *steps = (const int *)(const void *)out;
    for (size_t y = 0; y < rows; y++)
      for (size_t x = 0; x < size; x++) bad += steps[y * size + x] != mandelSteps((long)x, (long)y, (long)size);
    if (bad <= rows * size / 200) bad = 0;
  } else if (strcmp(kernel, "gather") == 0) {
    for (size_t i = 0; i < size; i++) bad += out[i] != inputA(indexAt(i, size));
  } else if (strcmp(kernel, "histogram") == 0) {
    const unsigned *bins = (const unsigned *)(const void *)out;
    unsigned want[HISTOGRAM_BINS] = {0};
    for (size_t i = 0; i < size; i++) want[indexAt(i, size) % HISTOGRAM_BINS]++;
    for (size_t i = 0; i < HISTOGRAM_BINS; i++) bad += bins[i] != want[i];
  } else return 1;
  return bad;
}
#endif
