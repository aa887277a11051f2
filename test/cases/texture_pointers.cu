// Texture references bound by the C forms, which take pointers.
// levels: nightly
// stdout: 0 1 0
// stdout: 6 7
#include <cuda.h>
#include <cstdio>

texture<float, 1, cudaReadModeElementType> line;
texture<float, 2, cudaReadModeElementType> plane;

__global__ void readLine(float *out) { out[threadIdx.x] = tex1Dfetch(line, 5 + threadIdx.x); }
__global__ void readPlane(float *out) { out[threadIdx.x] = tex2D(plane, 2.5f + threadIdx.x, 1.5f); }

int main() {
  float *in = nullptr, *out = nullptr;
  size_t pitch = 0;
  cudaMallocPitch(&in, &pitch, 4 * sizeof(float), 4);
  cudaMallocManaged(&out, 2 * sizeof(float));
  float host[16];
  for (int i = 0; i < 16; i++) host[i] = i;
  cudaMemcpy2D(in, pitch, host, 4 * sizeof(float), 4 * sizeof(float), 4, cudaMemcpyHostToDevice);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  line.filterMode = cudaFilterModePoint;
  line.channelDesc = format;
  const bool isBound = cudaBindTexture(nullptr, &line, in, &format, pitch * 4) == CUDA_SUCCESS;
  readLine<<<1, 2>>>(out);
  cudaDeviceSynchronize();
  printf("%g %d %d\n", out[0], isBound, cudaUnbindTexture(&line));
  cudaBindTexture2D(nullptr, &plane, in, &format, 4, 4, pitch);
  readPlane<<<1, 2>>>(out);
  cudaDeviceSynchronize();
  printf("%g %g\n", out[0], out[1]);
  return 0;
}
