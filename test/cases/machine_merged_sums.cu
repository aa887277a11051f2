// Sums in memory that two branches store: where the branches stay, each round loads and stores; where they become a choice, the sum is
// in a register (read on an H200: scripts/fidelity/cases/machine_merged_sums.json).
// levels: 2
// stdout: chosen 2016 two 2016 4032 shared 2016
#include <cstdio>

__global__ void chosen(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (k == 0) out[i] = in[k];
    else out[i] += in[k];
  }
}
__global__ void two(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    float x = in[k];
    if (k == 0) {
      out[2 * i] = x;
      out[2 * i + 1] = 2 * x;
    } else {
      out[2 * i] += x;
      out[2 * i + 1] += 2 * x;
    }
  }
}
__global__ void shared(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (k == 0) s[t] = in[k];
    else s[t] += in[k];
  }
  __syncthreads();
  out[t] = s[t ^ 1];
}

int main() {
  float *in, *out;
  cudaMallocManaged(&in, 64 * sizeof *in);
  cudaMallocManaged(&out, 128 * sizeof *out);
  for (int i = 0; i < 64; i++) in[i] = i;
  chosen<<<1, 32>>>(in, out, 64);
  cudaDeviceSynchronize();
  printf("chosen %g", out[31]);
  two<<<1, 32>>>(in, out, 64);
  cudaDeviceSynchronize();
  printf(" two %g %g", out[62], out[63]);
  shared<<<1, 64>>>(in, out, 64);
  cudaDeviceSynchronize();
  printf(" shared %g\n", out[5]);
}
