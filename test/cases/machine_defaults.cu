// What is stored in front of a branch and stored again in it is one store, what three branches load is one load, and three of four
// neighbours in shared memory are one access, whichever is missing. Counts are those of nvcc 13.0's machine code (sm_90), one warp.
// levels: 2
// stdout: 3 3 3 3 3 3 9 0.525 69 63 36 3
// count: sumDefault shared store executed = 9
// count: pairDefault shared store executed = 2
// count: pairReversed shared store executed = 4
// count: lastBranch shared store executed = 2
// count: behindBarrier shared store executed = 2
// count: widened shared store executed = 1
// count: threeWays global load executed = 1
// count: lastThree shared load executed = 1
// count: sevenOfEight shared load executed = 2
// count: fromOne shared load executed = 10
// count: fromTwo shared load executed = 8
// count: fromThree shared load executed = 5
#include <cstdio>

// Eight stores of the loop and one in front of it.
__global__ void sumDefault(float *o, const float *in, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = 0;
  if (t < n) s[t] = in[t];
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) o[0] = s[0] * 3 / s[0];
}
__global__ void pairDefault(float *o, const float *in, int n) {
  __shared__ float s[32], r[32];
  int t = threadIdx.x;
  s[t] = 0;
  r[t] = 0;
  if (t < n) {
    s[t] = in[t];
    r[t] = in[t + n];
  }
  __syncthreads();
  if (t == 0) o[0] = s[3] + r[4] - 4;
}
__global__ void pairReversed(float *o, const float *in, int n) {
  __shared__ float s[32], r[32];
  int t = threadIdx.x;
  s[t] = 0;
  r[t] = 0;
  if (t < n) {
    r[t] = in[t];
    s[t] = in[t + n];
  }
  __syncthreads();
  if (t == 0) o[0] = s[3] + r[4] - 4;
}
// The kernel ends behind the branch: both stores are made.
__global__ void lastBranch(float *o, const float *in, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = 0;
  if (t < n) s[t] = in[t + n];
  __syncthreads();
  o[t] = s[t ^ 3];
}
// What others may see in between is stored.
__global__ void behindBarrier(float *o, const float *in, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = 0;
  if (n > 4) {
    __syncthreads();
    s[t] = in[t];
  }
  __syncthreads();
  if (t == 0) o[0] = s[3];
}
// The kernel ends behind the branch here too, but the index is widened on both ways.
__global__ void widened(float *o, const float *in, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  int x = t + blockIdx.x * blockDim.x;
  s[t] = 0;
  if (x < n) s[t] = in[x];
  __syncthreads();
  o[x] = s[t ^ 3];
}
__global__ void threeWays(float *o, const float *in, int from, int to) {
  __shared__ float s[32];
  int t = threadIdx.x;
  if (t < from) s[t] = in[from];
  else if (t >= to) s[t] = in[from + to - 1];
  else s[t] = in[from + t];
  __syncthreads();
  o[t] = s[31 - t];
}
__global__ void lastThree(float *o, const float *in, int j) {
  __shared__ float s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float x = j, sum = 0;
  sum = fmaf(sum, x, s[4 * j + 1]);
  sum = fmaf(sum, x, s[4 * j + 2]);
  o[threadIdx.x] = fmaf(sum, x, s[4 * j + 3]);
}
__global__ void sevenOfEight(float *o, const float *in, int j) {
  __shared__ float s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float x = j, sum = 0;
  for (int k = 1; k < 8; k++) sum = fmaf(sum, x, s[8 * j + k]);
  o[threadIdx.x] = sum / 40;
}
__global__ void fromOne(float *o, const float *in, int n) {
  __shared__ float s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = s[0];
    for (int i = 1; i < n; ++i) sum += s[i];
    o[0] = sum;
  }
}
__global__ void fromTwo(float *o, const float *in, int n) {
  __shared__ float s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 2; i < n; ++i) sum += s[i];
    o[0] = sum;
  }
}
__global__ void fromThree(float *o, const float *in, int n) {
  __shared__ float s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 3; i < n; ++i) sum += s[i];
    o[0] = sum;
  }
}

int main() {
  float *in, *o;
  cudaMallocManaged(&in, 128 * sizeof(float));
  cudaMallocManaged(&o, 12 * 32 * sizeof(float));
  for (int i = 0; i < 128; i++) in[i] = 3;
  for (int i = 20; i < 40; i++) in[i] = 4;
  sumDefault<<<1, 32, 2048>>>(o, in, 20);
  pairDefault<<<1, 32>>>(o + 32, in, 20);
  pairReversed<<<1, 32>>>(o + 64, in, 20);
  lastBranch<<<1, 32>>>(o + 96, in + 40, 20);
  widened<<<1, 32>>>(o + 128, in, 20);
  behindBarrier<<<1, 32>>>(o + 352, in, 20);
  threeWays<<<1, 32>>>(o + 160, in, 3, 9);
  lastThree<<<1, 32>>>(o + 192, in, 1);
  sevenOfEight<<<1, 32>>>(o + 224, in, 1);
  fromOne<<<1, 32>>>(o + 256, in + 40, 23);
  fromTwo<<<1, 32>>>(o + 288, in + 40, 23);
  fromThree<<<1, 32>>>(o + 320, in + 40, 15);
  cudaDeviceSynchronize();
  for (int k = 0; k < 12; k++) printf("%g%c", o[32 * k], k < 11 ? 32 : 10);
}
