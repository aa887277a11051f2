/**
 * Grids of which some blocks work, by where these stand: the first ones, every other one, a triangle's, blocks by chance. Work is loads of 32
 * lines from L1, or sums. Blocks without work store a word, as those of a causal product of matrices do.
 */
#include <cstdio>

enum Where { FIRST, ODD, TRIANGLE, CHANCE };

__device__ bool works(int where, int block, int blocks) {
  if (where == FIRST) return block < blocks / 2;
  if (where == ODD) return block & 1;
  if (where == CHANCE) return (block * 2654435761u >> 7) & 1;
  int side = 1;
  while (side * side < blocks) side++;
  return block % side <= block / side;
}

template <int where> __global__ void lines(float *o, const float *p, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (!works(where, blockIdx.x, gridDim.x)) {
    o[t] = -1;
    return;
  }
  float sum = 0;
  for (int i = 0; i < rounds; i++) sum += p[(threadIdx.x & 31) * 32 + (i & 31)];
  o[t] = sum;
}

template <int where> __global__ void sums(float *o, const float *p, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (!works(where, blockIdx.x, gridDim.x)) {
    o[t] = -1;
    return;
  }
  float a = p[threadIdx.x], b = a + 1, c = a + 2, d = a + 3;
  for (int i = 0; i < rounds; i++) {
    a = a * 0.5f + b;
    b = b * 0.5f + c;
    c = c * 0.5f + d;
    d = d * 0.5f + a;
  }
  o[t] = a + b + c + d;
}

template <int where> void all(float *o, const float *p) {
  const int grids[] = {100, 144, 256, 400, 784, 1600, 6400};
  for (int blocks : grids) {
    lines<where><<<blocks, 256>>>(o, p, 128);
    sums<where><<<blocks, 256>>>(o, p, 2000);
  }
}

int main() {
  float *o, *p;
  cudaMalloc(&o, 6400 * 256 * sizeof(float));
  cudaMalloc(&p, 4096 * sizeof(float));
  cudaMemset(p, 0, 4096 * sizeof(float));
  all<FIRST>(o, p);
  all<ODD>(o, p);
  all<TRIANGLE>(o, p);
  all<CHANCE>(o, p);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
