// Pointers and indices that loops count up, in shared memory: words are joined as far as the pointer's start and its steps are aligned, and
// nvcc lets a pointer of its own begin in the middle of the places that move together (analysis/loops/loopPointers.ts). Output and counts were
// read on an H100 (nvcc 13.0 -O3 -arch=sm_90), one warp; all 40 launches agree.
// levels: 2
// stdout: 1380 1390
// stdout: 1432 1470
// stdout: 1258 1524
// stdout: 608 744
// stdout: 562 686
// stdout: 678 822
// stdout: 528 650
// stdout: 121 134
// stdout: 6228 5176
// stdout: 108249 127931
// stdout: 113169 132851
// stdout: 1366 1372
// stdout: 4126 3850
// stdout: 3954 3936
// stdout: 1 10
// stdout: 816 856
// stdout: 446 356
// stdout: 894 796
// stdout: 6756 4410
// stdout: 2590 2050
// stdout: 768 870
// stdout: 1244 1310
// stdout: 947 854
// stdout: 684 558
// stdout: 894 650
// stdout: 954 954
// stdout: 1432 1450
// stdout: 1360 1360
// stdout: 630 798
// stdout: 646 604
// stdout: 1178 1340
// stdout: 398 364
// stdout: 894 796
// stdout: 1428 1416
// stdout: 1024 688
// stdout: 129 120
// stdout: 460 404
// stdout: 21.5295 12.6273
// stdout: 5 5
// stdout: 440 332
// count: fourSteps shared load executed = 9
// count: steps8 shared load executed = 18
// count: steps2 shared load executed = 28
// count: steps3 shared load executed = 18
// count: startsAtOne shared load executed = 18
// count: unknownSteps shared load executed = 18
// count: steps4Times shared load executed = 18
// count: wordByWord shared load executed = 4
// count: productRows shared load executed = 18
// count: swapped shared load executed = 9
// count: exchangedOdd shared load executed = 18
// count: backwards shared load executed = 9
// count: rowsOfRows shared load executed = 25
// count: oddRowsOfRows shared load executed = 100
// count: stores shared load executed = 1
// count: stores shared store executed = 73
// count: ofGlobal global load executed = 36
// count: nearPairs shared load executed = 10
// count: nearFours shared load executed = 10
// count: threes shared load executed = 10
// count: eights shared load executed = 10
// count: pairsFar shared load executed = 20
// count: threePairsFar shared load executed = 30
// count: fourAndOneFar shared load executed = 10
// count: foursBehind shared load executed = 20
// count: foursBefore shared load executed = 10
// count: foursAround shared load executed = 10
// count: down shared load executed = 18
// count: whole shared load executed = 9
// count: fromOne shared load executed = 20
// count: eightRounds shared load executed = 8
// count: countedFours shared load executed = 16
// count: countedByTwo shared load executed = 8
// count: byBlock shared load executed = 5
// count: byVariable shared load executed = 20
// count: timesVariable shared load executed = 18
// count: withBranch shared load executed = 8
// count: withBreak shared load executed = 8
// count: around shared load executed = 9
// count: stored shared load executed = 0
// count: stored shared store executed = 74
// count: masked shared load executed = 5
#include <cstdio>

__shared__ float tile[2048];

__device__ void fill() {
  for (int i = threadIdx.x; i < 2048; i += 32) tile[i] = i % 17;
  __syncthreads();
}

