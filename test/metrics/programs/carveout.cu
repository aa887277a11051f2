// Each block reads 96 KB twice: it stays in an L1 of 248 KB, and not in one of 28 KB beside the largest shared memory.
#include <cstdio>
#include <cstdlib>

__global__ void twice(const float *in, float *out) {
  float sum = 0;
  for (int round = 0; round < 2; round++)
    for (int i = threadIdx.x; i < 24576; i += blockDim.x) sum += in[blockIdx.x * 24576 + i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main(int argc, char **argv) {
  float *in, *out;
  cudaMalloc(&in, 4 * 24576 * sizeof(float));
  cudaMalloc(&out, 4 * 1024 * sizeof(float));
  cudaMemset(in, 0, 4 * 24576 * sizeof(float));
  for (int percent : {-1, 0, 50, 100}) {
    cudaError_t error = cudaFuncSetAttribute(twice, cudaFuncAttributePreferredSharedMemoryCarveout, percent);
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));
    twice<<<4, 1024>>>(in, out);
  }
  cudaDeviceSynchronize();
  return 0;
}
