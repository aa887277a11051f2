// Programs that are right, by the ways in which threads of a block work together: nothing is found.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

constexpr int N = 256;

__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void reduce(float *out, const float *in) {
  extern __shared__ float sums[];
  int t = threadIdx.x;
  sums[t] = in[blockIdx.x * blockDim.x + t];
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) sums[t] += sums[t + d];
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

// The last warp goes on alone.
__global__ void reduceInWarp(float *out, const float *in) {
  __shared__ float s[N];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t >= 32) return;
  float v = s[t];
  for (int i = 32; i < N; i += 32) v += s[t + i];
  s[t] = v;
  __syncwarp();
  for (int d = 16; d > 0; d >>= 1) {
    float w = s[t] + s[(t + d) & 31];
    __syncwarp();
    s[t] = w;
    __syncwarp();
  }
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
  if (t == 0) out[0] = v - s[0];
}

// Sums over several warps lie in memory that the system reserves, between the block's own.
__global__ void sumsOfTiles(int *out) {
  extern __shared__ int values[];
  __shared__ int first;
  if (threadIdx.x == 0) first = 1;
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  int sum = cg::reduce(tile, values[blockDim.x - 1 - threadIdx.x] + first, cg::plus<int>());
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum;
}

// Half a warp at a time, by masks of its own.
__global__ void halves(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  unsigned mask = t % 32 < 16 ? 0x0000ffff : 0xffff0000;
  s[t] = t;
  __syncwarp(mask);
  int v = s[t ^ 15];
  __syncwarp(mask);
  s[t] = v;
  if (t % 32 < 16) {
    v = __shfl_xor_sync(0x0000ffff, v, 1);
    __syncwarp(0xffff);
    v += s[t ^ 1];
  }
  out[t] = v;
}

// Lanes of a warp wait for each other at different lines.
__global__ void apart(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < 16) {
    s[t] = t;
    __syncwarp();
  } else {
    __syncwarp();
    out[t] = s[t - 16];
  }
}

__global__ void histogram(unsigned *bins, const unsigned char *data, int n) {
  __shared__ unsigned counts[64];
  if (threadIdx.x < 64) counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&counts[data[i] % 64], 1);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

__global__ void scan(int *out, const int *in) {
  __shared__ int buffers[2][N];
  int t = threadIdx.x, at = 0;
  buffers[0][t] = in[t];
  __syncthreads();
  for (int d = 1; d < N; d *= 2, at ^= 1) {
    buffers[at ^ 1][t] = buffers[at][t] + (t >= d ? buffers[at][t - d] : 0);
    __syncthreads();
  }
  out[t] = buffers[at][t];
}

__global__ void asyncCopies(float *out, const float *in, int rounds) {
  __shared__ float stages[2][N];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&stages[0][t], &in[t], 4);
  __pipeline_commit();
  float sum = 0;
  for (int round = 0; round < rounds; round++) {
    if (round + 1 < rounds) __pipeline_memcpy_async(&stages[(round + 1) % 2][t], &in[(round + 1) * N + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += stages[round % 2][N - 1 - t];
    __syncthreads();
  }
  out[t] = sum;
}

__global__ void groups(int *out) {
  __shared__ int s[N];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int t = block.thread_rank();
  s[t] = t;
  tile.sync();
  int v = s[t ^ 7];
  tile.sync();
  s[t] = v + tile.shfl_xor(v, 1);
  block.sync();
  out[t] = s[N - 1 - t];
  if (t % 3 == 0) {
    auto some = cg::coalesced_threads();
    out[t] += some.size();
    some.sync();
  }
}

// Whoever has the lock may write.
__global__ void lock(int *out) {
  __shared__ int mutex, sum;
  if (threadIdx.x == 0) mutex = sum = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&mutex, 0, 1) != 0) {
    }
    __threadfence_block();
    sum += threadIdx.x;
    __threadfence_block();
    atomicExch(&mutex, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum;
}

// One warp makes what another one reads: barriers with names and numbers of threads.
__global__ void producer(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < 32) {
    s[t] = 3 * t;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = s[63 - t];
  }
}

// Threads that have nothing to do end before the barrier, or write something first.
__global__ void endEarly(int *out, int n, bool writes) {
  __shared__ int s[N];
  int t = threadIdx.x;
  if (t >= n) {
    if (writes) out[t] = -1;
    return;
  }
  s[t] = t;
  __syncthreads();
  out[t] = s[n - 1 - t];
}

__global__ void endEarlyInWarp(int *out, int n) {
  int t = threadIdx.x;
  if (t >= n) {
    out[t + 64] = -1;
    return;
  }
  int v = __shfl_xor_sync(0xffffffff, t, 1);
  __syncwarp();
  out[t] = v;
}