// All four words of a step: one load each.
__global__ void fourSteps(float *o, int n) {
  fill();
  const float *p = tile + threadIdx.x * 4;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++, p += 4) s += p[0] * p[1] + p[2] * p[3];
  o[threadIdx.x] = s;
}
// Half of the words of a step: two loads of two, as far apart as steps.
__global__ void steps8(float *o, int n) {
  fill();
  const float *p = tile + threadIdx.x * 8;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++, p += 8) s += p[0] * p[1] + p[4] * p[5];
  o[threadIdx.x] = s;
}
// Steps of two words: pairs only.
__global__ void steps2(float *o, int n) {
  fill();
  const float *p = tile + threadIdx.x * 4;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++, p += 2) s += p[0] * p[1] + p[2] * p[3];
  o[threadIdx.x] = s;
}
// Steps of three words, and a start that is no multiple of two: single words.
__global__ void steps3(float *o, int n) {
  fill();
  const float *p = tile + threadIdx.x * 4;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++, p += 3) s += p[0] * p[1];
  o[threadIdx.x] = s;
}
__global__ void startsAtOne(float *o, int n) {
  fill();
  const float *p = tile + threadIdx.x * 4 + 1;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++, p += 4) s += p[0] * p[1];
  o[threadIdx.x] = s;
}
// A step that nobody knows; one of which it is known that it is a multiple of four words.
__global__ void unknownSteps(float *o, int n, int step) {
  fill();
  const float *p = tile + threadIdx.x * 4;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++, p += step) s += p[0] * p[1];
  o[threadIdx.x] = s;
}
__global__ void steps4Times(float *o, int n, int step) {
  fill();
  const float *p = tile + threadIdx.x * 4;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++, p += 4 * step) s += p[0] * p[1];
  o[threadIdx.x] = s;
}
// A rule of thumb of older C: the compiler writes four rounds out and joins them.
__global__ void wordByWord(float *o, int n) {
  fill();
  const float *p = tile + threadIdx.x * 16;
  float s = 0;
#pragma unroll 4
  for (int i = 0; i < 16; i++) s += *p++;
  o[threadIdx.x] = s;
}
// Rows of a product, as in prefetching matrix multiplications.
__global__ void productRows(float *o, int n) {
  fill();
  float sums[4] = {};
  const float *left = tile + threadIdx.x;
  const float *right = tile + 1024;
#pragma unroll 1
  for (int k = 0; k < n; k++, left += 32, right += 4)
#pragma unroll
    for (int j = 0; j < 4; j++) sums[j] += *left * right[j];
  o[threadIdx.x] = sums[0] + 2 * sums[1] + 3 * sums[2] + 4 * sums[3];
}
// Two pointers that the loop exchanges: the less aligned one decides.
__global__ void swapped(float *o, int n) {
  fill();
  const float *p = tile + threadIdx.x * 4, *q = tile + 1024 + threadIdx.x * 4;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    s = s * 3 + p[0] + p[1];
    const float *t = p;
    p = q;
    q = t;
  }
  o[threadIdx.x] = s;
}
__global__ void exchangedOdd(float *o, int n) {
  fill();
  const float *p = tile + threadIdx.x * 4, *q = tile + 1025 + threadIdx.x * 4;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    s = s * 3 + p[0] + p[1];
    const float *t = p;
    p = q;
    q = t;
  }
  o[threadIdx.x] = s;
}
// Back to front.
__global__ void backwards(float *o, int n) {
  fill();
  const float *p = tile + threadIdx.x * 4 + 64;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++, p -= 4) s += p[0] * p[1] + p[2] * p[3];
  o[threadIdx.x] = s;
}
// Loops in loops: the inner one ends where the outer one's next row begins, or not.
__global__ void rowsOfRows(float *o, int n) {
  fill();
  const float *p = tile + threadIdx.x * 4;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
#pragma unroll 1
    for (int k = 0; k < n; k++, p += 4) s += p[0] * p[1] + p[2] * p[3];
    p += 8;
  }
  o[threadIdx.x] = s;
}
__global__ void oddRowsOfRows(float *o, int n) {
  fill();
  const float *p = tile + threadIdx.x * 4;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
#pragma unroll 1
    for (int k = 0; k < n; k++, p += 4) s += p[0] * p[1] + p[2] * p[3];
    p += 3;
  }
  o[threadIdx.x] = s;
}
// Stored the same way.
__global__ void stores(float *o, int n) {
  fill();
  float *p = tile + threadIdx.x * 4;
#pragma unroll 1
  for (int i = 0; i < n; i++, p += 128) {
    p[0] = i;
    p[1] = i + 1;
    p[2] = i + 2;
    p[3] = i + 3;
  }
  __syncthreads();
  o[threadIdx.x] = tile[threadIdx.x * 33];
}
// In global memory nothing is known of where a pointer begins.
__global__ void ofGlobal(float *o, const float *a, int n) {
  const float *p = a + threadIdx.x * 4;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++, p += 4) s += p[0] * p[1] + p[2] * p[3];
  o[threadIdx.x] = s;
}

// Indices: nvcc makes one pointer of all places that move together. Where it begins, and its steps, are all that ptxas knows of it.
#define LOOP _Pragma("unroll 1") for
#define INDEXED(name, loop, ...) \
  __global__ void name(float *o, int n, int m) { fill(); float s = 0; loop { __VA_ARGS__; } o[threadIdx.x] = s; }
#define PAIR(i) s += tile[i] * tile[(i) + 1]
#define FOUR(i) s += tile[i] * tile[(i) + 1] + tile[(i) + 2] * tile[(i) + 3]

