// Accesses in two branches and loops of lanes with different numbers of rounds, counted as nvcc's and ptxas's code has them
// (PTX and machine code of CUDA 13.0; the first five kernels read on an H200: scripts/fidelity/cases/machine_branches.json).
// levels: 2
// stdout: 3 0 3 0 4 5 6
// count: padded global store executed = 2
// count: chosen global store executed = 2
// count: elsewhere global store executed = 1
// count: both global store executed = 1
// count: before global store executed = 2
// count: counted global store executed = 4
// count: copied global load executed = 4
// count: halo global load executed = 2
// count: thirds global store executed = 1
// count: strided global load executed = 7
#include <cstdio>

// A zero of the second branch stays a store of its own.
__global__ void padded(int *out, const int *in, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = in[i] * in[i + 1] + 3;
  else out[i] = 0;
}
// Here the first branch alone widens the stores' index for its load, so that the stores' addresses differ.
__global__ void chosen(int *out, const int *in, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = in[i] + 3;
  else out[i] = in[i + 32] / 7;
}
// Not here, nor where both do, or an access before them did: one store behind both.
__global__ void elsewhere(int *out, const int *in, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = in[i + 3] + 3;
  else out[i] = n;
}
__global__ void both(int *out, const int *in, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = in[i] * n;
  else out[i] = in[i] + 3;
}
__global__ void before(int *out, const int *in, int n) {
  int i = threadIdx.x;
  out[i] = 4;
  __syncthreads();
  if (i < n) out[i] = in[i] + 3;
  else out[i] = n;
}
// In loops that count the index it is a zero of the first branch that stays: three rounds of one warp, the second mixed.
__global__ void counted(int *out, const int *in, int n) {
  for (int i = threadIdx.x; i < 96; i += blockDim.x)
    if (i < n) out[i] = 0;
    else out[i] = in[i & 31] + 3;
}
// A structure whose type is not aligned is read member by member.
struct Four { int a, b, c, d; };
__global__ void copied(int *out, const Four *in) {
  Four four = in[threadIdx.x & 7];
  out[threadIdx.x] = four.a + four.b * four.c - four.d;
}
// With a third way past both nothing is joined.
__global__ void halo(int *out, const int *in, int n) {
  int i = threadIdx.x;
  if (i == 0 && n > 1) out[40] = in[3];
  if (i == 15 && n > 2) out[41] = in[70];
}
__global__ void thirds(int *out, const int *in, int n) {
  int i = threadIdx.x, v = in[i];
  if (v > n) out[i] = v * n;
  else if (v < -n) out[i] = v / n;
  else out[i] = v - n + 5;
}
// Three rounds or four: those with three do them in front, one at a time, the others four at once.
__global__ void strided(int *sums, const int *in, int n) {
  int sum = 6;
  for (int i = threadIdx.x; i < n; i += 32) sum += in[i];
  sums[threadIdx.x] = sum;
}

int main() {
  int *in, *out, host[7];
  cudaMalloc(&in, 1024);
  cudaMalloc(&out, 1024);
  cudaMemset(in, 0, 1024);
  cudaMemset(out, 0, 1024);
  padded<<<1, 32>>>(out, in, 7);
  cudaMemcpy(host, out + 6, 8, cudaMemcpyDeviceToHost);
  chosen<<<1, 32>>>(out, in, 7);
  cudaMemcpy(host + 2, out + 6, 8, cudaMemcpyDeviceToHost);
  halo<<<1, 32>>>(out, in, 7);
  thirds<<<1, 32>>>(out, in, 1);
  cudaMemcpy(host + 4, out + 6, 4, cudaMemcpyDeviceToHost);
  strided<<<1, 32>>>(out, in, 100);
  cudaMemcpy(host + 6, out + 6, 4, cudaMemcpyDeviceToHost);
  elsewhere<<<1, 32>>>(out, in, 7);
  both<<<1, 32>>>(out, in, 7);
  before<<<1, 32>>>(out, in, 7);
  counted<<<1, 32>>>(out, in, 40);
  copied<<<1, 32>>>(out, (const Four *)in);
  host[5] = 5;
  for (int i = 0; i < 7; i++) printf("%d%c", host[i], i < 6 ? ' ' : '\n');
}
