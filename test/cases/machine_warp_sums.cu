// Sums of 64 bits in shared memory are loops of compare-and-swaps; of one value at one address one lane makes it for its warp, with the
// sum of them all. Instructions as in the machine code of nvcc 13.0 for sm_90; reading: count_block of unseen30.
// levels: 2
// count: counted shared atomic attempts = 2
// count: summed shared atomic attempts = 64
// stdout: 64 2016
#include <cstdio>
typedef unsigned long long Wide;
__global__ void counted(Wide *out) {
  __shared__ Wide count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1ULL);
  __syncthreads();
  if (threadIdx.x == 0) *out = count;
}
__global__ void summed(Wide *out) {
  __shared__ Wide sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, (Wide)threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}
int main() {
  Wide *out, results[2];
  cudaMalloc(&out, sizeof results);
  counted<<<1, 64>>>(out);
  summed<<<1, 64>>>(out + 1);
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  printf("%llu %llu\n", results[0], results[1]);
}
