// One value chooses an element with a sign and without: nvcc widens the two otherwise and loads each (frontend/passes/mixedIndices.ts; machine code of
// nvcc 13.0 -O3 -arch=sm_90, its LDG counted; reading: scripts/fidelity/unseen31/s31-mariax-V0.json).
// levels: 2
// count: mixedExchanges global load executed = 4
// count: plainExchanges global load executed = 2
// count: mixedAdds global load executed = 2
// count: plainAdds global load executed = 1
// stdout: 496 496 528 1088 no error
#include <cstdio>

__device__ void swapIf(int *a, int i, int j, bool isWrong) {
  if (isWrong) {
    int x = a[i];
    a[i] = a[j];
    a[j] = x;
  }
}
__global__ void mixedExchanges(int *a, int *o, int stage, int step) {
  unsigned t = threadIdx.x + blockDim.x * blockIdx.x, partner = t ^ step;
  if (partner > t) {
    bool isUp = (t & stage) == 0;
    swapIf(a, t, partner, isUp ? a[t] > a[partner] : a[t] < a[partner]);
  }
}
__global__ void plainExchanges(int *a, int *o, int stage, int step) {
  int t = threadIdx.x + blockDim.x * blockIdx.x, partner = t ^ step;
  if (partner > t) {
    bool isUp = (t & stage) == 0;
    swapIf(a, t, partner, isUp ? a[t] > a[partner] : a[t] < a[partner]);
  }
}
__device__ void add(int *a, int i) { a[i] += 1; }
__global__ void mixedAdds(int *a, int *o, int n, int) {
  unsigned t = threadIdx.x + blockDim.x * blockIdx.x;
  if (t < n) {
    int x = a[t];
    add(a, t);
    o[t] = x;
  }
}
__global__ void plainAdds(int *a, int *o, int n, int) {
  unsigned t = threadIdx.x + blockDim.x * blockIdx.x;
  if (t < n) {
    int x = a[t];
    a[t] += 1 + x;
    o[t] = x;
  }
}

int main() {
  int h[32], *a, *o;
  for (int i = 0; i < 32; i++) h[i] = 31 - i;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&o, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  void (*kernels[])(int *, int *, int, int) = {mixedExchanges, plainExchanges, mixedAdds, plainAdds};
  int arguments[][2] = {{64, 16}, {64, 8}, {32, 0}, {32, 0}};
  for (int k = 0; k < 4; k++) {
    kernels[k]<<<1, 32>>>(a, o, arguments[k][0], arguments[k][1]);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int x : h) sum += x;
    printf("%d ", sum);
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
