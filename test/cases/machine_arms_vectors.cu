// Vectors that two branches store to one place in shared memory: two stores where one of them is of constants, but not zero in the first branch for
// one statement of it; one of them else (machine code of nvcc 13.0 -O3 -arch=sm_90, its STS counted).
// levels: 2
// count: pairOrZeros shared store executed = 2
// count: pairOrOnes shared store executed = 2
// count: zerosOrPair shared store executed = 2
// count: fourOrZeros shared store executed = 2
// count: vectorOrZero shared store executed = 2
// count: zeroOrVector shared store executed = 1
// count: vectorOrOther shared store executed = 1
// stdout: 992 992 1520 2016 2016 6112 10176 no error
#include <cstdio>

__global__ void pairOrZeros(int *o, const int *in, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < n) {
    s[2 * t] = in[2 * t];
    s[2 * t + 1] = in[2 * t + 1];
  } else {
    s[2 * t] = 0;
    s[2 * t + 1] = 0;
  }
  __syncthreads();
  o[t] = s[t ^ 1] + s[t];
}
__global__ void pairOrOnes(int *o, const int *in, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < n) {
    s[2 * t] = in[2 * t];
    s[2 * t + 1] = in[2 * t + 1];
  } else {
    s[2 * t] = 1;
    s[2 * t + 1] = 1;
  }
  __syncthreads();
  o[t] = s[t ^ 1] + s[t];
}
__global__ void zerosOrPair(int *o, const int *in, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < n) {
    s[2 * t] = 0;
    s[2 * t + 1] = 0;
  } else {
    s[2 * t] = in[2 * t];
    s[2 * t + 1] = in[2 * t + 1];
  }
  __syncthreads();
  o[t] = s[t ^ 1] + s[t + 32];
}
__global__ void fourOrZeros(int *o, const int *in, int n) {
  __shared__ int s[128];
  int t = threadIdx.x;
  if (t < n) {
    s[4 * t] = in[4 * t];
    s[4 * t + 1] = in[4 * t + 1];
    s[4 * t + 2] = in[4 * t + 2];
    s[4 * t + 3] = in[4 * t + 3];
  } else {
    s[4 * t] = 0;
    s[4 * t + 1] = 0;
    s[4 * t + 2] = 0;
    s[4 * t + 3] = 0;
  }
  __syncthreads();
  o[t] = s[t ^ 1] + s[t + 32];
}
__global__ void vectorOrZero(int *o, const int *in, int n) {
  __shared__ int4 s[32];
  int t = threadIdx.x;
  if (t < n) {
    s[t] = ((const int4 *)in)[t];
  } else {
    s[t] = make_int4(0, 0, 0, 0);
  }
  __syncthreads();
  int4 v = s[t ^ 1];
  o[t] = v.x + v.y + v.z + v.w;
}
__global__ void zeroOrVector(int *o, const int *in, int n) {
  __shared__ int4 s[32];
  int t = threadIdx.x;
  if (t < n) {
    s[t] = make_int4(0, 0, 0, 0);
  } else {
    s[t] = ((const int4 *)in)[t];
  }
  __syncthreads();
  int4 v = s[t ^ 1];
  o[t] = v.x + v.y + v.z + v.w;
}
__global__ void vectorOrOther(int *o, const int *in, int n) {
  __shared__ int4 s[32];
  int t = threadIdx.x;
  if (t < n) {
    s[t] = ((const int4 *)in)[t];
  } else {
    s[t] = ((const int4 *)in)[t + 8];
  }
  __syncthreads();
  int4 v = s[t ^ 1];
  o[t] = v.x + v.y + v.z + v.w;
}

int main() {
  int h[256], *o, *in;
  for (int i = 0; i < 256; i++) h[i] = i;
  cudaMalloc(&o, 128);
  cudaMalloc(&in, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  void (*kernels[])(int *, const int *, int) = {pairOrZeros,  pairOrOnes,   zerosOrPair,  fourOrZeros,
                                                vectorOrZero, zeroOrVector, vectorOrOther};
  for (auto kernel : kernels) {
    kernel<<<1, 32>>>(o, in, 16);
    cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int i = 0; i < 32; i++) sum += h[i];
    printf("%d ", sum);
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
