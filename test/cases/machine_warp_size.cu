// warpSize is a number that nvcc does not know: loops that step by it are written out as those of any step, and quotients by it
// are divisions (read on an H200: scripts/fidelity/cases/machine_warp_size.json).
// levels: 2
// stdout: stepsByIt 400: 551913010
// stdout: stepsByIt 413: 562025714
// stdout: stepsByNumber 413: 562025714
// stdout: halves 1: 438462022
// stdout: quotients 3: 417561884
// stdout: inShared 1: 440695141
// stdout: warpOfRows 9: 641682263
// stdout: ofGroup 413: 801050850
// stdout: ofCoalesced 413: 424070750
#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void stepsByIt(int *p, int *q, int *o, int n) {
  for (int i = threadIdx.x; i < n; i += warpSize) o[i] = q[i] + 1;
}
__global__ void stepsByNumber(int *p, int *q, int *o, int n) {
  for (int i = threadIdx.x; i < n; i += 32) o[i] = q[i] + 1;
}
__global__ void halves(int *p, int *q, int *o, int n) {
  int v = q[threadIdx.x];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(~0u, v, offset);
  o[threadIdx.x] = v;
}
__global__ void quotients(int *p, int *q, int *o, int n) {
  int warp = threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
  o[warp * 64 + lane] = q[lane * warpSize + n];
}
__global__ void inShared(int *p, int *q, int *o, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  for (int i = t; i < 256; i += warpSize) s[i] = q[i];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < warpSize; i++) sum += s[i];
  o[t] = sum + s[t * 8];
}
__global__ void warpOfRows(int *p, int *q, int *o, int n) {
  int lane = threadIdx.x & (warpSize - 1);
  for (int row = threadIdx.x / warpSize; row < n; row += blockDim.x / warpSize) {
    int sum = 0;
    for (int j = lane; j < 100; j += warpSize) sum += q[row * 100 + j];
    o[row * 32 + lane] = sum;
  }
}
__global__ void ofGroup(int *p, int *q, int *o, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int sum = 0;
  for (int i = warp.thread_rank(); i < n; i += warp.size()) sum += q[i];
  o[threadIdx.x] = cg::reduce(warp, sum, cg::plus<int>());
}
__global__ void ofCoalesced(int *p, int *q, int *o, int n) {
  if (threadIdx.x % 3 == 0) {
    auto some = cg::coalesced_threads();
    int sum = 0;
    for (int i = some.thread_rank(); i < n; i += some.size()) sum += q[i];
    o[threadIdx.x] = sum;
  }
}

static int a[3][4096];

void fill(int *p, int *q, int *o) {
  for (int i = 0; i < 4096; i++) {
    a[0][i] = (i * 2654435761u) >> 23;
    a[1][i] = (i * 2246822519u + 7) >> 23;
    a[2][i] = i & 15;
  }
  cudaMemcpy(p, a[0], sizeof a[0], cudaMemcpyHostToDevice);
  cudaMemcpy(q, a[1], sizeof a[1], cudaMemcpyHostToDevice);
  cudaMemcpy(o, a[2], sizeof a[2], cudaMemcpyHostToDevice);
}
unsigned check(int *p, int *q, int *o) {
  cudaMemcpy(a[0], p, sizeof a[0], cudaMemcpyDeviceToHost);
  cudaMemcpy(a[1], q, sizeof a[1], cudaMemcpyDeviceToHost);
  cudaMemcpy(a[2], o, sizeof a[2], cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < 4096; i++) sum += (unsigned)(a[0][i] * 3 + a[1][i] * 5 + a[2][i] * 7) * (i + 1);
  return sum;
}

int main() {
  int *p, *q, *o;
  cudaMalloc(&p, 16384);
  cudaMalloc(&q, 16384);
  cudaMalloc(&o, 16384);
#define RUN(kernel, threads, n)       \
  fill(p, q, o);                      \
  kernel<<<1, threads>>>(p, q, o, n); \
  printf(#kernel " %d: %u\n", n, check(p, q, o));
  RUN(stepsByIt, 32, 400)
  RUN(stepsByIt, 32, 413)
  RUN(stepsByNumber, 32, 413)
  RUN(halves, 32, 1)
  RUN(quotients, 64, 3)
  RUN(inShared, 32, 1)
  RUN(warpOfRows, 64, 9)
  RUN(ofGroup, 32, 413)
  RUN(ofCoalesced, 32, 413)
}
