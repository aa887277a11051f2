// Ranges of threadIdx, what two branches begin with, sums that each round stores, and what ptxas joins in shared memory, counted as
// the machine code has them (CUDA 13.0: nvcc -O3 -arch=sm_90).
// levels: 2
// stdout: 1 -61 0 1
// stdout: 1
// count: ranges shared store executed = 4
// count: chain shared load executed = 3
// count: reordered shared load executed = 4
// count: wide shared store executed = 2
// count: pairs shared store executed = 1
// count: sums shared load executed = 3
// count: behind shared load executed = 2
// count: rest global load executed = 9
// count: variables shared store executed = 1
// count: variables shared load executed = 1
// count: apart shared store executed = 3
#include <cstdio>

// `i < 1` is not `i == 0`.
__global__ void ranges(int *out, const int *in) {
  __shared__ int t[64];
  int i = threadIdx.x;
  t[i] = in[i];
  t[i + 32] = in[i + 32];
  __syncthreads();
  if (i < 1) t[63] += t[31];
  if (i == 0) t[63] -= 62;
  __syncthreads();
  out[i] = t[63 - i];
}
// n is loaded in front of the last two branches, so that its loads are not one; those of s are.
__global__ void chain(int *out, const int *in, int n) {
  __shared__ int t[64];
  int i = threadIdx.x, a, b;
  t[i] = in[i];
  t[i + 32] = in[i + 32];
  __syncthreads();
  if (i < n) {
    a = t[(i * i * 3 + n) % 32u];
    b = t[(i * i + n * 5) % 32u];
  } else if (i < 2 * n) {
    a = t[i + 4];
    b = t[(i * i * i + n * 7) % 32u];
  } else {
    a = t[i + 4];
    b = t[(i * i * n + 3) % 32u];
  }
  out[i] = a * b;
}
// The second load of both branches stays behind what differs.
__global__ void reordered(int *out, const int *in, int n) {
  __shared__ int t[64];
  int i = threadIdx.x;
  t[i] = in[i];
  t[i + 32] = in[i + 32];
  __syncthreads();
  if (i < n) {
    int a = t[i + 1];
    out[i] = a + t[i + 3];
  } else {
    int a = t[i + 2];
    out[i + 32] = a * t[i + 3];
  }
}
struct Four {
  double a, b, c, d;
};
__global__ void wide(double *out, const Four *in) {
  __shared__ Four t[32];
  int i = threadIdx.x;
  t[i] = in[i];
  __syncthreads();
  out[i] = t[31 - i].b;
}
__global__ void pairs(short *out, const short *in) {
  __shared__ short t[64];
  int i = threadIdx.x;
  t[2 * i] = in[i];
  t[2 * i + 1] = in[i + 32];
  __syncthreads();
  out[i] = t[i];
}
// Loads of shorts that are added are not joined.
__global__ void sums(short *out, const short *in) {
  __shared__ short t[64];
  int i = threadIdx.x;
  t[i] = in[i];
  t[i + 32] = in[i + 32];
  __syncthreads();
  t[2 * i + 1] += t[2 * i];
  __syncthreads();
  out[i] = t[i];
}
// What the branch loads first is loaded again behind it, past stores to another memory.
__global__ void behind(char *out, const char *in, int n) {
  __shared__ char t[64];
  int i = threadIdx.x;
  t[i] = in[i];
  t[i + 32] = in[i + 32];
  __syncthreads();
  if (i < n) {
    char a = t[2 * i];
    t[2 * i] = t[2 * i + 1];
    t[2 * i + 1] += a;
  }
  out[2 * i] = t[2 * i];
  out[2 * i + 1] = t[2 * i + 1];
}

// A sum that each round stores is loaded in front of the loop of four rounds, and again in front of the rest.
__global__ void rest(int *out, const int *in, int n) {
  int i = threadIdx.x;
  for (int k = 0; k < n; k++) out[i] += in[k];
}

// Shared variables lie in the order in which they are declared, and neighbours are joined.
__global__ void variables(int *out, const int *in) {
  __shared__ int a, b;
  if (threadIdx.x == 0) {
    b = in[9];
    a = in[40];
  }
  __syncthreads();
  out[threadIdx.x] = b * threadIdx.x + a;
}
__global__ void apart(double *out, const int *in) {
  __shared__ int a;
  __shared__ double d;
  __shared__ int b;
  if (threadIdx.x == 0) {
    a = in[0];
    b = in[9];
    d = in[4];
  }
  __syncthreads();
  out[threadIdx.x] = a * threadIdx.x + b + d;
}

int main() {
  int *ints, *results;
  double *doubles, *sums8;
  cudaMallocManaged(&ints, 256);
  cudaMallocManaged(&results, 256);
  cudaMallocManaged(&doubles, 1024);
  cudaMallocManaged(&sums8, 256);
  for (int i = 0; i < 64; i++) ints[i] = i / 32;
  for (int i = 0; i < 128; i++) doubles[i] = i % 4;
  ranges<<<1, 32>>>(results, ints);
  cudaDeviceSynchronize();
  printf("%d %d", results[31], results[0]);
  chain<<<1, 32>>>(results, ints, 8);
  cudaDeviceSynchronize();
  printf(" %d", results[3]);
  reordered<<<1, 32>>>(results, ints, 8);
  wide<<<1, 32>>>(sums8, (Four *)doubles);
  cudaDeviceSynchronize();
  printf(" %g\n", sums8[5]);
  pairs<<<1, 32>>>((short *)results, (short *)ints);
  sums<<<1, 32>>>((short *)results, (short *)ints);
  behind<<<1, 32>>>((char *)results, (char *)ints, 16);
  rest<<<1, 32>>>(results, ints, 7);
  variables<<<1, 32>>>(results, ints);
  cudaDeviceSynchronize();
  printf("%d\n", results[7]);
  apart<<<1, 32>>>(sums8, ints);
  return cudaDeviceSynchronize();
}