// All threads of a block go the same way.
__global__ void sometimes(int *out, const int *flags) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = t;
  for (int i = 0; i < 4; i++) {
    if (flags[i]) {
      __syncthreads();
      out[t] += s[N - 1 - t];
      __syncthreads();
    }
    s[t] += i;
  }
}

// Neighbours in one word are no neighbours' business.
__global__ void bytes(unsigned char *out) {
  __shared__ unsigned char s[N];
  int t = threadIdx.x;
  s[t] = t;
  s[t] += 1;
  out[t] = s[t];
}

// What one thread has to itself the others do not load, whatever they would make of it.
__global__ void ofOneThread(int *out, const int *in, int n) {
  __shared__ int s[8];
  int t = threadIdx.x, sum = 0;
  if (t == 0) {
    s[3] = n;
    s[5] = in[7];
  }
  for (int i = 0; i < n; i++) {
    if (t == 0) s[3] += in[i];
    else sum += in[i];
  }
  out[t] = t == 0 ? s[3] + s[5] : sum;
}

struct Padded {
  char tag;
  double value;
};

__global__ void fill(Padded *all) {
  all[threadIdx.x].tag = 'a';
  all[threadIdx.x].value = 1;
}
__global__ void copy(Padded *to, const Padded *from) { to[threadIdx.x] = from[threadIdx.x]; }

__constant__ float factors[4];
__device__ int total;

__global__ void otherMemories(int *managed, int *mapped, float *pitched, size_t pitch) {
  int t = threadIdx.x;
  managed[t] = mapped[t] + 1;
  float *row = (float *)((char *)pitched + t * pitch);
  row[2] = row[1] * factors[t % 4];
  int *own = (int *)malloc(16);
  own[3] = t;
  atomicAdd(&total, own[3]);
  free(own);
  int local[8];
  for (int i = 0; i < 8; i++) local[(i + t) % 8] = i;
  managed[t] += local[t % 8];
}

template <typename T> T *device(int count) {
  T *p;
  cudaMalloc(&p, count * sizeof(T));
  cudaMemset(p, 0, count * sizeof(T));
  return p;
}

int main() {
  float *a = device<float>(64 * 64), *b = device<float>(64 * 64);
  int *i = device<int>(1024), *flags = device<int>(8);
  transpose<<<dim3(4, 4), dim3(16, 16)>>>(b, a, 64);
  reduce<<<4, N, N * sizeof(float)>>>(b, a);
  reduceInWarp<<<1, N>>>(b, a);
  sumsOfTiles<<<2, N, N * sizeof(int)>>>(i);
  halves<<<1, 64>>>(i);
  apart<<<1, 32>>>(i);
  histogram<<<2, N>>>((unsigned *)i, (unsigned char *)a, 4096);
  scan<<<1, N>>>((int *)b, i);
  asyncCopies<<<1, N>>>(b, a, 6);
  groups<<<1, N>>>(i);
  lock<<<2, N>>>(i);
  producer<<<1, 64>>>(i);
  endEarly<<<1, N>>>(i, 200, false);
  endEarly<<<1, N>>>(i, 200, true);
  endEarlyInWarp<<<1, 64>>>(i, 44);
  int set[4] = {0, 1, 0, 1};
  cudaMemcpy(flags, set, sizeof(set), cudaMemcpyHostToDevice);
  sometimes<<<2, N>>>(i, flags);
  bytes<<<1, N>>>((unsigned char *)i);
  ofOneThread<<<1, N>>>(i, flags + 0, 4);

  // What a kernel writes, another one may read: padding too.
  Padded *from, *to;
  cudaMalloc(&from, 32 * sizeof(Padded));
  cudaMalloc(&to, 32 * sizeof(Padded));
  fill<<<1, 32>>>(from);
  copy<<<1, 32>>>(to, from);
  copy<<<1, 32>>>(from, to);

  int *managed, *pinned, *mapped;
  float *pitched;
  size_t pitch;
  cudaMallocManaged(&managed, 32 * sizeof(int));
  cudaHostAlloc(&pinned, 32 * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&mapped, pinned, 0);
  cudaMallocPitch(&pitched, &pitch, 3 * sizeof(float), 32);
  float rows[32][3] = {};
  cudaMemcpy2D(pitched, pitch, rows, sizeof(rows[0]), sizeof(rows[0]), 32, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(factors, rows, sizeof(factors));
  otherMemories<<<1, 32>>>(managed, mapped, pitched, pitch);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
