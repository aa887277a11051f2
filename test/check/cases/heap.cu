// What kernels free: each allocation of malloc or new once, and nothing else. Null is nothing to free.
#include <cstdio>
#include <cstdlib>

struct Node {
  int value;
  Node *next;
};

__device__ int *kept;

__global__ void right(int *out) {
  int *p = (int *)malloc(4 * sizeof(int));
  p[0] = threadIdx.x;
  out[threadIdx.x] = p[0];
  free(p);
  free(nullptr);
  Node *node = new Node{1, nullptr};
  out[threadIdx.x] += node->value;
  delete node;
  delete (Node *)nullptr;
}
__global__ void twice(int *out) {
  int *p = (int *)malloc(64);
  *p = 1;
  out[threadIdx.x] = *p;
  free(p);
  if (threadIdx.x == 3) free(p);  //! memcheck double-free error
}
__global__ void inside(int *out) {
  int *p = new int[4];
  p[1] = 2;
  out[0] = p[1];
  free(p + 1);  //! memcheck invalid-free error
  delete[] p;
}
__global__ void ofHost(int *out) {
  delete out;  //! memcheck invalid-free error
}
__global__ void keep() { kept = (int *)malloc(16); }
__global__ void drop() { free(kept); }  //! memcheck double-free error

int main() {
  int *out;
  cudaMalloc(&out, 32 * sizeof(int));
  right<<<1, 32>>>(out);
  twice<<<1, 32>>>(out);
  inside<<<1, 1>>>(out);
  ofHost<<<1, 2>>>(out);
  keep<<<1, 1>>>();
  drop<<<1, 1>>>();
  drop<<<1, 1>>>();
  int value;
  cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(out);
  printf("%d %s\n", value, cudaGetErrorString(cudaGetLastError()));
}
