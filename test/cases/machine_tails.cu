// Arms of an if that end alike (analysis/branches/sinkCommonCode.ts, commonTails.ts): nvcc makes loads and stores of both once, behind them. One
// warp whose lanes go both ways. Counts are those of the machine code of nvcc 13.0 -O3 -arch=sm_90.
// levels: 2
// stdout: 9693 10511 9531 9553 9301 8996 9585 8955 9296 9570 9039 9565 8949 9308 9739 9337 no error
// count: sums global load executed = 3
// count: sums global store executed = 2
// count: factors global load executed = 3
// count: factors global store executed = 2
// count: indices global load executed = 3
// count: indices global store executed = 2
// count: constants global load executed = 1
// count: constants global store executed = 2
// count: arrays global load executed = 3
// count: arrays global store executed = 1
// count: tables global load executed = 4
// count: tables global store executed = 2
// count: threeWays global load executed = 3
// count: threeWays global store executed = 2
// count: inShared global load executed = 5
// count: inShared global store executed = 1
// count: inShared shared load executed = 2
// count: inShared shared store executed = 4
// count: longer global load executed = 4
// count: longer global store executed = 2
// count: lastOnly global load executed = 6
// count: lastOnly global store executed = 4
// count: operations global load executed = 5
// count: operations global store executed = 3
// count: besides global load executed = 5
// count: besides global store executed = 4
// count: updates global load executed = 7
// count: updates global store executed = 4
// count: usedBefore global load executed = 5
// count: usedBefore global store executed = 4
// count: branching global load executed = 5
// count: branching global store executed = 4
// count: twoArrays global load executed = 5
// count: twoArrays global store executed = 4
#include <cstdio>

#define KERNEL(name, ...) \
  __global__ void name(float *o, float *p, const float *v, const float *u, const int *c, float x, float y, int n, int k) { \
    int t = blockIdx.x * blockDim.x + threadIdx.x; __VA_ARGS__ }

// What both do goes behind: also where one operand differs, and the places' indices.
KERNEL(sums, if (c[t] > 3) { o[t] = u[0]; o[t] += x * v[t]; } else { o[t] = u[k]; o[t] += x * v[t]; })
KERNEL(factors, if (c[t] > 3) { o[t] = u[t + 1]; p[t] = v[t] * x + y; } else { o[t] = u[t + 2]; p[t] = v[t] * y + x; })
KERNEL(indices, if (c[t] > 3) { o[t] = u[k]; p[k + t] = v[n + t] * x; } else { o[t] = u[n]; p[n + t] = v[k + t] * x; })
KERNEL(constants, if (c[t] > 3) { o[k] = x; p[n + t] = x; } else { o[n] = y; p[n + t] = y; })
KERNEL(arrays, if (c[t] > 3) { o[t] = p[t] * v[t]; } else { o[t] = u[t] * v[t]; })
KERNEL(tables, if (c[t] > 3) { o[t] = u[t + 1]; p[t] = v[c[t + 1]]; } else { o[t] = u[t + 2]; p[t] = v[c[t + 2]]; })
KERNEL(threeWays, if (c[t] > 3) { o[t] = u[t + 1]; p[t] = v[t] * x; } else if (c[t] > 2) { o[t] = u[t + 2]; p[t] = v[t] * x; } else { o[t] = u[t + 3]; p[t] = v[t] * x; })
KERNEL(inShared, __shared__ float s[32], r[32]; s[t] = u[t]; r[t] = v[t]; __syncthreads(); if (c[t] > 3) { s[t] = u[k]; r[t] = u[t + k]; } else { s[t] = u[n]; r[t] = u[t + k]; } __syncthreads(); o[t] = s[31 - t] + r[t ^ 1];)
KERNEL(longer, if (c[t] > 3) { o[t] = u[t]; p[t] = v[t + k] + v[t]; } else { o[t] = u[t] * x; p[t] = v[t + k] + v[t]; })
// As far as they are alike.
KERNEL(lastOnly, if (c[t] > 3) { o[t] = u[k]; p[t] = v[t]; p[n + t] = v[n + t]; } else { o[t] = u[n] * x; p[t] = v[t] * y; p[n + t] = v[n + t]; })
KERNEL(operations, if (c[t] > 3) { o[t] = u[t + 1]; p[t] = v[t] * x; } else { o[t] = u[t + 2]; p[t] = v[t] - x; })
KERNEL(besides, if (c[t] > 3) { o[t] = u[t + 1]; o[t + 1] = u[t + 3]; p[t] = v[t] * x; } else { o[t] = u[t + 2]; o[t + 1] = u[t + 4]; p[t] = v[t] * x; })
// Not where the address was there before and the value differs, nor past what branches.
KERNEL(updates, if (c[t] > 3) { o[t] = u[k]; p[t] += v[t] * x; } else { o[t] = u[n]; p[t] -= v[t] * x; })
KERNEL(usedBefore, if (c[t] > 3) { o[t] = u[k]; p[n + t] = v[n + t]; } else { o[t] = u[n]; p[n + t] = v[n + t] * x; })
KERNEL(branching, if (c[t] > 3) { float w = u[k]; if (w > -1) o[k] = w; p[n + t] = v[n + t] * x; } else { float w = u[n]; if (w > -1) o[n] = w; p[n + t] = v[n + t] * x; })
KERNEL(twoArrays, if (c[t] > 3) { o[t] = u[k]; p[t] = v[k]; } else { o[t] = u[n]; o[t] = v[k]; })

void run(void (*kernel)(float *, float *, const float *, const float *, const int *, float, float, int, int)) {
  static float h[512];
  static int d[512];
  float *a[4];
  int *c;
  for (int j = 0; j < 4; j++) {
    for (int k = 0; k < 512; k++) h[k] = k * (7 + j) % 5;
    cudaMalloc(&a[j], sizeof h);
    cudaMemcpy(a[j], h, sizeof h, cudaMemcpyHostToDevice);
  }
  for (int k = 0; k < 512; k++) d[k] = k * 3 % 7;
  cudaMalloc(&c, sizeof d);
  cudaMemcpy(c, d, sizeof d, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(a[0], a[1], a[2], a[3], c, 3, 5, 64, 96);
  float sum = 0;
  for (int j = 0; j < 2; j++) {
    cudaMemcpy(h, a[j], sizeof h, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 512; k++) sum += h[k] * (k % 7 + 1 + j);
  }
  printf("%g ", sum);
  for (float *each : a) cudaFree(each);
  cudaFree(c);
}

int main() {
  run(sums), run(factors), run(indices), run(constants), run(arrays), run(tables), run(threeWays), run(inShared);
  run(longer), run(lastOnly), run(operations), run(besides), run(updates), run(usedBefore), run(branching), run(twoArrays);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
