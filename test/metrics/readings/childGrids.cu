// Kernels that launch kernels in many ways: childGrids.json has what an H100 reads of each launch.
#include <cstdio>
__global__ void none() {}
__global__ void one(int *p) { p[0] = 1; }
__global__ void three(int *p, int a, int b, int c) { p[a] = b + c; }
struct Big { int v[16]; };
__global__ void big(int *p, Big b) { p[0] = b.v[3]; }
__global__ void pNone(int n) { for (int i = 0; i < n; i++) none<<<1, 1>>>(); }
__global__ void pOne(int *p, int n) { for (int i = 0; i < n; i++) one<<<1, 1>>>(p); }
__global__ void pWide(int *p, int n) { for (int i = 0; i < n; i++) one<<<64, 128>>>(p); }
__global__ void pThree(int *p, int n) { for (int i = 0; i < n; i++) three<<<1, 1>>>(p, i, n, 3); }
__global__ void pBig(int *p, Big b, int n) { for (int i = 0; i < n; i++) big<<<1, 1>>>(p, b); }
__global__ void pStream(int *p, int n) {
  for (int i = 0; i < n; i++) {
    cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    one<<<1, 1, 0, s>>>(p);
    cudaStreamDestroy(s);
  }
}
__global__ void pStreamOnly(int n) {
  for (int i = 0; i < n; i++) { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamDestroy(s); }
}
__global__ void pTail(int *p, int n) { for (int i = 0; i < n; i++) one<<<1, 1, 0, cudaStreamTailLaunch>>>(p); }
__global__ void pFire(int *p, int n) { for (int i = 0; i < n; i++) one<<<1, 1, 0, cudaStreamFireAndForget>>>(p); }
__global__ void pAll(int *p) { one<<<1, 1>>>(p + threadIdx.x); }
__global__ void nested(int *p, int depth) { p[depth] = depth; if (depth > 0) nested<<<1, 1>>>(p, depth - 1); }
__global__ void twice(int *p, int depth) { p[depth] = depth; if (depth > 0) { twice<<<1, 1>>>(p, depth - 1); twice<<<1, 1>>>(p, depth - 1); } }
__global__ void err(int *p, int n) { for (int i = 0; i < n; i++) { one<<<1, 1>>>(p); if (cudaGetLastError() != cudaSuccess) p[5] = 1; } }
int main() {
  int *p; cudaMalloc(&p, 1 << 20); Big b{};
  for (int n : {0, 1, 2, 3, 4, 8, 16, 64}) pNone<<<1, 1>>>(n);
  cudaDeviceSynchronize();
  for (int n : {1, 2, 4, 8}) pOne<<<1, 1>>>(p, n);
  for (int n : {1, 2, 4, 8}) pWide<<<1, 1>>>(p, n);
  for (int n : {1, 2, 4}) pThree<<<1, 1>>>(p, n);
  for (int n : {1, 2, 4}) pBig<<<1, 1>>>(p, b, n);
  for (int n : {1, 2, 4, 8}) pStream<<<1, 1>>>(p, n);
  for (int n : {1, 2, 4}) pStreamOnly<<<1, 1>>>(n);
  for (int n : {1, 2, 4}) pTail<<<1, 1>>>(p, n);
  for (int n : {1, 2, 4}) pFire<<<1, 1>>>(p, n);
  for (int n : {1, 2, 4}) err<<<1, 1>>>(p, n);
  for (int n : {1, 2, 8, 32, 64, 256}) pAll<<<1, n>>>(p);
  for (int n : {2, 8, 64}) pAll<<<n, 1>>>(p);
  for (int n : {2, 8}) pAll<<<n, 32>>>(p);
  for (int n : {1, 2, 4, 6}) nested<<<1, 1>>>(p, n);
  for (int n : {1, 2, 3, 4}) twice<<<1, 1>>>(p, n);
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
