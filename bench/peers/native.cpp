// The benchmark's seven kernels as plain loops that a C++ compiler may vectorise, rows split over threads.
// usage: native KERNEL SIZE REPEATS THREADS     prints one line of JSON (clock.h); exit code 1 for a wrong result
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>
#include "clock.h"
#include "workload.h"

static void transposeNaive(const float *__restrict in, float *__restrict out, long size, long first, long last) {
  for (long y = first; y < last; y++)
    for (long x = 0; x < size; x++) out[x * size + y] = in[y * size + x];
}

template <int PAD> static void transposeTile(const float *__restrict in, float *__restrict out, long size, long first, long last) {
  float tile[TILE][TILE + PAD];
  for (long by = first; by < last; by++)
    for (long bx = 0; bx < size / TILE; bx++) {
      for (int j = 0; j < TILE; j++)
        for (int i = 0; i < TILE; i++) tile[j][i] = in[(by * TILE + j) * size + bx * TILE + i];
      for (int j = 0; j < TILE; j++)
        for (int i = 0; i < TILE; i++) out[(bx * TILE + j) * size + by * TILE + i] = tile[i][j];
    }
}

static void vecadd(const float *__restrict a, const float *__restrict b, float *__restrict c, long first, long last) {
  for (long i = first; i < last; i++) c[i] = a[i] + b[i];
}

static void matmul(const float *__restrict a, const float *__restrict b, float *__restrict c, long size, long first, long last) {
  for (long row = first; row < last; row++) {
    for (long col = 0; col < size; col++) c[row * size + col] = 0;
    for (long k = 0; k < size; k++) {
      float factor = a[row * size + k];
      for (long col = 0; col < size; col++) c[row * size + col] += factor * b[k * size + col];
    }
  }
}

// The same tree of additions as the kernel's.
static void reduce(const float *__restrict in, float *__restrict out, long first, long last) {
  for (long block = first; block < last; block++) {
    float s[REDUCE_BLOCK];
    memcpy(s, in + block * REDUCE_BLOCK, sizeof s);
    for (int d = REDUCE_BLOCK / 2; d > 0; d >>= 1)
      for (int t = 0; t < d; t++) s[t] += s[t + d];
    out[block] = s[0];
  }
}

static void mandel(int *__restrict out, long size, long first, long last) {
  for (long py = first; py < last; py++)
    for (long px = 0; px < size; px++) out[py * size + px] = mandelSteps(px, py, size);
}

int main(int argc, char **argv) {
  if (argc < 5) return fprintf(stderr, "usage: native KERNEL SIZE REPEATS THREADS\n"), 2;
  std::string name = argv[1];
  long size = atol(argv[2]);
  int repeats = atoi(argv[3]), threads = atoi(argv[4]);
  size_t count = elementsOf(argv[1], size);
  auto allocate = [&] { return (float *)aligned_alloc(4096, (count * 4 + 4095) / 4096 * 4096); };
  float *a = allocate(), *b = allocate(), *out = allocate();
  for (size_t i = 0; i < count; i++) a[i] = inputA(i), b[i] = inputB(i), out[i] = -1;

  long rows = name == "reduce" ? size / REDUCE_BLOCK : name == "transpose_tile" || name == "transpose_tile_pad" ? size / TILE : size;
  double cudaThreads = name.compare(0, 14, "transpose_tile") == 0 ? count / 4.0 : (double)count;
  std::function<void(long, long)> run;
  if (name == "transpose_naive") run = [=](long first, long last) { transposeNaive(a, out, size, first, last); };
  else if (name == "transpose_tile") run = [=](long first, long last) { transposeTile<0>(a, out, size, first, last); };
  else if (name == "transpose_tile_pad") run = [=](long first, long last) { transposeTile<1>(a, out, size, first, last); };
  else if (name == "vecadd") run = [=](long first, long last) { vecadd(a, b, out, first, last); };
  else if (name == "matmul") run = [=](long first, long last) { matmul(a, b, out, size, first, last); };
  else if (name == "reduce") run = [=](long first, long last) { reduce(a, out, first, last); };
  else if (name == "mandel") run = [=](long first, long last) { mandel((int *)out, size, first, last); };
  else return fprintf(stderr, "unknown kernel %s\n", argv[1]), 2;

  auto launch = [&] {
    if (threads == 1) return run(0, rows);
    std::vector<std::thread> helpers;
    for (int t = 0; t < threads; t++) helpers.emplace_back(run, rows * t / threads, rows * (t + 1) / threads);
    for (auto &helper : helpers) helper.join();
  };
  double first = cpuMs();
  launch();
  first = cpuMs() - first;
  std::vector<double> cpu, wall;
  for (int r = 0; r < repeats; r++) {
    double cpuStart = cpuMs(), wallStart = wallMs();
    launch();
    cpu.push_back(cpuMs() - cpuStart), wall.push_back(wallMs() - wallStart);
  }
  size_t wrong = countWrong(argv[1], size, size, out);
  printResult(cudaThreads, 0, first, cpu.data(), wall.data(), repeats, wrong);
  return wrong != 0;
}
