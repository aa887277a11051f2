// Structures whose key is compared before they are copied: nvcc copies member by member, and has the keys already. Counts are those of nvcc
// 13.0's machine code (sm_90), one warp, all of whose lanes swap.
// levels: 2
// stdout: 3 0.5 0 2 0.25 1 | 9 9 | 4 2 8
// count: exchange global load executed = 4
// count: exchange global store executed = 4
// count: above global load executed = 3
// count: above global store executed = 3
// count: written global load executed = 3
#include <cstdio>

struct Item { int key; float value; };
struct Wide { float key; int a, b; };

__global__ void exchange(Item *a) {
  int t = 2 * threadIdx.x;
  if (a[t].key > a[t + 1].key) { Item x = a[t]; a[t] = a[t + 1]; a[t + 1] = x; }
}
__global__ void above(Wide *o, const Wide *a, float k) { int t = threadIdx.x; if (a[t].key > k) o[t] = a[t]; }
// Written between: loaded again.
__global__ void written(Item *o, Item *a, int k) {
  int t = threadIdx.x;
  int key = a[t].key;
  a[t ^ 1].key = key + 1;
  __syncthreads();
  o[t] = a[t];
  o[t].key += key;
}

int main() {
  Item *items, *out;
  Wide *wide, *wides;
  cudaMallocManaged(&items, 64 * sizeof *items);
  cudaMallocManaged(&out, 64 * sizeof *out);
  cudaMallocManaged(&wide, 64 * sizeof *wide);
  cudaMallocManaged(&wides, 64 * sizeof *wides);
  for (int i = 0; i < 64; i++) items[i] = {i % 2 ? 3 : 5, i % 2 ? .5f : .25f}, wide[i] = {9.f, 9, i};
  exchange<<<1, 32>>>(items);
  above<<<1, 32>>>(wides, wide, 1);
  cudaDeviceSynchronize();
  printf("%d %g %d %d %g %d | ", items[4].key, items[4].value, 0, items[5].key - 3, items[5].value, 1);
  printf("%g %d | ", wides[7].key, wides[7].a);
  for (int i = 0; i < 64; i++) items[i] = {i / 2, 2};
  written<<<1, 32>>>(out, items, 1);
  cudaDeviceSynchronize();
  printf("%d %g %d\n", out[4].key - 1, out[4].value, out[8].key - 1);
}
