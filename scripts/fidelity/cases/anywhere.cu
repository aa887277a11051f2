// Accesses that go anywhere: each thread to one place of a table that L2 does not hold, by a hash. Own, for the time of hash tables, graphs, histograms.
// levels: 2
// stdout: no error
#include <cstdio>

__device__ unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ (x >> 16);
}
__device__ unsigned placeOf(unsigned mask) { return mixed(blockIdx.x * blockDim.x + threadIdx.x) & mask; }

__global__ void gather(const unsigned *table, unsigned *out, unsigned mask) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = table[placeOf(mask)];
}
__global__ void scatter(unsigned *table, unsigned mask) { table[placeOf(mask)] = threadIdx.x; }
__global__ void update(unsigned *table, unsigned mask) { table[placeOf(mask)] += threadIdx.x; }
__global__ void count(unsigned *table, unsigned mask) { atomicAdd(&table[placeOf(mask)], 1u); }
__global__ void claim(unsigned *table, unsigned *out, unsigned mask) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(&table[placeOf(mask)], 1u);
}
__global__ void exchange(unsigned *table, unsigned *out, unsigned mask) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = atomicCAS(&table[placeOf(mask)], 0u, threadIdx.x + 1);
}
__global__ void insert(unsigned *table, unsigned mask) {
  unsigned place = placeOf(mask) & ~1u;
  if (atomicCAS(&table[place], 0u, threadIdx.x + 1) == 0u) table[place + 1] = blockIdx.x;
}
__global__ void both(unsigned *table, unsigned *out, unsigned mask) {
  unsigned place = placeOf(mask) & ~1u;
  out[blockIdx.x * blockDim.x + threadIdx.x] = table[place];
  table[place + 1] = blockIdx.x;
}

int main() {
  for (unsigned megabytes : {256u, 1024u}) {
    unsigned *table, *out, mask = megabytes * 262144u - 1, threads = 1u << 22;
    cudaMalloc(&table, size_t(megabytes) << 20);
    cudaMalloc(&out, threads * 4);
    cudaMemset(table, 0, size_t(megabytes) << 20);
    unsigned blocks = threads / 256;
    gather<<<blocks, 256>>>(table, out, mask);
    scatter<<<blocks, 256>>>(table, mask);
    update<<<blocks, 256>>>(table, mask);
    count<<<blocks, 256>>>(table, mask);
    claim<<<blocks, 256>>>(table, out, mask);
    cudaMemset(table, 0, size_t(megabytes) << 20);
    exchange<<<blocks, 256>>>(table, out, mask);
    cudaMemset(table, 0, size_t(megabytes) << 20);
    insert<<<blocks, 256>>>(table, mask);
    both<<<blocks, 256>>>(table, out, mask);
    cudaFree(table);
    cudaFree(out);
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
