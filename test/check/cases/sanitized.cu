/**
 * Mistakes, and what looks like some, that NVIDIA's compute-sanitizer was run on (an H200, CUDA 13.0, each kernel in a process of its own, the
 * histograms by values of an array): sanitized.test.ts has what it told of each.
 */
#include <cstdio>

constexpr int N = 256;

__global__ void treeWithoutBarrier(float *o) {
  __shared__ float s[N];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int d = N / 2; d > 0; d /= 2)
    if (t < d) s[t] += s[t + d];
  o[t] = s[t];
}

__global__ void tilesWithOneBarrier(float *o, const float *a) {
  __shared__ float s[N];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 4; k++) {
    s[t] = a[k * N + t];
    __syncthreads();
    for (int j = 0; j < 8; j++) sum += s[(t + j * 32) % N];
  }
  o[t] = sum;
}

__global__ void sameValue(float *o) {
  __shared__ float s;
  s = 5;
  __syncthreads();
  o[threadIdx.x] = s;
}

__global__ void otherValues(float *o) {
  __shared__ int s;
  s = threadIdx.x;
  __syncthreads();
  o[threadIdx.x] = s;
}

__global__ void treeOfWarp(float *o) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = t;
  s[t + 32] = t;
  for (int d = 16; d > 0; d /= 2) s[t] += s[t + d];
  o[t] = s[t];
}

__device__ void lastWarp(volatile float *s, int t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}

__global__ void volatileLastWarp(float *o) {
  __shared__ float s[N];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int d = N / 2; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) lastWarp(s, t);
  if (t == 0) o[0] = s[0];
}

__global__ void synchronizedLastWarp(float *o) {
  __shared__ float s[N];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int d = N / 2; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t >= 32) return;
  float v = s[t] + s[t + 32];
  __syncwarp();
  s[t] = v;
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    float w = s[t] + s[(t + d) & 31];
    __syncwarp();
    s[t] = w;
    __syncwarp();
  }
  if (t == 0) o[0] = s[0];
}

__global__ void sumAndRead(int *o) {
  __shared__ int s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  atomicAdd(&s, 1);
  o[threadIdx.x] = s;
}

__global__ void neighbour(float *o) {
  __shared__ float s[N + 1];
  int t = threadIdx.x;
  s[t] = t;
  if (t == 0) s[N] = 0;
  o[t] = s[t + 1];
}

__global__ void doubleBuffer(float *o, const float *a) {
  __shared__ float s[2][N];
  int t = threadIdx.x;
  float sum = 0;
  s[0][t] = a[t];
  __syncthreads();
  for (int k = 0; k < 4; k++) {
    if (k < 3) s[(k + 1) & 1][t] = a[(k + 1) * N + t];
    sum += s[k & 1][(t + 1) % N];
    __syncthreads();
  }
  o[t] = sum;
}

__global__ void namedBarriers(float *o) {
  __shared__ float s[N];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 128) {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    o[t] = s[(t + 1) % 128];
  } else {
    asm volatile("bar.sync 2, 128;" ::: "memory");
    o[t] = s[128 + (t + 1) % 128];
  }
}

__global__ void neighbourOfWarp(float *o) {
  __shared__ float s[N];
  int t = threadIdx.x;
  s[t] = t;
  o[t] = s[t ^ 1];
}

__global__ void shuffleBetween(float *o) {
  __shared__ float s[8];
  int t = threadIdx.x;
  if (t % 32 == 0) s[t / 32] = t;
  int v = __shfl_sync(~0u, t, 0);
  o[t] = s[t / 32] + v;
}

__global__ void ownBytes(float *o) {
  __shared__ unsigned char s[N];
  int t = threadIdx.x;
  s[t] = t;
  o[t] = s[t];
}

__global__ void bytesOfWords(float *o) {
  __shared__ unsigned char s[N];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  o[t] = *(unsigned *)&s[t & ~3];
  s[t] = 1;
}

__global__ void uniformBarrier(float *o, int n) {
  __shared__ float s[N];
  int t = threadIdx.x;
  if (n <= 3) return;
  s[t] = t;
  __syncthreads();
  o[t] = s[N - 1 - t];
}

