/** Where the hardware's own ways make counters differ, no label says exact; everywhere else the label stays. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../../src/report/model.ts'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

const shop = workshop({
  'doubts.cu': `#include <cstdio>
#include <cublas_v2.h>
#include <curand_kernel.h>
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) reaches(int *o) { __shared__ int s[32]; auto c = cooperative_groups::this_cluster(); s[threadIdx.x] = 1; c.sync(); o[threadIdx.x] = c.map_shared_rank(s, 1)[threadIdx.x]; c.sync(); }
__global__ void __cluster_dims__(2) meets(int *o) { __shared__ int s[32]; s[threadIdx.x] = 1; cooperative_groups::this_cluster().sync(); o[threadIdx.x] = s[31 - threadIdx.x]; }
__global__ void seedsPhilox(curandStatePhilox4_32_10_t *s) { curand_init(1234, threadIdx.x, 0, s + threadIdx.x); }
__global__ void drawsPhilox(curandStatePhilox4_32_10_t *s, float *o) { curandStatePhilox4_32_10_t own = s[threadIdx.x]; o[threadIdx.x] = curand_uniform4(&own).x; s[threadIdx.x] = own; }
__global__ void plain(int *o) { __shared__ int s[32]; s[threadIdx.x] = threadIdx.x; __syncthreads(); o[threadIdx.x] = s[31 - threadIdx.x]; }
__global__ void prints(int *o) { printf("%d\\n", o[threadIdx.x]); }
__global__ void printsText(int *o) { printf("%s\\n", o[threadIdx.x] ? "yes" : "no"); }
__global__ void allocates(int **o) { o[threadIdx.x] = (int *)malloc(4); }
__global__ void adds(float *o) { __shared__ float s; if (threadIdx.x == 0) s = 0; __syncthreads(); atomicAdd(&s, 1.5f); __syncthreads(); o[threadIdx.x] = s; }
__global__ void waits(int *o) { if (blockIdx.x == 0) { __threadfence(); atomicExch(o + 32, 1); } else while (atomicAdd(o + 32, 0) == 0) {} o[threadIdx.x] = 1; }
__global__ void appends(int *o) { o[atomicAdd(o + 63, 1)] = threadIdx.x; }
struct Node { char *key; int next; };
struct Wide { long key; int next; };
__device__ const int table[] = {5, 3, 2, 9};
__global__ void longs(size_t *o) { o[threadIdx.x] = threadIdx.x; }
__global__ void pointers(int **o) { o[threadIdx.x] = (int *)o; }
__global__ void members(Node *o) { o[threadIdx.x].next = threadIdx.x; }
__global__ void wide(Wide *o) { o[threadIdx.x].next = threadIdx.x; }
__global__ void swaps(int *o) { int old = o[63], seen; do { seen = old; old = atomicCAS(o + 63, seen, seen + 1); } while (old != seen); }
__global__ void looksUp(int *o, int i) { o[threadIdx.x] = table[i]; }
__global__ void exponents(double *o) { __shared__ double s[100]; double sum = 0; for (int i = threadIdx.x; i < 100; i += 32) s[i] = i; __syncthreads(); for (int i = 0; i < 100; i++) sum += exp(s[i] * o[0]) * log(exp(s[i]) + 1); o[threadIdx.x] = sum; }
__global__ void gathers(int *o) { __shared__ int s; if (threadIdx.x == 0) s = atomicAdd(o + 63, 32); __syncthreads(); o[s % 8 + threadIdx.x] = 1; }
__global__ void finds(int *o, int n) { for (int k = 0; k < n; k++) if (o[k] == threadIdx.x) { o[k + 32] = o[k + 64] + 1; break; } o[threadIdx.x + 96] = n; }
__global__ void seeks(int *o, const int *a, int n) { int k = 0; while (k < n && a[k] != threadIdx.x) k++; o[threadIdx.x + 96] = k; }
__global__ void spreadsOnly(int *o, int least) { int t = threadIdx.x; if (o[t ^ 1] > least) o[t + 2] = 1; }
__global__ void spreads(int *o) { int t = threadIdx.x; if (o[t + 1] > -1) o[t] = 5; }
__global__ void follows(int *o) { int t = threadIdx.x, parent = o[t]; while (parent != o[parent]) parent = o[parent]; o[t] = parent; }
__global__ void carries(int *o) { int t = threadIdx.x; o[t] += o[t + 32] > 2 ? 5 : 3; }
__global__ void exchanges(int *o) { int t = threadIdx.x, i = t ^ 1; if (i > t && o[i] > o[t]) { int x = o[t]; o[t] = o[i]; o[i] = x; } }
__global__ void times(long long *o) { long long from = clock64(); int sum = 0; for (int i = 0; i < 20; i++) sum += ((int *)o)[i]; o[threadIdx.x] = clock64() - from + sum; }
__global__ void lingers(int *o) { for (long long from = clock64(); clock64() - from < 50;) {} o[threadIdx.x] = 1; }
__global__ void draws(int *o) { curandState state; curand_init(clock64(), 0, threadIdx.x, &state); if (curand_uniform(&state) > 0.5f) o[threadIdx.x] = 1; }
__global__ void many(float *__restrict__ o, const float *__restrict__ a, int n) {
  float v[300], s = 0;
  #pragma unroll
  for (int i = 0; i < 300; i++) v[i] = a[i + threadIdx.x];
  for (int k = 0; k < n; k++) {
    float t = o[k];
    #pragma unroll
    for (int i = 0; i < 300; i++) s = s * t + v[i];
    o[k] = s;
  }
}
__global__ void splits(int *__restrict__ o, const int *__restrict__ a, int n, bool c, bool d) {
  int s = 0;
  #pragma unroll 1
  for (int k = 0; k < n; k++) {
    if (c) s = s * s + 1; else if (d) s = s / 3 - k; else s += a[k + 4 * threadIdx.x];
    s ^= a[k + 4 * threadIdx.x] * 3;
  }
  o[threadIdx.x] = s;
}
__global__ void splitsOnce(int *__restrict__ o, const int *__restrict__ a, int n, bool c) {
  int s = 0, k = 0;
  while (k < n) if (c || a[k + 4 * threadIdx.x] > s) { s += a[k + 4 * threadIdx.x] * 3; k++; o[k] = s; } else { s--; k += 2; o[k] = k; }
}
__global__ void parts(float *o) {
  __shared__ float s[64];
  int t = threadIdx.x; s[2 * t] = o[2 * t]; s[2 * t + 1] = o[2 * t + 1];
  __syncthreads();
  if (t == 0) { o[2 * t] = 0; o[2 * t + 1] = s[2 * t]; }
  else { o[2 * t] = s[2 * t - 1]; o[2 * t + 1] = s[2 * t]; }
}
#define PAIRS(name, place) \\
  __global__ void name(const float *a, float *o) { \\
    __shared__ float s[128]; int t = threadIdx.x; s[t] = a[t]; s[t + 32] = a[t + 32]; __syncthreads(); \\
    float r = s[2 * t]; if (r > 3) r += s[place]; o[t] = r; \\
  }
PAIRS(besideBranch, 2 * t + 1)
PAIRS(elsewhere, t + 1)
__global__ void longBranch(const float *a, float *o) {
  __shared__ float s[128]; int t = threadIdx.x; s[t] = a[t]; s[t + 32] = a[t + 32]; s[t + 64] = a[t]; s[t + 96] = a[t]; __syncthreads();
  float r = s[4 * t + 1];
  if (r > 3) { o[t + 64] = a[t] * r + a[t + 32]; o[t + 96] = a[t + 64] * r - a[t + 96]; r += s[4 * t + 2]; }
  o[t] = r;
}
__global__ void andVariable(const float *a, float *o) {
  int t = threadIdx.x; float x = a[t];
  if (x > 3 && a[t + 32] > 2) o[t] = x; else o[t] = 1;
}
__global__ void andComputed(const float *a, float *o) {
  int t = threadIdx.x; float x = a[t];
  if (x > 3 && a[t + 32] > 2) o[t] = x * 2; else o[t] = x * 3;
}
__global__ void andInLoop(const float *a, float *o, int n) {
  _Pragma("unroll 1") for (int k = 0; k < n; k++) { int i = k * 32 + threadIdx.x; float x = a[i]; if (x > 3 && a[i + 256] > 2) o[i] = x * 2; else o[i] = x * 3; }
}
#define NEAREST(name, guard, own) \\
  __global__ void name(const float *a, int *o, int n) { \\
    int t = threadIdx.x; float least = 1e9f; \\
    if (guard) _Pragma("unroll 1") for (int j = 0; j < n; j++) if (j != own) { \\
      float d = a[3 * t] - a[3 * j]; \\
      if (d < least) { o[t] = j; least = d; } \\
    } \\
  }
NEAREST(singles, t < n, t)
NEAREST(singlesAlways, true, t)
NEAREST(upTo, t < n, 5)
__global__ void overShuffles(float *o) {
  __shared__ float s[32]; int t = threadIdx.x; s[t] = o[t]; __syncthreads();
  for (int k = warpSize / 2; k > 0; k /= 2) s[t] += __shfl_down_sync(~0u, s[t], k);
  o[t] = s[t];
}
__global__ void besideShuffles(float *o) {
  __shared__ float s[32]; int t = threadIdx.x; float x = o[t];
  for (int k = warpSize / 2; k > 0; k /= 2) x += __shfl_down_sync(~0u, x, k);
  s[t] = x; __syncthreads(); o[t] = s[31 - t];
}
__global__ void takes(int *o, int n) { while (true) { int i = atomicAdd(o + 1000, 1); if (i >= n) break; o[threadIdx.x] += o[threadIdx.x + 32]; } }
__global__ void takesForBlock(int *o, int n) {
  __shared__ int task; int t = threadIdx.x;
  while (true) { if (t == 0) task = atomicAdd(o + 1000, 1); __syncthreads(); if (task >= n) break; o[t] += o[t + 32]; __syncthreads(); }
}
#define BOUNDED(name, head, first) \\
  __global__ void name(float *o, int n) { \\
    __shared__ float s[32][16]; int t = threadIdx.x; for (int i = 0; i < 16; i++) s[i][t % 16] = o[i]; __syncthreads(); float x = 0; \\
    for (int k = 0; head; ++k) { first x += s[t % 16][k]; } o[t] = x; \\
  }
__global__ void planes(float *__restrict__ o, const float *__restrict__ a, int w, int n) { int t = blockIdx.x * blockDim.x + threadIdx.x; for (int k = 1; k < n; k++) { int c = k * w + t; o[c] = a[c - w] + a[c + w] - a[c]; } }
__global__ void mayBeOther(float *o, const float *a, int w, int n) { int t = blockIdx.x * blockDim.x + threadIdx.x; for (int k = 1; k < n; k++) { int c = k * w + t; o[c] = a[c - w] + a[c + w] - a[c]; } }
BOUNDED(bounded, k < 16 && k < n, )
BOUNDED(breaks, k < 16, if (k >= n) break;)
#define Z cudaMemset(o, 0, 4096)
int main() {
  int *o; cudaMalloc(&o, 4096); 
  Z; reaches<<<2, 32>>>(o); Z; meets<<<2, 32>>>(o); Z; overShuffles<<<1, 32>>>((float *)o); Z; besideShuffles<<<1, 32>>>((float *)o);
  Z; plain<<<1, 32>>>(o); Z; prints<<<1, 32>>>(o); Z; printsText<<<1, 32>>>(o); Z; allocates<<<1, 32>>>((int **)o); Z; adds<<<1, 32>>>((float *)o);
  Z; waits<<<2, 32>>>(o); Z; appends<<<1, 32>>>(o); Z; takes<<<1, 32>>>(o, 40); Z; takesForBlock<<<1, 32>>>(o, 4);
  Z; planes<<<1, 32>>>((float *)o, (float *)o + 512, 32, 9); Z; mayBeOther<<<1, 32>>>((float *)o, (float *)o + 512, 32, 9);
  Z; bounded<<<1, 32>>>((float *)o, 9); Z; breaks<<<1, 32>>>((float *)o, 9);
  Z; spreads<<<1, 32>>>(o); Z; spreadsOnly<<<1, 32>>>(o, 5); Z; follows<<<1, 32>>>(o); Z; carries<<<1, 32>>>(o); Z; exchanges<<<1, 32>>>(o);
  Z; times<<<1, 32>>>((long long *)o); Z; lingers<<<1, 32>>>(o); Z; draws<<<1, 32>>>(o);
  Z; singles<<<1, 32>>>((float *)o, o + 512, 9); Z; singlesAlways<<<1, 32>>>((float *)o, o + 512, 9); Z; upTo<<<1, 32>>>((float *)o, o + 512, 9);
  Z; besideBranch<<<1, 32>>>((float *)o, (float *)o + 512); Z; elsewhere<<<1, 32>>>((float *)o, (float *)o + 512);
  Z; longBranch<<<1, 32>>>((float *)o, (float *)o + 512); Z; andVariable<<<1, 32>>>((float *)o, (float *)o + 512);
  Z; andComputed<<<1, 32>>>((float *)o, (float *)o + 512); Z; andInLoop<<<1, 32>>>((float *)o, (float *)o + 512, 2);
  Z; longs<<<1, 32>>>((size_t *)o); Z; pointers<<<1, 32>>>((int **)o); Z; members<<<1, 32>>>((Node *)o); Z; looksUp<<<1, 32>>>(o, 2);
  Z; wide<<<1, 32>>>((Wide *)o); Z; swaps<<<1, 32>>>(o); Z; exponents<<<1, 32>>>((double *)o);
  Z; gathers<<<1, 32>>>(o); Z; finds<<<1, 32>>>(o, 4); Z; seeks<<<1, 32>>>(o, o + 512, 4); Z; many<<<1, 32>>>((float *)o, (float *)o + 512, 1);
  Z; splits<<<1, 32>>>(o, o + 512, 4, false, false); Z; splitsOnce<<<1, 32>>>(o, o + 512, 4, false); Z; parts<<<1, 32>>>((float *)o);
  curandStatePhilox4_32_10_t *states; cudaMalloc(&states, 32 * sizeof *states); Z; seedsPhilox<<<1, 32>>>(states); drawsPhilox<<<1, 32>>>(states, (float *)o);
  cublasHandle_t cublas; cublasCreate(&cublas); float two = 2; cublasSscal(cublas, 64, &two, (float *)o, 1);
  return cudaDeviceSynchronize();
}
`,
})
afterAll(() => shop.remove())

const counters = {
  loads: 'smsp__sass_inst_executed_op_global_ld.sum',
  loadRequests: 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum',
  storeSectors: 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum',
  stores: 'smsp__sass_inst_executed_op_global_st.sum',
  tags: 'smsp__sass_l1tex_tags_mem_global.sum',
  sharedLoads: 'smsp__sass_inst_executed_op_shared_ld.sum',
} as const

let report: Report
beforeAll(async () => {
  await shop.run('profile', '-o', 'r.json', '--quiet', 'doubts.cu')
  report = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
}, 120_000)

test.each([
  ['plain', []],
  ['prints', []],
  ['reaches', []],
  ['meets', []],
  // A sum in memory, which ours keeps in a register; and one in a register as the program has it.
  ['overShuffles', ['sharedLoads']],
  ['besideShuffles', []],
  ['printsText', ['loadRequests']],
  ['allocates', ['loads', 'loadRequests', 'storeSectors', 'stores', 'tags']],
  ['adds', ['sharedLoads']],
  ['waits', ['loads', 'loadRequests', 'storeSectors', 'stores', 'tags', 'sharedLoads']],
  ['appends', ['storeSectors', 'tags']],
  // Each lane its own tasks, or one thread for all; a loop with two ends, and one with a break.
  ['takes', ['loads', 'loadRequests', 'storeSectors', 'stores', 'tags']],
  ['takesForBlock', []],
  ['bounded', []],
  ['breaks', ['sharedLoads']],
  ['longs', []],
  ['pointers', ['storeSectors', 'tags']],
  ['members', ['loads', 'loadRequests', 'storeSectors', 'stores', 'tags', 'sharedLoads']],
  ['wide', []],
  ['exponents', ['sharedLoads']],
  ['looksUp', []],
  ['warplens::', ['loads', 'loadRequests', 'storeSectors', 'stores', 'tags', 'sharedLoads']],
  ['gathers', ['storeSectors', 'tags']],
  // Read: 6 stores and 2 loads of a warp where ours are 5 stores; draws from a copy of the state are equal.
  ['seedsPhilox', ['loads', 'loadRequests', 'storeSectors', 'stores', 'tags']],
  ['drawsPhilox', []],
  ['finds', ['loads', 'loadRequests', 'storeSectors', 'stores', 'tags']],
  ['seeks', []],
  // What other threads write in place decides.
  ['spreads', ['loads', 'loadRequests', 'storeSectors', 'stores', 'tags']],
  ['follows', ['loads', 'loadRequests', 'storeSectors', 'stores', 'tags']],
  // Nothing is ever written.
  ['spreadsOnly', []],
  ['carries', []],
  ['exchanges', []],
  // What the clock says is stored, waited for, and decides.
  ['times', []],
  ['lingers', []],
  ['draws', ['loads', 'loadRequests', 'storeSectors', 'stores', 'tags']],
  // One round has its own thread, and nvcc knows that it comes.
  ['singles', ['loads', 'loadRequests', 'storeSectors', 'stores', 'tags']],
  ['singlesAlways', []],
  ['upTo', []],
  // A word that joins its neighbour is loaded with it; one that does not, from short branches only.
  ['besideBranch', []],
  ['elsewhere', []],
  ['longBranch', ['sharedLoads']],
  // Whether the stores of two branches behind several conditions are one.
  ['andVariable', ['loads', 'loadRequests', 'storeSectors', 'stores', 'tags']],
  ['andComputed', []],
  ['andInLoop', ['loads', 'loadRequests', 'storeSectors', 'stores', 'tags']],
  ['many', ['loads', 'loadRequests', 'tags']],
  ['splits', ['loads', 'loadRequests', 'tags']],
  // One load on either way, whichever copy of the loop it is in.
  ['splitsOnce', []],
  ['parts', ['storeSectors', 'stores', 'tags']],
  // Which of a loop's rounds load one place of memory that nothing writes.
  ['planes', ['loads', 'loadRequests', 'tags']],
  ['mayBeOther', []],
  ['swaps', ['loads', 'loadRequests', 'storeSectors', 'stores', 'tags']],
] as const)('%s', (kernel, modelled) => {
  const launch = report.launches.find(
    ({ name }) => name === kernel || (kernel.endsWith('::') && name.startsWith(kernel)),
  )!
  const unsure = Object.entries(counters).filter(([, name]) => launch.metrics[name]?.fidelity !== 'exact')
  expect(unsure.map(([short]) => short).sort()).toEqual([...modelled].sort())
})
