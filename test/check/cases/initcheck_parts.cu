// Reads of what somebody wrote in part, and copies of it to the host. A line says what must be found there.
#include <cstdio>

// One byte of four is missing, in the last; of what is copied as a whole that may be padding.
__global__ void twice(int *to, const int *from) {
  to[threadIdx.x] = 2 * from[threadIdx.x];  //! initcheck uninitialized-global-read error
}
struct Padded {
  char a;
  double b;
  short c;
};
__global__ void members(Padded *p) {
  p[threadIdx.x].a = 1;
  p[threadIdx.x].b = 2;
  p[threadIdx.x].c = 3;
}
__global__ void whole(Padded *to, const Padded *from) { to[threadIdx.x] = from[threadIdx.x]; }

int main() {
  int *a;
  cudaMalloc(&a, 64 * sizeof(int));
  int *e, host[64];
  cudaMalloc(&e, 64 * sizeof(int));
  cudaMemset(e, 0, 64 * sizeof(int) - 1);
  twice<<<1, 64>>>(a, e);
  // What nobody wrote is not worth copying to the host, which a program may do in columns.
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(e);
  cudaMalloc(&e, 64 * sizeof(int));
  cudaMemset(e, 0, 32 * sizeof(int));
  cudaMemcpy(host, e, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(host, e, sizeof host, cudaMemcpyDeviceToHost);  //! initcheck uninitialized-copy info
  cudaMemcpy2D(host, 16, e, 64, 16, 2, cudaMemcpyDeviceToHost);
  cudaMemcpy2D(host, 16, e, 64, 16, 3, cudaMemcpyDeviceToHost);  //! initcheck uninitialized-copy info
  cudaMemcpy(host, e + 32, 32 * sizeof(int), cudaMemcpyDeviceToHost);  //! initcheck uninitialized-copy error
  Padded *p, *q, rows[32];
  cudaMalloc(&p, sizeof rows);
  cudaMalloc(&q, sizeof rows);
  members<<<1, 32>>>(p);
  whole<<<1, 32>>>(q, p);
  cudaMemcpy(rows, q, sizeof rows, cudaMemcpyDeviceToHost);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