__global__ void transposeWithoutBarrier(float *o, const float *a) {
  __shared__ float s[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = a[y * 16 + x];
  o[y * 16 + x] = s[x][y];
}

__global__ void plainHistogram(int *o) {
  __shared__ int s[16];
  int t = threadIdx.x;
  if (t < 16) s[t] = 0;
  __syncthreads();
  s[t & 15]++;
  __syncthreads();
  if (t < 16) o[t] = s[t];
}

__global__ void atomicHistogram(int *o) {
  __shared__ int s[16];
  int t = threadIdx.x;
  if (t < 16) s[t] = 0;
  __syncthreads();
  atomicAdd(&s[t & 15], 1);
  __syncthreads();
  if (t < 16) o[t] = s[t];
}

__global__ void scanOfOneArray(float *o) {
  __shared__ float s[N];
  int t = threadIdx.x;
  s[t] = 1;
  __syncthreads();
  for (int d = 1; d < N; d *= 2) {
    if (t >= d) s[t] += s[t - d];
    __syncthreads();
  }
  o[t] = s[t];
}

/** The programming guide's. */
__device__ double addDouble(double *address, double value) {
  auto *p = (unsigned long long *)address;
  unsigned long long old = *p, assumed;
  do {
    assumed = old;
    old = atomicCAS(p, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void sumOfSwaps(float *o) {
  __shared__ double s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  addDouble(&s, 1.0);
  __syncthreads();
  o[threadIdx.x] = s;
}

__global__ void volatileFlag(float *o) {
  __shared__ volatile int flag;
  __shared__ volatile float v;
  int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t == 0) {
    v = 5;
    __threadfence_block();
    flag = 1;
  }
  if (t == 32) {
    while (flag == 0) {
    }
    o[0] = v;
  }
}

__global__ void plainStoreBesideSum(int *o) {
  __shared__ int s;
  int t = threadIdx.x;
  if (t == 0) s = 0;
  __syncthreads();
  if (t == 64) s = 3;
  o[t] = atomicAdd(&s, 0);
}

__global__ void lockOfLanes(int *o) {
  __shared__ int lock, count;
  int t = threadIdx.x;
  if (t == 0) lock = count = 0;
  __syncthreads();
  for (bool done = false; !done;)
    if (atomicCAS(&lock, 0, 1) == 0) {
      count = count + 1;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  __syncthreads();
  o[t] = count;
}

__global__ void oddLanesWait(float *o) {
  int t = threadIdx.x;
  if (t % 2) __syncthreads();
  o[t] = t;
}

__global__ void warpsEnd(float *o) {
  int t = threadIdx.x;
  if (t >= 64) return;
  __syncthreads();
  o[t] = t;
}

__global__ void lanesEnd(float *o) {
  int t = threadIdx.x;
  if (t >= 40) return;
  __syncthreads();
  o[t] = t;
}

__global__ void lanesElsewhere(float *o) {
  int t = threadIdx.x;
  if (t < 16) {
    o[t] = 1;
    __syncthreads();
  } else {
    o[t] = 2;
    __syncthreads();
  }
}

__global__ void warpsElsewhere(float *o) {
  int t = threadIdx.x;
  if (t < 128) {
    o[t] = 1;
    __syncthreads();
  } else {
    o[t] = 2;
    __syncthreads();
  }
}

__global__ void halfWarpWaits(float *o) {
  int t = threadIdx.x;
  if (t % 32 < 16) __syncwarp();
  o[t] = t;
}

__global__ void shuffleOfEnded(float *o) {
  int t = threadIdx.x;
  if (t >= 16) return;
  o[t] = __shfl_down_sync(0xffffffff, t, 1);
}

__global__ void shuffleOfHalf(float *o) {
  int t = threadIdx.x;
  int v = 0;
  if (t % 32 < 16) v = __shfl_sync(0xffffffff, t, 0);
  o[t] = v;
}

__global__ void twoWarpsWait(float *o) {
  int t = threadIdx.x;
  if (t < 64) __syncthreads();
  o[t] = t;
  for (int i = 0; i < 100; i++) o[t] += i;
}

int main() {
  float *o, *a;
  cudaMalloc(&o, N * sizeof(float));
  cudaMalloc(&a, 4 * N * sizeof(float));
  cudaMemset(o, 0, N * sizeof(float));
  cudaMemset(a, 0, 4 * N * sizeof(float));
  treeWithoutBarrier<<<1, N>>>(o);
  tilesWithOneBarrier<<<1, N>>>(o, a);
  sameValue<<<1, N>>>(o);
  otherValues<<<1, N>>>(o);
  treeOfWarp<<<1, 32>>>(o);
  volatileLastWarp<<<1, N>>>(o);
  synchronizedLastWarp<<<1, N>>>(o);
  sumAndRead<<<1, N>>>((int *)o);
  neighbour<<<1, N>>>(o);
  doubleBuffer<<<1, N>>>(o, a);
  namedBarriers<<<1, N>>>(o);
  neighbourOfWarp<<<1, N>>>(o);
  shuffleBetween<<<1, N>>>(o);
  ownBytes<<<1, N>>>(o);
  bytesOfWords<<<1, N>>>(o);
  uniformBarrier<<<1, N>>>(o, 5);
  transposeWithoutBarrier<<<1, dim3(16, 16)>>>(o, a);
  plainHistogram<<<1, N>>>((int *)o);
  atomicHistogram<<<1, N>>>((int *)o);
  scanOfOneArray<<<1, N>>>(o);
  sumOfSwaps<<<1, N>>>(o);
  volatileFlag<<<1, 64>>>(o);
  plainStoreBesideSum<<<1, N>>>((int *)o);
  lockOfLanes<<<1, 64>>>((int *)o);
  oddLanesWait<<<1, N>>>(o);
  warpsEnd<<<1, N>>>(o);
  lanesEnd<<<1, N>>>(o);
  lanesElsewhere<<<1, N>>>(o);
  warpsElsewhere<<<1, N>>>(o);
  halfWarpWaits<<<1, 32>>>(o);
  shuffleOfEnded<<<1, 32>>>(o);
  shuffleOfHalf<<<1, 32>>>(o);
  twoWarpsWait<<<1, N>>>(o);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