INDEXED(nearPairs, LOOP(int i = threadIdx.x; i < n; i += 32), PAIR(2 * i))
INDEXED(nearFours, LOOP(int i = threadIdx.x; i < n; i += 32), FOUR(4 * i))
INDEXED(threes, LOOP(int i = threadIdx.x; i < n; i += 32), s += tile[4 * i] * tile[4 * i + 1] * tile[4 * i + 2])
INDEXED(eights, LOOP(int i = threadIdx.x; i < n; i += 32), FOUR(8 * i); FOUR(8 * i + 4))
INDEXED(pairsFar, LOOP(int i = threadIdx.x; i < n; i += 32), PAIR(2 * i); PAIR(2 * i + 512))
INDEXED(threePairsFar, LOOP(int i = threadIdx.x; i < n; i += 32), PAIR(2 * i); PAIR(2 * i + 512); PAIR(2 * i + 1024))
INDEXED(fourAndOneFar, LOOP(int i = threadIdx.x; i < n; i += 32), FOUR(4 * i); s += tile[4 * i + 128])
INDEXED(foursBehind, LOOP(int i = threadIdx.x; i < n; i += 32), FOUR(4 * i + 512))
INDEXED(foursBefore, LOOP(int i = threadIdx.x + 1; i < n; i += 32), FOUR(4 * i - 4))
INDEXED(foursAround, LOOP(int i = m; i < n; i++), FOUR(4 * i - 2))
INDEXED(down, LOOP(int i = n; i > 0; i--), FOUR(threadIdx.x * 4 + 4 * i))
INDEXED(whole, LOOP(int i = 0; i < n; i++), FOUR(4 * i))
INDEXED(fromOne, LOOP(int i = 1; i < n; i++), FOUR(threadIdx.x * 32 + 4 * i))
INDEXED(eightRounds, LOOP(int i = 0; i < 8; i++), PAIR(threadIdx.x * 32 + 2 * i))
INDEXED(countedFours, LOOP(int i = 0; i < 8; i++), FOUR(threadIdx.x * 32 + 4 * i))
INDEXED(countedByTwo, LOOP(int i = 0; i < 8; i += 2), PAIR(threadIdx.x * 32 + 2 * i))
INDEXED(byBlock, LOOP(int i = threadIdx.x; i < n; i += blockDim.x), FOUR(4 * i))
INDEXED(byVariable, LOOP(int i = threadIdx.x; i < n; i += m), FOUR(4 * i))
INDEXED(timesVariable, LOOP(int i = 0; i < n; i++), FOUR(threadIdx.x * 4 + i * 4 * m))
INDEXED(withBranch, LOOP(int i = threadIdx.x; i < n; i += 32), if (s < m) PAIR(2 * i); else s -= 3)
INDEXED(withBreak, LOOP(int i = 0; i < n; i++), PAIR(threadIdx.x * 4 + 4 * i); if (s > 4 * m) break; s += 2)
INDEXED(around, LOOP(int j = 0; j < n; j++), LOOP(int i = 0; i < m; i++) s *= 0.5f; PAIR(threadIdx.x * 4 + 4 * j))
INDEXED(stored, LOOP(int i = threadIdx.x; i < n; i += 32), tile[2 * i] = i; tile[2 * i + 1] = s++)
INDEXED(masked, LOOP(int i = threadIdx.x; i < n; i += 32), PAIR((2 * i) & 255))

int main() {
  float *o, *a;
  cudaMallocManaged(&o, 32 * sizeof(float));
  cudaMallocManaged(&a, 2048 * sizeof(float));
  for (int i = 0; i < 2048; i++) a[i] = i % 13;
  auto told = [&] {
    cudaDeviceSynchronize();
    printf("%g %g\n", o[1], o[31]);
  };
  fourSteps<<<1, 32>>>(o, 9); told();
  steps8<<<1, 32>>>(o, 9); told();
  steps2<<<1, 32>>>(o, 9); told();
  steps3<<<1, 32>>>(o, 9); told();
  startsAtOne<<<1, 32>>>(o, 9); told();
  unknownSteps<<<1, 32>>>(o, 9, 5); told();
  steps4Times<<<1, 32>>>(o, 9, 2); told();
  wordByWord<<<1, 32>>>(o, 9); told();
  productRows<<<1, 32>>>(o, 9); told();
  swapped<<<1, 32>>>(o, 9); told();
  exchangedOdd<<<1, 32>>>(o, 9); told();
  backwards<<<1, 32>>>(o, 9); told();
  rowsOfRows<<<1, 32>>>(o, 5); told();
  oddRowsOfRows<<<1, 32>>>(o, 5); told();
  stores<<<1, 32>>>(o, 9); told();
  ofGlobal<<<1, 32>>>(o, a, 9); told();
  nearPairs<<<1, 32>>>(o, 160, 4); told();
  nearFours<<<1, 32>>>(o, 160, 4); told();
  threes<<<1, 32>>>(o, 160, 4); told();
  eights<<<1, 32>>>(o, 160, 4); told();
  pairsFar<<<1, 32>>>(o, 160, 4); told();
  threePairsFar<<<1, 32>>>(o, 160, 4); told();
  fourAndOneFar<<<1, 32>>>(o, 160, 4); told();
  foursBehind<<<1, 32>>>(o, 160, 4); told();
  foursBefore<<<1, 32>>>(o, 160, 4); told();
  foursAround<<<1, 32>>>(o, 9, 4); told();
  down<<<1, 32>>>(o, 9, 4); told();
  whole<<<1, 32>>>(o, 9, 4); told();
  fromOne<<<1, 32>>>(o, 6, 4); told();
  eightRounds<<<1, 32>>>(o, 160, 4); told();
  countedFours<<<1, 32>>>(o, 160, 4); told();
  countedByTwo<<<1, 32>>>(o, 160, 4); told();
  byBlock<<<1, 32>>>(o, 160, 4); told();
  byVariable<<<1, 32>>>(o, 160, 16); told();
  timesVariable<<<1, 32>>>(o, 9, 4); told();
  withBranch<<<1, 32>>>(o, 160, 4); told();
  withBreak<<<1, 32>>>(o, 9, 100); told();
  around<<<1, 32>>>(o, 9, 4); told();
  stored<<<1, 32>>>(o, 160, 4); told();
  masked<<<1, 32>>>(o, 160, 4); told();
  return 0;
}
