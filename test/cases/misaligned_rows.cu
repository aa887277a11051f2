// Rows whose pitch in bytes is no multiple of an element: only threads that run can be misaligned, and the first of them is named.
// stdout: every fourth row: no error, 2 1 2 1
// stdout: all rows: misaligned address
// stderr: 4-byte load at global address
// stderr: which is not a multiple of 4
// stderr: block (0,0,0), thread (0,1,0)
// stderr: 4-byte load at shared address 0x00000006, which is not a multiple of 4
#include <cstdio>
__global__ void increment(float *data, int pitch, int step) {
  if (threadIdx.y % step == 0) {
    float *at = (float *)((char *)data + threadIdx.y * pitch) + threadIdx.x;
    *at = *at + 1;
  }
}
__global__ void unpack(int *to) {
  __shared__ char packed[64];
  packed[threadIdx.x] = packed[threadIdx.x + 32] = 1;
  __syncthreads();
  to[threadIdx.x] = *(int *)(packed + threadIdx.x * 6);
}
int main() {
  float *data, h[32];
  cudaMalloc(&data, 4096);
  for (int i = 0; i < 32; i++) h[i] = 1;
  cudaMemcpy(data, h, sizeof h, cudaMemcpyHostToDevice);
  increment<<<1, dim3(4, 4)>>>(data, 18, 4);
  printf("every fourth row: %s,", cudaGetErrorString(cudaDeviceSynchronize()));
  increment<<<1, dim3(4, 3)>>>(data + 8, 18, 4);
  cudaMemcpy(h, data, sizeof h, cudaMemcpyDeviceToHost);
  printf(" %g %g %g %g\n", h[0], h[4], h[8], h[12]);
  increment<<<1, dim3(4, 4)>>>(data, 18, 1);
  printf("all rows: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaDeviceReset();
  cudaMalloc(&data, 4096);
  unpack<<<1, 8>>>((int *)data);
  cudaDeviceSynchronize();
}
